package merge

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/tree"
)

// Diverged returns how many commits the target branch of a merge request has that the source branch
// lacks: 0 if the target branch is gone.
func Diverged(ctx context.Context, g *code.Git, r Request) (int, error) {
	target, err := g.FindBranch(ctx, "Branch", code.Heads+r.TargetBranch)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	_, behind, err := g.Diverged(ctx, r.Head, target.Commit.ID)
	return behind, err
}

// IsFirstContribution reports whether the author of a merge request is a newcomer: without a role
// in the project, and without another merge request that was merged there.
func IsFirstContribution(ctx context.Context, st *db.Store, r Request) (bool, error) {
	if r.AuthorID == nil {
		return false, nil
	}
	standings, err := tree.Standings(ctx, st, r.Target().Container, []int64{*r.AuthorID})
	if err != nil || policy.Level(standings[*r.AuthorID].Level) >= policy.Guest {
		return false, err
	}
	merged, err := db.Value[bool](ctx, st, `
		select exists (select from merge_requests t
			where t.project_id = @project and t.author_id = @author and t.state = 'merged' and t.id <> @id)`,
		pgx.NamedArgs{"project": r.ProjectID, "author": r.AuthorID, "id": r.ID})
	return !merged, err
}
