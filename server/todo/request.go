package todo

import (
	"context"

	"hew/server/db"
	"hew/server/merge"
	"hew/server/tree"
	"hew/server/work"
)

// onRequest makes to-dos for new assignees and reviewers of a merge request, and for those whom the
// description mentions.
func onRequest(ctx context.Context, st *db.Store, e merge.Changed) error {
	if isHandledRequest(e) {
		if err := finishOn(ctx, st, e.By.ID, e.Request.Target(), ""); err != nil {
			return err
		}
	}
	a := aboutRequest(e.Request)
	if err := a.add(ctx, st, e.By, Assigned, work.Without(e.Request.AssigneeIDs, e.Before.AssigneeIDs)); err != nil {
		return err
	}
	reviewers := work.Without(e.Request.ReviewerIDs, e.Before.ReviewerIDs)
	if err := a.add(ctx, st, e.By, ReviewRequested, reviewers); err != nil {
		return err
	}
	return addMentions(ctx, st, a, e.By, db.OrZero(e.Before.Description), db.OrZero(e.Request.Description))
}

// onReviewAsked makes to-dos for reviewers who are asked again.
func onReviewAsked(ctx context.Context, st *db.Store, e merge.ReviewAsked) error {
	return aboutRequest(e.Request).add(ctx, st, e.By, ReviewRequested, e.Users)
}

// onConflicted makes a to-do for the author of a merge request that cannot be merged any more.
func onConflicted(ctx context.Context, st *db.Store, e merge.Conflicted) error {
	if e.Request.AuthorID == nil {
		return nil
	}
	author, err := tree.FindUser(ctx, st, *e.Request.AuthorID)
	if err != nil {
		return err
	}
	return aboutRequest(e.Request).add(ctx, st, author, Unmergeable, []int64{author.ID})
}

// isHandledRequest reports whether a change of a merge request shows that the user has looked at it
// (more §1).
func isHandledRequest(e merge.Changed) bool {
	was, is := e.Before, e.Request
	switch {
	case e.Action == merge.Opening:
		return false
	case e.Action != merge.Updating && e.Action != merge.Reopening: // closed, merged, approved
		return true
	case !e.OldHead.IsZero(), was.Title != is.Title, db.OrZero(was.Description) != db.OrZero(is.Description):
		return true
	}
	return db.OrZero(was.MilestoneID) != db.OrZero(is.MilestoneID) || differ(was.LabelIDs, is.LabelIDs) ||
		differ(was.AssigneeIDs, is.AssigneeIDs) || differ(was.ReviewerIDs, is.ReviewerIDs)
}
