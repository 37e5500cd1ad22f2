package api

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"time"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	projectapi "hew/server/project/api"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/transfer"
	"hew/server/tree"
	"hew/server/view"
)

// imports are the routes that make projects of archives (spec 1 §4.6, gaps §12.2). GET
// /projects/:id/import is in the domain of projects, whose repositories are imported, too.
type imports struct {
	*view.Site
	fetch transfer.Fetcher
}

// The limits of a request with an archive. The setting max_import_size is that of the archive.
const (
	importUploadTime = 6 * time.Hour
	maxImportRequest = 1 << 40 // bytes
)

func (a imports) routes() []rest.Route {
	signed := scope.Limited(setting.ImportsStarted, scope.ForSigned())
	return []rest.Route{
		rest.Post("/projects/import", signed, a.upload).
			WithoutTransaction().Limit(maxImportRequest).Timeout(importUploadTime),
		rest.Post("/projects/remote-import", signed, a.fetchURL).WithoutTransaction(),
		rest.Post("/projects/remote-import-objectstore", signed, a.fetchObject).WithoutTransaction(),
		rest.Post("/projects/remote-import-s3", signed, a.fetchObject).WithoutTransaction(),
	}
}

// importFields are the parameters of all imports.
type importFields struct {
	Path          string         `param:"path,required,notempty"`
	Name          string         `param:"name"`
	Namespace     string         `param:"namespace"` // id or path
	NamespaceID   int64          `param:"namespace_id"`
	NamespacePath string         `param:"namespace_path"`
	Overwrite     bool           `param:"overwrite"`
	Overrides     map[string]any `param:"override_params"`
	_             struct{}       `exclusive:"namespace namespace_id namespace_path"`
}

// start makes the project of an import. The archive, or where it is, is in what fill adds.
func (a imports) start(
	ctx context.Context, s scope.Signed, in importFields, fill func(*transfer.NewImport) error,
) (v projectapi.ImportView, err error) {
	if err := transfer.CheckImports(ctx, s.Store); err != nil {
		return v, err
	}
	if _, err := a.space(ctx, s, in); err != nil {
		return v, err
	}
	n := transfer.NewImport{
		By: s.Caller.User, Path: in.Path, Name: in.Name, Overwrite: in.Overwrite,
		Overrides: map[string]json.RawMessage{}, CorrelationID: rest.RequestID(ctx),
	}
	n.FindSpace = func(ctx context.Context, st *db.Store) (tree.Group, error) {
		s := s
		s.Store = st
		return a.space(ctx, s, in)
	}
	for name, value := range in.Overrides {
		if n.Overrides[name], err = json.Marshal(value); err != nil {
			return v, fault.Param("override_params is invalid")
		}
	}
	if err := fill(&n); err != nil {
		return v, err
	}
	p, err := transfer.StartImport(ctx, s.Store, n)
	if err != nil {
		return v, err
	}
	return projectapi.ImportViewOf(ctx, a.Site, s.Store, p, true)
}

// space returns the namespace of an import.
func (imports) space(ctx context.Context, s scope.Signed, in importFields) (tree.Group, error) {
	need := []policy.Ability{importProject}
	if in.Overwrite {
		need = append(need, overwriteProject)
	}
	ref := cmp.Or(in.NamespacePath, in.Namespace)
	if in.NamespaceID != 0 {
		ref = strconv.FormatInt(in.NamespaceID, 10)
	}
	if ref == "" {
		ref = strconv.FormatInt(s.Caller.User.NamespaceID, 10)
	}
	space, err := projectapi.SpaceForImport(ctx, s.Anyone, ref, need...)
	return space, transfer.FirstProblem(err)
}

type importUpload struct{ rest.Body }

// upload imports an archive that the client sends. Its fields may come before and after the file.
func (a imports) upload(ctx context.Context, s scope.Signed, in importUpload) (v projectapi.ImportView, err error) {
	file, err := in.Upload("file")
	if err != nil {
		return v, err
	}
	if err := a.early(ctx, s, file); err != nil {
		return v, err
	}
	settings, err := setting.Read(ctx, s.Store)
	if err != nil {
		return v, err
	}
	limit := int64(blob.NoLimit)
	if settings.MaxImportSize > 0 {
		limit = int64(settings.MaxImportSize) << 20
	}
	ref, err := blob.Put(ctx, s.Store, file.Reader, limit)
	if fault.CodeOf(err) == fault.CodeTooLarge {
		return v, fault.BodyTooLarge(limit,
			"send a smaller archive, or have an administrator raise the setting max_import_size")
	}
	if err != nil {
		return v, err
	}
	if err := file.ReadRest(); err != nil {
		return v, err
	}
	fields, err := rest.DecodeFields[importFields](file)
	if err != nil {
		return v, err
	}
	if ref.Size == 0 {
		return v, fault.Param("file is invalid")
	}
	return a.start(ctx, s, fields, func(n *transfer.NewImport) error {
		n.Archive = &ref
		return nil
	})
}

// early returns why an import is refused before its archive is stored, as far as the fields before
// the file say.
func (a imports) early(ctx context.Context, s scope.Signed, file rest.Upload) error {
	if err := transfer.CheckImports(ctx, s.Store); err != nil {
		return err
	}
	in, err := rest.DecodeFields[importFields](file)
	if err != nil || in.Namespace == "" && in.NamespacePath == "" && in.NamespaceID == 0 {
		return nil // the rest follows
	}
	_, err = a.space(ctx, s, in)
	return err
}

type importURL struct {
	URL string `param:"url,required,notempty"`
	importFields
}

// fetchURL imports an archive from an address. The address is in no log and in no answer.
func (a imports) fetchURL(ctx context.Context, s scope.Signed, in importURL) (projectapi.ImportView, error) {
	return a.start(ctx, s, in.importFields, func(n *transfer.NewImport) error {
		n.Source = transfer.ImportSource{URL: in.URL}
		return a.fetch.Check(ctx, s.Store, n.Source)
	})
}

type importObject struct {
	Region    string `param:"region,required,notempty"`
	Bucket    string `param:"bucket_name,required,notempty"`
	Key       string `param:"file_key,required,notempty"`
	AccessKey string `param:"access_key_id,required,notempty"`
	SecretKey string `param:"secret_access_key,required,notempty"`
	importFields
}

// fetchObject imports an archive from a bucket.
func (a imports) fetchObject(ctx context.Context, s scope.Signed, in importObject) (projectapi.ImportView, error) {
	return a.start(ctx, s, in.importFields, func(n *transfer.NewImport) error {
		n.Source = transfer.ImportSource{Bucket: &transfer.ImportBucket{
			Region: in.Region, Bucket: in.Bucket, Key: in.Key, AccessKey: in.AccessKey, SecretKey: in.SecretKey,
		}}
		return a.fetch.Check(ctx, s.Store, n.Source)
	})
}
