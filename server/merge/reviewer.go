package merge

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/work"
)

// Reviewer is a row of merge_request_reviewers.
type Reviewer struct {
	User      tree.Person `db:"user"`
	State     string      `db:"state"` // unreviewed, review_started, reviewed, requested_changes, approved, unapproved
	CreatedAt time.Time   `db:"created_at"`
}

// Reviewers returns who reviews a merge request, by id.
func Reviewers(ctx context.Context, s *db.Store, r Request) ([]Reviewer, error) {
	return db.Many[Reviewer](ctx, s, `
		select `+tree.PersonColumn("t.user_id")+` as "user", t.state, t.created_at
		from merge_request_reviewers t where t.merge_request_id = @id order by t.user_id`,
		pgx.NamedArgs{"id": r.ID})
}

// MarkReviewed notes that a reviewer of a merge request has written a review, unless they have said
// more. It does nothing for other users.
func MarkReviewed(ctx context.Context, st *db.Store, r Request, userID int64) error {
	return st.Exec(ctx, `
		update merge_request_reviewers set state = 'reviewed'
		where merge_request_id = @id and user_id = @user and state in ('unreviewed', 'review_started')`,
		pgx.NamedArgs{"id": r.ID, "user": userID})
}

// RequestChanges notes that a reviewer of an open merge request wants it changed before it is
// merged. An approval of theirs is taken back. It returns 404 for other users.
func RequestChanges(ctx context.Context, st *db.Store, p tree.Project, by tree.User, id int64) (Request, error) {
	return decide(ctx, st, p, by, id, func(st *db.Store, r Request) (Action, error) {
		if !r.IsOpen() || !slices.Contains(r.ReviewerIDs, by.ID) {
			return "", fault.NotFound("Reviewer")
		}
		if err := removeApprovals(ctx, st, r, []int64{by.ID}); err != nil {
			return "", err
		}
		if err := setReviews(ctx, st, r, []int64{by.ID}, "requested_changes"); err != nil {
			return "", err
		}
		return Updating, note.AddSystem(ctx, st, r.Target(), by.ID, "requested changes")
	})
}

// ReviewAsked is emitted when reviewers who have said something are asked again.
type ReviewAsked struct {
	Project tree.Project
	Request Request
	By      tree.User
	Users   []int64 // by id
}

// askAgain asks those of the reviewers of a merge request again who have said something. What they
// approved stays approved.
func askAgain(ctx context.Context, st *db.Store, p tree.Project, by tree.User, r Request, users []int64) error {
	asked, err := db.Values[int64](ctx, st, `
		update merge_request_reviewers set state = 'unreviewed'
		where merge_request_id = @id and user_id = any(@users) and state <> 'unreviewed' returning user_id`,
		pgx.NamedArgs{"id": r.ID, "users": users})
	if err != nil || len(asked) == 0 {
		return err
	}
	slices.Sort(asked)
	names, err := work.Usernames(ctx, st, asked)
	if err != nil {
		return err
	}
	if err := note.AddSystem(ctx, st, r.Target(), by.ID, "requested review from "+names(asked)); err != nil {
		return err
	}
	return event.Emit(ctx, st, ReviewAsked{Project: p, Request: r, By: by, Users: asked})
}
