package merge

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/note"
	"hew/server/tree"
)

// maxRetargeted is how many merge requests into a branch follow it when it goes (more §6.2).
const maxRetargeted = 4

// removeSource removes the source branch of a merged request, if it is still where it was and the
// user may. Open merge requests into it go to the branch that it was merged into.
func removeSource(ctx context.Context, st *db.Store, source, target tree.Project, by code.Author, r Request) error {
	author, err := authorIn(ctx, st, source, by.User)
	if err != nil {
		return err
	}
	removed, err := code.RemoveSource(ctx, st, code.BranchOf{Project: source, Branch: r.SourceBranch}, author, r.Head)
	if err != nil || !removed || source.ID != target.ID {
		return err
	}
	ids, err := db.Values[int64](ctx, st, `
		select id from merge_requests where project_id = @project and target_branch = @branch and state = 'opened'
		order by id limit @most`,
		pgx.NamedArgs{"project": target.ID, "branch": r.SourceBranch, "most": maxRetargeted})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := retarget(ctx, st, target, by.User, id, r.SourceBranch, r.TargetBranch); err != nil {
			return err
		}
	}
	return nil
}

// retarget makes a merge request into a branch that is gone one into another branch, unless there
// is one between the same branches.
func retarget(ctx context.Context, st *db.Store, p tree.Project, by tree.User, id int64, gone, to string) error {
	moved := false
	r, err := Change(ctx, st, p, by, id, func(st *db.Store, r *Request) error {
		next := *r
		if next.TargetBranch = to; next.SourceBranch == to || checkOnly(ctx, st, next) != nil {
			return nil
		}
		moved, r.TargetBranch = true, to
		return nil
	})
	if err != nil || !moved {
		return err
	}
	return note.AddSystem(ctx, st, r.Target(), by.ID, fmt.Sprintf(
		"deleted the `%s` branch. This merge request now targets the `%s` branch", gone, to))
}
