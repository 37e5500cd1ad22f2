package merge

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/note"
	"hew/server/protect"
	"hew/server/secret"
	"hew/server/tree"
)

// Approval is a row of merge_request_approvals: a user approves of a merge request.
type Approval struct {
	ID        int64       `db:"id,auto"`
	RequestID int64       `db:"merge_request_id"`
	UserID    int64       `db:"user_id"`
	Head      object.ID   `db:"head_oid"` // what was approved
	CreatedAt time.Time   `db:"created_at,auto"`
	UpdatedAt time.Time   `db:"updated_at,auto"`
	Person    tree.Person `db:"person,auto"`
}

// approvalsOf returns the approvals of merge requests, by id of the merge request and by time.
func approvalsOf(ctx context.Context, st *db.Store, ids []int64) (map[int64][]Approval, error) {
	list, err := db.Many[Approval](ctx, st, `
		select t.*, `+tree.PersonColumn("t.user_id")+` as person from merge_request_approvals t
		where t.merge_request_id = any(@ids) order by t.id`, pgx.NamedArgs{"ids": ids})
	byID := map[int64][]Approval{}
	for _, a := range list {
		byID[a.RequestID] = append(byID[a.RequestID], a)
	}
	return byID, err
}

// givenTo returns the approvals of a merge request, by time.
func givenTo(ctx context.Context, st *db.Store, r Request) ([]Approval, error) {
	byID, err := approvalsOf(ctx, st, []int64{r.ID})
	return byID[r.ID], err
}

// Consent is what a user states along with an approval.
type Consent struct {
	SHA      string // the head that the user has seen; "" for any
	Password string // of the user, where the settings require it
}

// Approve adds the approval of a user to a merge request of a project. It returns 409 if the user
// has seen another head, and 401 if the user may not approve, has already, or had to give the right
// password.
func Approve(
	ctx context.Context, st *db.Store, p tree.Project, by tree.User, id int64, c Consent,
) (r Request, err error) {
	settings, err := protect.ReadApprovalSettings(ctx, st, tree.InProject(p))
	if err != nil {
		return r, err
	}
	known := !settings.Reauthentication.Value || secret.CheckPassword(by.PasswordDigest, c.Password)
	return decide(ctx, st, p, by, id, func(st *db.Store, r Request) (Action, error) {
		a, err := ReadApprovals(ctx, st, p, r, by.ID)
		switch {
		case err != nil:
			return "", err
		case c.SHA != "" && !strings.EqualFold(c.SHA, r.Head.String()):
			return "", headMoved(r.Head)
		case !a.CanApprove(by.ID) || !known:
			return "", fault.Unauthorized()
		}
		if _, err := st.Insert(ctx, "merge_request_approvals", Approval{
			RequestID: r.ID, UserID: by.ID, Head: r.Head,
		}); err != nil {
			return "", err
		}
		if a, err = ReadApprovals(ctx, st, p, r, by.ID); err != nil {
			return "", err
		}
		if err := noteDecision(ctx, st, r, by, "approved"); err != nil || !a.Approved() {
			return Approving, err
		}
		return Approved, nil
	})
}

// Unapprove takes the approval of a user back. It returns 404 if there is none, and 401 once the
// request is no longer open.
func Unapprove(ctx context.Context, st *db.Store, p tree.Project, by tree.User, id int64) (Request, error) {
	return decide(ctx, st, p, by, id, func(st *db.Store, r Request) (Action, error) {
		a, err := ReadApprovals(ctx, st, p, r, by.ID)
		switch {
		case err != nil:
			return "", err
		case !a.HasApproved(by.ID):
			return "", fault.NotFound("")
		case r.State != Opened:
			return "", fault.Unauthorized()
		}
		if err := removeApprovals(ctx, st, r, []int64{by.ID}); err != nil {
			return "", err
		}
		if err := noteDecision(ctx, st, r, by, "unapproved"); err != nil {
			return "", err
		}
		if a.Approved() {
			return Unapproved, nil
		}
		return Unapproval, nil
	})
}

// ClearApprovals takes all approvals of an open merge request back, as bots may ask for.
func ClearApprovals(ctx context.Context, st *db.Store, p tree.Project, id int64) error {
	_, err := Requests(st, p.ID).Change(ctx, db.ByID(id), func(st *db.Store, r *Request) error {
		if !r.IsOpen() {
			return fault.Unauthorized()
		}
		given, err := givenTo(ctx, st, *r)
		if err != nil {
			return err
		}
		return removeApprovals(ctx, st, *r, usersOf(given))
	})
	return err
}

// decide locks a merge request while do approves of it or takes that back, and tells listeners.
func decide(
	ctx context.Context, st *db.Store, p tree.Project, by tree.User, id int64,
	do func(*db.Store, Request) (Action, error),
) (r Request, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		var before Request
		var did Action
		r, err = Requests(st, p.ID).Change(ctx, db.ByID(id), func(st *db.Store, r *Request) (err error) {
			before = r.clone()
			did, err = do(st, before)
			return err
		})
		if err != nil {
			return err
		}
		return event.Emit(ctx, st, Changed{Project: p, Before: before, Request: r, Action: did, By: by})
	})
	return r, err
}

// noteDecision notes down what a user did, and makes it the state of the user as a reviewer.
func noteDecision(ctx context.Context, st *db.Store, r Request, by tree.User, state string) error {
	if err := setReviews(ctx, st, r, []int64{by.ID}, state); err != nil {
		return err
	}
	return note.AddSystem(ctx, st, r.Target(), by.ID, state+" this merge request")
}

// removeApprovals deletes the approvals of users, who are reviewers without approval then.
func removeApprovals(ctx context.Context, st *db.Store, r Request, users []int64) error {
	if len(users) == 0 {
		return nil
	}
	err := st.Exec(ctx, `
		delete from merge_request_approvals where merge_request_id = @request and user_id = any(@users)`,
		pgx.NamedArgs{"request": r.ID, "users": users})
	if err != nil {
		return err
	}
	return setReviews(ctx, st, r, users, "unapproved")
}

// setReviews sets the state of those of the users who are reviewers.
func setReviews(ctx context.Context, st *db.Store, r Request, users []int64, state string) error {
	return st.Exec(ctx, `
		update merge_request_reviewers set state = @state where merge_request_id = @request and user_id = any(@users)`,
		pgx.NamedArgs{"request": r.ID, "users": users, "state": state})
}

// usersOf returns who gave approvals.
func usersOf(given []Approval) (ids []int64) {
	for _, a := range given {
		ids = append(ids, a.UserID)
	}
	return ids
}
