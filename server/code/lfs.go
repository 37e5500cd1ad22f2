package code

import (
	"context"
	"encoding/hex"
	"io"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
)

// LFSObject is the content of a large file that a project has.
type LFSObject struct {
	BlobID int64  `db:"blob_id"`
	SHA256 []byte `db:"sha256"`
	Size   int64  `db:"size"`
}

// OID returns the name that git-lfs has for the content.
func (o LFSObject) OID() string { return hex.EncodeToString(o.SHA256) }

const selectLFSObjects = `
	select l.blob_id, b.sha256, b.size from lfs_objects l join blobs b on b.id = l.blob_id
	where l.project_id = @project`

// LFSObjects returns those of the objects that a project has, by their oids. Oids that are none are
// left out.
func LFSObjects(ctx context.Context, st *db.Store, project int64, oids []string) (map[string]LFSObject, error) {
	var sums [][]byte
	for _, oid := range oids {
		if sum, err := hex.DecodeString(oid); err == nil && len(sum) == 32 {
			sums = append(sums, sum)
		}
	}
	rows, err := db.Many[LFSObject](ctx, st, selectLFSObjects+` and b.sha256 = any(@sums)`,
		pgx.NamedArgs{"project": project, "sums": sums})
	found := make(map[string]LFSObject, len(rows))
	for _, o := range rows {
		found[o.OID()] = o
	}
	return found, err
}

// OpenLFSObject returns the content of an object.
func OpenLFSObject(ctx context.Context, st *db.Store, o LFSObject) (*blob.Reader, error) {
	ref, err := blob.Load(ctx, st, o.BlobID)
	if err != nil {
		return nil, err
	}
	return blob.Open(ctx, st, ref, 0)
}

// ErrLFSMismatch is the fault of content that is not what its name says.
var ErrLFSMismatch = fault.BadRequest("SHA256 or size mismatch").In(fault.Raw)

// StoreLFSObject stores the content of an object and links it to a project. The store must be bound
// to the pool: a slow client holds no transaction.
func StoreLFSObject(ctx context.Context, st *db.Store, project int64, oid string, size int64, r io.Reader) error {
	ref, err := blob.Put(ctx, st, r, size)
	if fault.CodeOf(err) == fault.CodeTooLarge || err == nil && (ref.String() != oid || ref.Size != size) {
		return ErrLFSMismatch
	}
	if err != nil {
		return err
	}
	return st.Exec(ctx, `
		insert into lfs_objects (project_id, blob_id) values (@project, @blob) on conflict do nothing`,
		pgx.NamedArgs{"project": project, "blob": ref.ID})
}
