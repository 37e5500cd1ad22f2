package merge

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
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
	var due []jobs.Args
	for _, id := range ids {
		due = append(due, targetGone{RequestID: id, UserID: by.User.ID, Gone: r.SourceBranch, To: r.TargetBranch})
	}
	return jobs.Enqueue(ctx, st, due...)
}

// targetGone asks to give a merge request another target branch, because its own was merged into
// that and removed. It is done when the commits of the merge can be read.
type targetGone struct {
	RequestID int64  `json:"merge_request_id"`
	UserID    int64  `json:"user_id"`
	Gone      string `json:"gone"`
	To        string `json:"to"`
}

// Kind implements jobs.Args.
func (targetGone) Kind() string { return "retarget_merge_request" }

// retarget gives a merge request another target branch, unless there is one between the same
// branches, or somebody has changed it since.
func retarget(ctx context.Context, st *db.Store, j targetGone) error {
	err := st.Tx(ctx, func(st *db.Store) error { return j.do(ctx, st) })
	return fault.IgnoreNotFound(err)
}

func (j targetGone) do(ctx context.Context, st *db.Store) error {
	r, _, p, err := withProjects(ctx, st, j.RequestID)
	if err != nil {
		return err
	}
	by, err := tree.FindUser(ctx, st, j.UserID)
	if err != nil {
		return err
	}
	moved := false
	r, err = Change(ctx, st, p, by, r.ID, func(st *db.Store, r *Request) error {
		next := *r
		next.TargetBranch = j.To
		if r.State != Opened || r.TargetBranch != j.Gone || r.SourceBranch == j.To || r.SourceHead.IsZero() ||
			checkOnly(ctx, st, next) != nil {
			return nil
		}
		moved, r.TargetBranch = true, j.To
		return nil
	})
	if err != nil || !moved {
		return err
	}
	return note.AddSystem(ctx, st, r.Target(), by.ID, fmt.Sprintf(
		"deleted the `%s` branch. This merge request now targets the `%s` branch", j.Gone, j.To))
}
