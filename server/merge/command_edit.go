package merge

import (
	"context"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/work"
)

// doer is the function of a quick action of merge requests.
type doer = work.Doer[Request]

// setDraft returns a command that marks a merge request as a draft, or as ready.
func setDraft(draft bool) doer {
	event, said, mark := "ready", "Marked this merge request as ready.", ReadyTitle
	if draft {
		event, said, mark = "draft", "Marked this merge request as a draft.", DraftTitle
	}
	return func(_ context.Context, _ *db.Store, r *run, t *Request, _ string) (string, error) {
		if IsDraft(t.Title) == draft {
			return "", work.FailedCommand("No change to this merge request's draft status.")
		}
		t.Title = mark(t.Title)
		r.Changes("wip_event", event)
		return said, nil
	}
}

// reopen returns a command that opens a closed merge request again, if its branches allow it.
func reopen(shared doer) doer {
	return func(ctx context.Context, st *db.Store, r *run, t *Request, argument string) (string, error) {
		if t.State != Closed || t.BranchGone() || t.isAhead() {
			return "", nil
		}
		if err := checkOnly(ctx, st, *t); err != nil {
			return "", fault.IgnoreRefused(err)
		}
		return shared(ctx, st, r, t, argument)
	}
}

// isAhead reports whether the fork has commits that the target project has not got yet. They cannot
// be fetched in the transaction that runs a command.
func (r Request) isAhead() bool { return r.ID != 0 && r.FromFork() && r.SourceHead != r.Head }

// setTarget sets the target branch to one that exists and that the merge request can have.
func (c Commander) setTarget(ctx context.Context, st *db.Store, r *run, t *Request, name string) (string, error) {
	if !t.IsOpen() || t.isAhead() || name == t.TargetBranch || !t.FromFork() && name == t.SourceBranch {
		return "", nil
	}
	g, err := code.Open(ctx, st, c.Project)
	if err != nil {
		return "", err
	}
	branch, err := g.FindBranch(ctx, "Branch", code.Heads+name)
	if err != nil {
		return "", fault.IgnoreRefused(err)
	}
	next := *t
	next.TargetBranch = name
	if err := checkOnly(ctx, st, next); err != nil {
		return "", fault.IgnoreRefused(err)
	}
	if !t.Head.IsZero() {
		if t.SourceHead.IsZero() {
			return "", nil
		}
		if _, err := g.MergeBase(ctx, []object.ID{branch.Commit.ID, t.Head}); err != nil {
			return "", fault.IgnoreRefused(err)
		}
	}
	t.TargetBranch = name
	r.Changes("target_branch", name)
	return "Set target branch to " + name + ".", nil
}

// assignReviewers adds reviewers, and asks those again who are reviewers already.
func (c Commander) assignReviewers(
	ctx context.Context, st *db.Store, r *run, t *Request, argument string,
) (string, error) {
	m, err := r.Assignable(ctx, st, *t, argument)
	if err != nil {
		return "", err
	}
	if again := work.Without(m.IDs, work.Without(m.IDs, t.ReviewerIDs)); len(again) > 0 && t.ID != 0 {
		r.Afterwards(func(ctx context.Context, st *db.Store, t Request) error {
			return askAgain(ctx, st, c.Project, c.User, t, again)
		})
	}
	t.ReviewerIDs = append(t.clone().ReviewerIDs, work.Without(m.IDs, t.ReviewerIDs)...)
	r.Changes("reviewer_ids", t.ReviewerIDs)
	return "Assigned " + m.Shown + " as " + m.Count("reviewer") + ".", nil
}

func reassignReviewers(ctx context.Context, st *db.Store, r *run, t *Request, argument string) (string, error) {
	m, err := r.Assignable(ctx, st, *t, argument)
	if err != nil {
		return "", err
	}
	t.ReviewerIDs = m.IDs
	r.Changes("reviewer_ids", m.IDs)
	return "Changed " + m.Count("reviewer") + " to " + m.Shown + ".", nil
}

func unassignReviewers(ctx context.Context, st *db.Store, r *run, t *Request, argument string) (string, error) {
	gone, err := r.Among(ctx, st, t.ReviewerIDs, argument)
	if err != nil || len(gone.IDs) == 0 {
		return "", err
	}
	t.ReviewerIDs = work.Without(t.ReviewerIDs, gone.IDs)
	r.Changes("reviewer_ids", append([]int64{}, t.ReviewerIDs...))
	return "Removed " + gone.Count("reviewer") + " " + gone.Shown + ".", nil
}
