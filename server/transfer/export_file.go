package transfer

import (
	"context"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/transfer/archive"
)

// storedFile is a file of a project whose content is a blob.
type storedFile struct {
	ID     int64  `db:"id"` // what pages go on after
	BlobID int64  `db:"blob_id"`
	Secret string `db:"secret"`
	Name   string `db:"name"`
}

// files calls do with each file of a query, which has conditions on @project and @after. One that
// was removed meanwhile is left out.
func (w exportWriter) files(
	ctx context.Context, sql string, do func(f storedFile, size int64, content io.Reader) error,
) error {
	for after := int64(0); ; {
		page, err := db.Many[storedFile](ctx, w.Store, sql+` limit @most`,
			pgx.NamedArgs{"project": w.project.ID, "after": after, "most": documentPage})
		if err != nil || len(page) == 0 {
			return err
		}
		for _, f := range page {
			err := w.file(ctx, f.BlobID, func(size int64, content io.Reader) error { return do(f, size, content) })
			if err != nil && fault.CodeOf(err) != fault.CodeNotFound {
				return fmt.Errorf("file %s: %w", f.Name, err)
			}
			after = f.ID
		}
	}
}

func (w exportWriter) uploads(ctx context.Context, to *archive.Writer) error {
	return w.files(ctx, `
		select t.id, t.blob_id, t.secret, t.name from uploads t where t.project_id = @project and t.id > @after order by t.id`,
		func(f storedFile, size int64, content io.Reader) error {
			return to.Upload(f.Secret, f.Name, size, content)
		})
}

func (w exportWriter) avatar(ctx context.Context, to *archive.Writer) error {
	return w.files(ctx, `
		select t.id, t.blob_id, '' as secret, t.name from avatars t where t.project_id = @project and t.id > @after
		order by t.id`,
		func(f storedFile, size int64, content io.Reader) error { return to.Avatar(f.Name, size, content) })
}

func (w exportWriter) lfsObjects(ctx context.Context, to *archive.Writer) error {
	return w.files(ctx, `
		select t.blob_id as id, t.blob_id, '' as secret, encode(b.sha256, 'hex') as name
		from lfs_objects t join blobs b on b.id = t.blob_id
		where t.project_id = @project and t.blob_id > @after order by t.blob_id`,
		func(f storedFile, size int64, content io.Reader) error { return to.LFSObject(f.Name, size, content) })
}
