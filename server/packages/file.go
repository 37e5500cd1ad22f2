package packages

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// File is a file of a package. Several can have one name: the latest is served.
type File struct {
	ID         int64     `db:"id,auto"`
	PackageID  int64     `db:"package_id"`
	ProjectID  int64     `db:"project_id"`
	Name       string    `db:"name"`
	Size       int64     `db:"size"` // bytes
	MD5        []byte    `db:"md5"`
	SHA1       []byte    `db:"sha1"`
	SHA256     []byte    `db:"sha256"`
	BlobID     int64     `db:"blob_id"`
	PipelineID *int64    `db:"pipeline_id"` // nil: no job published it
	CreatedAt  time.Time `db:"created_at,auto"`
	UpdatedAt  time.Time `db:"updated_at,auto"`
}

const selectFiles = `select t.* from package_files t`

// Files returns a page of the files of a package, oldest first, and their capped count.
func Files(ctx context.Context, s *db.Store, p Package, page db.Page) ([]File, int, error) {
	w := db.NewWhere(nil)
	w.And(`t.package_id = @package`, p.ID)
	return db.List[File](ctx, s, page, db.Order{"id": "t.id", "created_at": "t.created_at", "file_name": "t.name"},
		"t.id", selectFiles, w)
}

// LatestFile returns the last file of a package with a name, or a not-found fault.
func LatestFile(ctx context.Context, s *db.Store, p Package, name string) (File, error) {
	return db.One[File](ctx, s, "", selectFiles+` where t.package_id = @package and t.name = @name
		order by t.id desc limit 1`, pgx.NamedArgs{"package": p.ID, "name": name})
}

// DeleteFile removes a file of a package, or returns a not-found fault. The package stays, as on
// the public service: without a file its version is listed and cannot be downloaded, and what its
// manifest said stays that of the newest file there was. Publishing the version again mends both.
// DeleteFile calls unless with the time of the file's last change, and removes nothing if that
// returns an error.
func DeleteFile(
	ctx context.Context, st *db.Store, p Package, by Publisher, id int64,
	unless func(context.Context, time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		f, err := db.One[File](ctx, st, "", selectFiles+` where t.package_id = @package and t.id = @id for update`,
			pgx.NamedArgs{"package": p.ID, "id": id})
		if err == nil {
			err = st.Locked(ctx)
		}
		if err == nil {
			err = mayDelete(ctx, st, p, by)
		}
		if err == nil {
			err = unless(ctx, f.UpdatedAt)
		}
		if err != nil {
			return err
		}
		return st.Exec(ctx, `delete from package_files where id = @id`, pgx.NamedArgs{"id": f.ID})
	})
}
