package code

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/object"
)

// FileCommit is a commit to be made in a wiki or a snippet.
type FileCommit struct {
	By      Author
	Branch  string // "": the one that HEAD points to
	Message string
	// Edit returns what is to change in the files of the commit base, the zero value in an empty
	// repository. Nobody else changes the repository meanwhile.
	Edit func(ctx context.Context, g *Git, base Commit) ([]Action, error)
}

// CommitFiles makes a commit in the wiki or snippet at a place. Commits of the API wait for each
// other, and a push of a git client is in it or comes after it, so that no change is lost.
func CommitFiles(ctx context.Context, st *db.Store, at Place, w FileCommit) (made Commit, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		g, err := at.hold(ctx, st)
		if err != nil {
			return err
		}
		// the first commit of all has no ref to lock
		if err := st.Exclusively(ctx, fmt.Sprint("files in repository ", g.ID)); err != nil {
			return err
		}
		if g, err = at.hold(ctx, st); err != nil { // it may have a head by now
			return err
		}
		n := NewCommit{Project: at.Project, By: w.By, Branch: w.Branch, Message: w.Message}
		if n.Branch == "" {
			n.Branch = g.Head
		}
		branch, err := g.holdRef(ctx, st, Heads+n.Branch)
		if err != nil {
			return err
		}
		base, err := g.baseOf(ctx, n, branch)
		if err != nil {
			return err
		}
		if n.Actions, err = w.Edit(ctx, g, base); err != nil {
			return err
		}
		made, err = g.commitActions(ctx, n, branch, base)
		return err
	})
	return made, err
}

// RowSize returns how many bytes the objects have together that are stored as rows, which Prefetch
// would read.
func (g *Git) RowSize(ctx context.Context, ids []object.ID) (int64, error) {
	return db.Value[int64](ctx, g.st, `
		select coalesce(sum(l.size), 0)::bigint from loose_objects l
		where l.repository_id = @repository and l.oid = any(@oids)`,
		pgx.NamedArgs{"repository": g.ID, "oids": rawIDs(ids)})
}

// Prefetch reads objects into memory at once that a list would read one by one otherwise.
func (g *Git) Prefetch(ctx context.Context, ids []object.ID) error {
	return g.prefetch(ctx, slices.Clone(ids))
}
