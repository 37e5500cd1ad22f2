package ci

import (
	"context"
	"io"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/ci/document"
	"hew/server/db"
	"hew/server/zipfile"
)

// artifact returns a file of the archive of a job of the parent pipeline.
func (f *files) artifact(ctx context.Context, at document.Location) (document.File, error) {
	if f.parent == nil {
		return document.File{}, document.ErrNoProject
	}
	ids, err := db.Values[int64](ctx, f.st, `
		select a.blob_id from jobs j join job_artifacts a on a.job_id = j.id and a.file_type = 'archive'
		where j.pipeline_id = @pipeline and j.name = @job and not j.retried
			and (a.expire_at is null or a.expire_at > now())`,
		pgx.NamedArgs{"pipeline": f.parent.ID, "job": at.Job})
	if err != nil {
		return document.File{}, err
	}
	if len(ids) == 0 {
		return document.File{}, document.ErrNoProject
	}
	ref, err := blob.Load(ctx, f.st, ids[0])
	if err != nil {
		return document.File{}, err
	}
	reader, err := blob.Open(ctx, f.st, ref, 0)
	if err != nil {
		return document.File{}, err
	}
	defer reader.Close()
	content, err := f.entry(reader, ref.Size, at.Path)
	if err != nil {
		return document.File{}, err
	}
	return document.File{Content: content, Origin: f.parentOrigin()}, nil
}

// parentOrigin returns the commit of the parent, where local paths of its artifacts refer to.
func (f *files) parentOrigin() document.Origin {
	return document.Origin{
		ProjectID: f.parent.ProjectID, Project: f.parent.Path, SHA: f.parent.Commit.String(),
	}
}

// entry returns a file of an archive, up to a byte more than a definition may have.
func (f *files) entry(archive io.ReadSeeker, size int64, path string) ([]byte, error) {
	content, err := readZipped(archive, size, path, f.settings.MaxYAMLBytes+1)
	if zipfile.IsInvalid(err) {
		return nil, document.ErrNoFile
	}
	return content, err
}

// readZipped returns up to limit bytes of a file in a zip.
func readZipped(archive io.ReadSeeker, size int64, path string, limit int64) ([]byte, error) {
	files, err := zipfile.Open(zipfile.Seeking(archive), size)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(files.Entries, func(e zipfile.Entry) bool { return e.Name == path })
	if at < 0 {
		return nil, document.ErrNoFile
	}
	r, err := files.Open(files.Entries[at])
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, limit))
}
