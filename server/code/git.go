package code

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/git/pack"
	"hew/server/protect"
	"hew/server/tree"
)

// Git is a repository in one request: it reads with the store that it was opened with, and so sees
// what its transaction has written. It is an object.Source.
type Git struct {
	Repository
	Head string // the branch that HEAD points to, without refs/heads/

	st      *db.Store
	storage *Storage
	history *History                    // once asked for
	extra   []*pack.Pack                // that a push has brought
	made    map[object.ID]object.Object // objects that are not stored yet

	treeRows int  // how many rows of trees were read one by one
	brought  bool // made has commits of another repository

	protection    *protect.Protection // once asked for, of protectedFrom
	protectedFrom protect.Pusher
}

// Open returns the repository of a project. One that is empty can be opened too.
func Open(ctx context.Context, st *db.Store, p tree.Project) (*Git, error) {
	return SourceOf(p).Open(ctx, st)
}

// open returns the repository of a project for a change, which it makes if it must. It stays until
// the commit.
func open(ctx context.Context, st *db.Store, p tree.Project) (*Git, error) {
	return SourceOf(p).hold(ctx, st)
}

// Empty reports whether the repository has no branch.
func (g *Git) Empty(ctx context.Context) (bool, error) {
	if g.ID == 0 {
		return true, nil
	}
	return db.Value[bool](ctx, g.st, `
		select not exists (select from refs where repository_id = @repository and name >= @from and name < @to)`,
		pgx.NamedArgs{"repository": g.ID, "from": Heads, "to": prefixEnd(Heads)})
}

// errNoGit is the fault of what needs the git program where it is not installed.
var errNoGit = fault.Unavailable().Because(errors.New("git is not installed on the server: see hewd's log"))
