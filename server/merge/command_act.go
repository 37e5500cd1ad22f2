package merge

import (
	"context"
	"strings"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/work"
)

// merge merges the request when all else that the text asks for is done, unless that rebases it.
func (c Commander) merge(_ context.Context, _ *db.Store, r *run, t *Request, _ string) (string, error) {
	if t.ID == 0 || r.Calls("rebase") {
		return "", nil
	}
	r.Last(func(ctx context.Context, st *db.Store, t Request) (string, error) {
		moved := !t.SourceHead.IsZero() && t.SourceHead != t.Head
		if moved || c.Head != "" && !strings.EqualFold(c.Head, t.Head.String()) {
			return "", work.FailedCommand("Branch has been updated since the merge was requested.")
		}
		how := Acceptance{By: c.By, Base: c.Base, Viewer: c.Viewer, Head: &t.Head}
		if _, err := Accept(ctx, st, c.Project, t.ID, how); err != nil {
			return "", err
		}
		r.Changes("merge", t.Head.String())
		return "Merged this merge request.", nil
	})
	return "", nil
}

// rebase asks for the rebase of the source branch.
func (c Commander) rebase(_ context.Context, _ *db.Store, r *run, t *Request, _ string) (string, error) {
	if t.ID == 0 {
		return "", nil
	}
	r.Last(func(ctx context.Context, st *db.Store, t Request) (string, error) {
		if t.GitStatus() == CannotBeMerged {
			return "", work.FailedCommand("This merge request cannot be rebased while there are conflicts.")
		}
		err := AskRebase(ctx, st, t, Rebase{By: c.User})
		switch {
		case fault.CodeOf(err) == fault.CodeConflict:
			return "", work.FailedCommand(rebaseUnderWay)
		case err != nil:
			return "", err
		}
		r.Changes("rebase", true)
		return "Scheduled a rebase of branch " + t.SourceBranch + ".", nil
	})
	return "", nil
}

// approve approves as the API does without a password, which a text must not have.
func (c Commander) approve(_ context.Context, _ *db.Store, r *run, t *Request, _ string) (string, error) {
	if t.ID == 0 {
		return "", nil
	}
	r.Later(func(ctx context.Context, st *db.Store, t Request) (string, error) {
		_, err := Approve(ctx, st, c.Project, c.User, t.ID, Consent{SHA: c.Head})
		return "Approved the current merge request.", err
	})
	return "", nil
}

func (c Commander) unapprove(_ context.Context, _ *db.Store, r *run, t *Request, _ string) (string, error) {
	if t.ID == 0 {
		return "", nil
	}
	r.Later(func(ctx context.Context, st *db.Store, t Request) (string, error) {
		_, err := Unapprove(ctx, st, c.Project, c.User, t.ID)
		return "Unapproved the current merge request.", err
	})
	return "", nil
}

// submit publishes the drafts of the actor as a review that ends with a state.
func (c Commander) submit(_ context.Context, _ *db.Store, r *run, t *Request, state string) (string, error) {
	end := map[string]func(context.Context, *db.Store, Request) error{
		"": c.endReview, "reviewed": c.endReview,
		"requested_changes": func(ctx context.Context, st *db.Store, t Request) error {
			_, err := RequestChanges(ctx, st, c.Project, c.User, t.ID)
			return err
		},
		"approve": func(ctx context.Context, st *db.Store, t Request) error {
			if !c.Approves {
				return fault.Unauthorized()
			}
			_, err := Approve(ctx, st, c.Project, c.User, t.ID, Consent{SHA: c.Head})
			return err
		},
	}[strings.ToLower(state)]
	if t.ID == 0 || c.Submit == nil || end == nil {
		return "", nil
	}
	r.Later(func(ctx context.Context, st *db.Store, t Request) (string, error) {
		if err := c.Submit(ctx, st); err != nil {
			return "", err
		}
		return "Submitted the current review.", end(ctx, st, t)
	})
	return "", nil
}

// endReview notes that the actor has reviewed the merge request.
func (c Commander) endReview(ctx context.Context, st *db.Store, t Request) error {
	return MarkReviewed(ctx, st, t, c.User.ID)
}
