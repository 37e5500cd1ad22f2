package code

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

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

// LFSLockFilter narrows a list of locks. Zero fields narrow nothing, but for Limit.
type LFSLockFilter struct {
	Path  string
	ID    int64
	After int64 // the id of a lock; the list begins after it
	Limit int   // how many locks to return
}

// LFSLocks returns locks of a project by id.
func LFSLocks(ctx context.Context, st *db.Store, project int64, f LFSLockFilter) ([]LFSLock, error) {
	w := db.NewWhere(pgx.NamedArgs{"limit": f.Limit})
	w.And(`t.project_id = @project`, project)
	w.AndIf(f.Path != "", `t.path = @path`, f.Path)
	w.AndIf(f.ID != 0, `t.id = @id`, f.ID)
	w.AndIf(f.After != 0, `t.id > @after`, f.After)
	return db.Many[LFSLock](ctx, st, selectLFSLocks+w.String()+` order by t.id limit @limit`, w.Args)
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
// that exists, or the zero value if it was removed meanwhile.
func LockLFS(ctx context.Context, st *db.Store, project, user int64, path string) (LFSLock, error) {
	n, err := st.Affected(ctx, `
		insert into lfs_locks (project_id, path, user_id) values (@project, @path, @user) on conflict do nothing`,
		pgx.NamedArgs{"project": project, "path": path, "user": user})
	if err != nil {
		return LFSLock{}, err
	}
	locks, err := LFSLocks(ctx, st, project, LFSLockFilter{Path: path, Limit: 1})
	switch {
	case err != nil:
		return LFSLock{}, err
	case len(locks) == 0: // unlocked since the insert
		return LFSLock{}, ErrLocked
	case n == 0:
		return locks[0], ErrLocked
	}
	return locks[0], nil
}

// UnlockLFS removes a lock.
func UnlockLFS(ctx context.Context, st *db.Store, project, id int64) error {
	return st.Exec(ctx, `delete from lfs_locks where project_id = @project and id = @id`,
		pgx.NamedArgs{"project": project, "id": id})
}
