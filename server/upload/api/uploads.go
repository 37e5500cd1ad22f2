package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"hew/server/blob/serve"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/upload"
)

// uploads are the files that texts of groups and projects link to (more-2 §8.3).
type uploads struct{ log *slog.Logger }

// The limits of a request with a file. The setting max_attachment_size is that of the file.
const (
	transferTime = 3 * time.Hour
	maxRequest   = 1 << 40 // bytes
	formSize     = 1 << 20 // bytes of a request besides the file, at most
)

func (a uploads) routes() (routes []rest.Route) {
	for _, h := range []struct {
		path                         string
		read, create, admin, destroy rest.Guard[scope.Container]
	}{
		{
			"/projects/{id}/uploads", scope.As(scope.ForProjectBy(readUpload, findProject), scope.InProject.Container),
			scope.HeldByProject(createUpload), scope.HeldByProject(adminUpload), scope.HeldByProject(destroyUpload),
		},
		{
			"/groups/{id}/uploads", scope.HeldByGroup(readGroupUpload), scope.HeldByGroup(createGroupUpload),
			scope.HeldByGroup(adminGroupUpload), scope.HeldByGroup(destroyGroupUpload),
		},
	} {
		const byID, bySecret = "/{upload_id}", "/{secret}/{filename}"
		routes = append(routes,
			rest.Post(h.path, h.create, a.create).WithoutTransaction().Limit(maxRequest).Timeout(transferTime),
			rest.Get(h.path, h.admin, a.list),
			rest.Get(h.path+byID, h.admin, a.downloadByID).Timeout(transferTime),
			rest.Get(h.path+bySecret, h.read, a.download).Timeout(transferTime),
			rest.Delete(h.path+byID, h.destroy, a.deleteByID),
			rest.Delete(h.path+bySecret, h.destroy, a.delete),
		)
	}
	return routes
}

// findProject returns a project as a scope. Where uploads are not checked, it is as good as public:
// the secret is enough. Those who may not see the project are not told its path.
func findProject(ctx context.Context, caller scope.Anyone, ref string) (scope.InProject, error) {
	p, err := scope.FindProject(ctx, caller, ref)
	if err == nil && !p.Project.Settings.EnforceAuthChecksOnUploads {
		p.Project.Former = p.Project.Former && p.Can(policy.ReadProject)
		p.Project.Visibility = db.Public
	}
	return p, err
}

// hide returns the fault of an upload that is not found. Those who may not see its project are told
// that there is none.
func hide(ctx context.Context, s scope.Container, missing error) error {
	if s.ProjectID == nil {
		return missing
	}
	p, err := scope.FindProject(ctx, s.Anyone, strconv.FormatInt(*s.ProjectID, 10))
	switch {
	case err != nil:
		return err
	case !p.Can(policy.ReadProject):
		return fault.NotFound("Project")
	}
	return missing
}

// createdView is the answer to a new upload. The URL is that of links in texts of the group or
// project, the full path that of the host.
type createdView struct {
	ID       int64  `json:"id"`
	Alt      string `json:"alt"`
	URL      string `json:"url"`
	FullPath string `json:"full_path"`
	Markdown string `json:"markdown"`
}

func createdViewOf(u upload.Upload) createdView {
	url := "/uploads/" + u.Secret + "/" + u.Name
	return createdView{
		ID: u.ID, Alt: upload.Alt(u.Name), URL: url,
		FullPath: fmt.Sprintf("/-/%s/%d%s", u.Container.Kind(), u.Container.ID(), url),
		Markdown: upload.Markdown(u.Name, url),
	}
}

type uploadNew struct{ rest.Body }

// create stores a file, which is read as it comes.
func (uploads) create(ctx context.Context, s scope.Container, in uploadNew) (none createdView, err error) {
	file, err := in.Upload("file")
	switch {
	case err != nil:
		return none, err
	case file.Name == "":
		return none, fault.Param("file is invalid")
	}
	limit, err := upload.Limit(ctx, s.Store)
	if err != nil {
		return none, err
	}
	if in.Size > limit+formSize {
		return none, fault.BodyTooLarge(limit, upload.RaiseLimit)
	}
	f := upload.File{Name: file.Name, Content: file.Reader}
	return rest.Show(createdViewOf)(upload.Create(ctx, s.Store, s.Container, f, s.Caller.ID()))
}

type uploadView struct {
	ID         int64     `json:"id"`
	Size       int64     `json:"size"` // bytes
	Filename   string    `json:"filename"`
	CreatedAt  time.Time `json:"created_at"`
	UploadedBy *uploader `json:"uploaded_by"` // null: the user is deleted
}

type uploader struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Username string `json:"username"`
}

func uploadViewOf(u upload.Upload) uploadView {
	v := uploadView{ID: u.ID, Size: u.Size, Filename: u.Name, CreatedAt: u.CreatedAt}
	if by := u.Uploader; by != nil {
		v.UploadedBy = &uploader{by.ID, by.Name, by.Username}
	}
	return v
}

type uploadList struct{ rest.Paging }

func (uploads) list(ctx context.Context, s scope.Container, in uploadList) (rest.List[uploadView], error) {
	return rest.Pages(uploadViewOf)(upload.Uploads(s.Store, s.Container).List(ctx, scope.PageOf(in.Paging)))
}

type uploadID struct {
	UploadID int64 `param:"upload_id"`
}

type uploadName struct {
	Secret   string `param:"secret"`
	Filename string `param:"filename"`
}

func (a uploads) downloadByID(ctx context.Context, s scope.Container, in uploadID) (rest.Raw, error) {
	return a.send(ctx, s, db.ByID(in.UploadID))
}

func (a uploads) download(ctx context.Context, s scope.Container, in uploadName) (rest.Raw, error) {
	content, err := a.send(ctx, s, upload.BySecret(in.Secret, in.Filename))
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = hide(ctx, s, err)
	}
	return content, err
}

// send answers with a file. Browsers show pictures only, of types that hold no script.
func (a uploads) send(ctx context.Context, s scope.Container, one db.Condition) (rest.Raw, error) {
	u, err := upload.Uploads(s.Store, s.Container).One(ctx, one)
	if err != nil {
		return nil, err
	}
	return serve.File{
		Log: a.log, Store: s.Store, BlobID: u.BlobID, Name: u.Name, Type: u.Type, Inline: u.Type != "",
		Modified: u.CreatedAt, Header: func(h http.Header) { h.Set("Cache-Control", serve.Revalidate) },
	}, nil
}

func (uploads) deleteByID(ctx context.Context, s scope.Container, in uploadID) (rest.None, error) {
	return rest.None{}, upload.Uploads(s.Store, s.Container).Delete(ctx, db.ByID(in.UploadID), rest.Unmodified)
}

func (uploads) delete(ctx context.Context, s scope.Container, in uploadName) (rest.None, error) {
	one := upload.BySecret(in.Secret, in.Filename)
	return rest.None{}, upload.Uploads(s.Store, s.Container).Delete(ctx, one, rest.Unmodified)
}
