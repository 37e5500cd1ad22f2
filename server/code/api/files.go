package api

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"log/slog"
	"net/http"
	"path"
	"strconv"

	"hew/server/blob/serve"
	"hew/server/code"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
)

// files serves single files of projects (gaps §9.2).
type files struct{ log *slog.Logger }

func (a files) routes() []rest.Route {
	const one = "/projects/{id}/repository/files/{file_path}"
	read := scope.ForProject(policy.ReadCode, "read_repository")
	push := forBranch()
	return []rest.Route{
		rest.Get(one, read, a.show),
		rest.Get(one+"/raw", read, a.raw),
		rest.Post(one, push, a.create).LongText(maxCommitText, pushLarger).Timeout(commitTimeout),
		rest.Put(one, push, a.update).LongText(maxCommitText, pushLarger).Timeout(commitTimeout),
		rest.Delete(one, push, a.delete),
	}
}

type filePath struct {
	Path string `param:"file_path"`
}

type fileAt struct {
	filePath
	Ref string `param:"ref,required"`
}

type fileView struct {
	FileName     string `json:"file_name"`
	FilePath     string `json:"file_path"`
	Size         int64  `json:"size"`
	Encoding     string `json:"encoding"`
	ContentHash  string `json:"content_sha256"`
	Ref          string `json:"ref"`
	BlobID       string `json:"blob_id"`
	CommitID     string `json:"commit_id"`
	LastCommitID string `json:"last_commit_id"`
	Executable   bool   `json:"execute_filemode"`
	Content      string `json:"content"`

	data []byte
	git  *code.Git
}

// open reads the file of a request.
func (in filePath) open(ctx context.Context, s scope.InProject, ref string) (fileView, error) {
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return fileView{}, err
	}
	f, err := g.FindFile(ctx, ref, in.Path)
	if err != nil {
		return fileView{}, err
	}
	sum := sha256.Sum256(f.Data)
	return fileView{
		FileName: path.Base(f.Path), FilePath: f.Path, Size: int64(len(f.Data)), Encoding: "base64",
		ContentHash: hex.EncodeToString(sum[:]), Ref: ref, BlobID: f.ID.String(), CommitID: f.Commit.String(),
		LastCommitID: f.LastCommit.String(), Executable: f.Executable(), data: f.Data, git: g,
	}, nil
}

// headers tells of a file what its view does (more-2 §8.3).
func (v fileView) headers(h http.Header) {
	for name, value := range map[string]string{
		"Blob-Id": v.BlobID, "Commit-Id": v.CommitID, "Content-Sha256": v.ContentHash, "Encoding": v.Encoding,
		"Execute-Filemode": strconv.FormatBool(v.Executable), "File-Name": v.FileName, "File-Path": v.FilePath,
		"Last-Commit-Id": v.LastCommitID, "Ref": v.Ref, "Size": strconv.FormatInt(v.Size, 10),
	} {
		h.Set("X-Gitlab-"+name, value)
	}
}

func (a files) show(ctx context.Context, s scope.InProject, in fileAt) (rest.Raw, error) {
	v, err := in.open(ctx, s, in.Ref)
	if err != nil {
		return nil, err
	}
	v.Content = base64.StdEncoding.EncodeToString(v.data)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v.headers(w.Header())
		rest.JSON(http.StatusOK, v).ServeHTTP(w, r)
	}), nil
}

type fileRaw struct {
	filePath
	Ref string `param:"ref" default:"HEAD"`
	LFS bool   `param:"lfs"` // send the content of a large file and not its pointer
}

func (a files) raw(ctx context.Context, s scope.InProject, in fileRaw) (rest.Raw, error) {
	v, err := in.open(ctx, s, in.Ref)
	if err != nil {
		return nil, err
	}
	if in.LFS && s.Project.Settings.LFSEnabled {
		o, pointer, found, err := v.git.FindLFSContent(ctx, v.data)
		switch {
		case err != nil:
			return nil, err
		case found:
			return serve.File{
				Log: a.log, Store: s.Store, BlobID: o.BlobID, Name: v.FileName, Header: v.headers,
			}, nil
		case pointer:
			return nil, fault.NotFound("LFS object of the file")
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		v.headers(w.Header())
		writeRaw(w, v.FileName, v.data)
	}), nil
}

// fileEdit is what creation and change of a file have in common.
type fileEdit struct {
	filePath
	Branch      string         `param:"branch,required"`
	Message     string         `param:"commit_message,required"`
	StartBranch string         `param:"start_branch"`
	AuthorEmail string         `param:"author_email"`
	AuthorName  string         `param:"author_name"`
	Executable  rest.Opt[bool] `param:"execute_filemode"`
}

type fileContent struct {
	Content  string `param:"content,required"`
	Encoding string `param:"encoding" default:"text" oneof:"text base64"`
}

type fileNew struct {
	fileEdit
	fileContent
}

type fileChange struct {
	fileNew
	LastCommit string `param:"last_commit_id"`
}

type fileDelete struct {
	fileEdit
	LastCommit string `param:"last_commit_id"`
}

type fileCommitView struct {
	FilePath string `json:"file_path"`
	Branch   string `json:"branch"`
}

// commit makes a commit with one action.
func (in fileEdit) commit(ctx context.Context, s scope.InProject, a code.Action) (fileCommitView, error) {
	a.Path = in.Path
	if on, ok := in.Executable.Value(); ok {
		a.Executable = &on
	}
	_, err := code.CreateCommit(ctx, s.Store, code.NewCommit{
		Project: s.Project.Project, By: AuthorOf(s), Branch: in.Branch, Message: in.Message,
		AuthorName: in.AuthorName, AuthorEmail: in.AuthorEmail, StartBranch: in.StartBranch,
		Actions: []code.Action{a},
	})
	return fileCommitView{in.Path, in.Branch}, err
}

func (a files) create(ctx context.Context, s scope.InProject, in fileNew) (fileCommitView, error) {
	return in.commit(ctx, s, code.Action{Do: "create", Content: &in.Content, Encoding: in.Encoding})
}

func (a files) update(ctx context.Context, s scope.InProject, in fileChange) (fileCommitView, error) {
	return in.commit(ctx, s, code.Action{
		Do: "update", Content: &in.Content, Encoding: in.Encoding, LastCommit: in.LastCommit,
	})
}

func (a files) delete(ctx context.Context, s scope.InProject, in fileDelete) (rest.None, error) {
	_, err := in.commit(ctx, s, code.Action{Do: "delete", LastCommit: in.LastCommit})
	return rest.None{}, err
}
