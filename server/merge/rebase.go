package merge

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/protect"
	"hew/server/tree"
)

// rebaseAsked asks for the rebase of the source branch of a merge request.
type rebaseAsked struct {
	jobs.Sole
	RequestID int64 `json:"merge_request_id"`
	UserID    int64 `json:"user_id"`
	SkipCI    bool  `json:"skip_ci,omitempty"`
}

// Kind implements jobs.Args.
func (rebaseAsked) Kind() string { return "rebase_merge_request" }

// rebaseUnderWay is the answer to who asks for another one.
const rebaseUnderWay = "A rebase is already in progress."

// rebaseFailed is the merge_error of a rebase with conflicts (more §6.2).
const rebaseFailed = "Rebase failed: Rebase locally, resolve all conflicts, then push the branch."

// cannotRebase returns the fault of a source branch that cannot be rebased.
func cannotRebase(why string) error { return fault.Forbidden(why) }

// Rebase is what a user asks for.
type Rebase struct {
	By     tree.User
	SkipCI bool // the pipeline of the rebased branch is to have no jobs
}

// AskRebase enqueues the rebase of the source branch of an open merge request onto its target
// branch. The user pushes to the source branch by that. It returns 403 if the user may not, and 409
// if one is under way.
func AskRebase(ctx context.Context, st *db.Store, r Request, asked Rebase) error {
	by := asked.By
	r, source, _, err := withProjects(ctx, st, r.ID)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound, err == nil && r.SourceHead.IsZero():
		return cannotRebase("Source branch does not exist")
	case err != nil:
		return err
	case !r.IsOpen():
		return fault.NotAllowed("405 Method Not Allowed")
	}
	author, err := authorIn(ctx, st, source, by)
	if err != nil {
		return err
	}
	if err := mayRebase(ctx, st, source, author, r.SourceBranch); err != nil {
		return err
	}
	return st.Tx(ctx, func(st *db.Store) error {
		begun, err := st.Affected(ctx, `
			update merge_requests set rebase_since = @now::timestamptz, merge_error = null
			where id = @id and (rebase_since is null or rebase_since < @now::timestamptz - interval '1 hour')`,
			pgx.NamedArgs{"id": r.ID, "now": time.Now()})
		switch {
		case err != nil:
			return err
		case begun == 0:
			return fault.Conflict(rebaseUnderWay).In(fault.Text)
		}
		return jobs.Enqueue(ctx, st, rebaseAsked{RequestID: r.ID, UserID: by.ID, SkipCI: asked.SkipCI})
	})
}

// mayRebase returns a fault unless somebody may push to a branch with force.
func mayRebase(ctx context.Context, st *db.Store, p tree.Project, by code.Author, branch string) error {
	protection, err := protect.ReadProtection(ctx, st, p.ID, by.Pusher)
	switch {
	case err != nil:
		return err
	case !protection.MayPush(branch):
		return cannotRebase("Cannot push to source branch")
	}
	change := protect.RefChange{Kind: protect.Branch, Name: branch, Do: protect.ForcePush, Web: true}
	if protection.Refuse(change) != "" {
		return cannotRebase("Source branch is protected from force push")
	}
	return nil
}

// rebase rebases the source branch of a merge request. What becomes of the merge request follows
// from the push.
func rebase(ctx context.Context, st *db.Store, j rebaseAsked) error {
	r, source, target, err := withProjects(ctx, st, j.RequestID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	by, err := tree.FindUser(ctx, st, j.UserID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	failed := ""
	if err := rebaseSource(ctx, st, r, source, target, Rebase{By: by, SkipCI: j.SkipCI}); err != nil {
		var unmergeable code.Unmergeable
		if errors.As(err, &unmergeable) {
			failed = rebaseFailed
		} else if f, refused := fault.From(err); refused {
			failed = "Rebase failed: " + cmp.Or(f.What, "Check that you may push to the source branch, then try again.")
		} else {
			return err
		}
	}
	return st.Exec(ctx, `
		update merge_requests set rebase_since = null, merge_error = nullif(@error, ''), updated_at = now()
		where id = @id`,
		pgx.NamedArgs{"id": r.ID, "error": failed})
}

func rebaseSource(
	ctx context.Context, st *db.Store, r Request, source, target tree.Project, asked Rebase,
) error {
	if r.SourceHead.IsZero() || r.TargetHead.IsZero() || !r.IsOpen() {
		return nil
	}
	if source.ID != target.ID {
		if err := code.FetchCommits(ctx, st, source, target, r.TargetHead); err != nil {
			return err
		}
	}
	author, err := authorIn(ctx, st, source, asked.By)
	if err != nil {
		return err
	}
	if asked.SkipCI {
		author.Options = append(author.Options, "ci.skip")
	}
	_, err = code.RebaseBranch(ctx, st, code.Rebase{
		Project: source, By: author, Branch: r.SourceBranch, Head: r.SourceHead, Onto: r.TargetHead,
	})
	return err
}
