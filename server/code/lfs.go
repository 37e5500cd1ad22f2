package code

import (
	"context"
	"encoding/hex"
	"errors"
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

// errLFSMismatch is the fault of content that is not what its name says.
var errLFSMismatch = fault.BadRequest("SHA256 or size mismatch").In(fault.Raw)

// StoreLFSObject stores the content of an object and links it to a project. The store must be bound
// to the pool: a slow client holds no transaction.
func StoreLFSObject(ctx context.Context, st *db.Store, project int64, oid string, size int64, r io.Reader) error {
	ref, err := blob.Put(ctx, st, r, size)
	if fault.CodeOf(err) == fault.CodeTooLarge || err == nil && (ref.String() != oid || ref.Size != size) {
		return errLFSMismatch
	}
	if err != nil {
		return err
	}
	return st.Exec(ctx, `
		insert into lfs_objects (project_id, blob_id) values (@project, @blob) on conflict do nothing`,
		pgx.NamedArgs{"project": project, "blob": ref.ID})
}

// LFSLock says that only one user may change a path.
type LFSLock struct {
	ID       int64  `db:"id"`
	Path     string `db:"path"`
	UserID   int64  `db:"user_id"`
	UserName string `db:"user_name"`
	LockedAt string `db:"locked_at"` // RFC 3339
}

const selectLFSLocks = `
	select t.id, t.path, t.user_id, u.name as user_name,
	       to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as locked_at
	from lfs_locks t join users u on u.id = t.user_id`

// LFSLocks returns locks of a project by id: all, that of a path, or that with an id.
func LFSLocks(ctx context.Context, st *db.Store, project int64, path string, id int64) ([]LFSLock, error) {
	w := db.NewWhere(nil)
	w.And(`t.project_id = @project`, project)
	w.AndIf(path != "", `t.path = @path`, path)
	w.AndIf(id != 0, `t.id = @id`, id)
	return db.Many[LFSLock](ctx, st, selectLFSLocks+w.String()+` order by t.id`, w.Args)
}

// lockedByOthers returns the paths of a project that others than the user have locked, and their
// names.
func lockedByOthers(ctx context.Context, st *db.Store, project, user int64) (map[string]string, error) {
	w := db.NewWhere(nil)
	w.And(`t.project_id = @project`, project)
	w.And(`t.user_id <> @user`, user)
	locks, err := db.Many[LFSLock](ctx, st, selectLFSLocks+w.String(), w.Args)
	names := make(map[string]string, len(locks))
	for _, l := range locks {
		names[l.Path] = l.UserName
	}
	return names, err
}

// ErrLocked is the error of a path that is locked already.
var ErrLocked = errors.New("already locked")

// LockLFS locks a path for a user. If it is locked, the error is ErrLocked and the lock is the one
// that there is.
func LockLFS(ctx context.Context, st *db.Store, project, user int64, path string) (LFSLock, error) {
	n, err := st.Affected(ctx, `
		insert into lfs_locks (project_id, path, user_id) values (@project, @path, @user) on conflict do nothing`,
		pgx.NamedArgs{"project": project, "path": path, "user": user})
	if err != nil {
		return LFSLock{}, err
	}
	locks, err := LFSLocks(ctx, st, project, path, 0)
	if err != nil || len(locks) == 0 {
		return LFSLock{}, errors.Join(err, ErrLocked) // and unlocked meanwhile
	}
	if n == 0 {
		err = ErrLocked
	}
	return locks[0], err
}

// UnlockLFS removes a lock.
func UnlockLFS(ctx context.Context, st *db.Store, project, id int64) error {
	return st.Exec(ctx, `delete from lfs_locks where project_id = @project and id = @id`,
		pgx.NamedArgs{"project": project, "id": id})
}
