package people

import (
	"context"
	"slices"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// StateAct moves a user from one of several states to another (gaps §2.1). It is refused from any
// other state; if the user is there already it does nothing, or is refused.
type StateAct struct {
	Verb    string // the last segment of its route
	to      string
	from    []string
	refusal string
	self    string // the refusal for users who name themselves; empty: they may
	already string // the refusal if the user has the new state; empty: nothing happens (gaps §15)
}

// StateActs are the transitions between states, except ApproveUser.
var StateActs = []StateAct{
	{
		"block", "blocked", []string{"active", "deactivated"},
		"User cannot be blocked in this state", "The API initiating user cannot be blocked by the API",
		`State cannot transition via "block"`,
	},
	{"unblock", "active", []string{"blocked"}, "Deactivated or banned users cannot be unblocked by the API", "", ""},
	{
		"deactivate", "deactivated", []string{"active"},
		"A blocked user cannot be deactivated by the API", "The API initiating user cannot be deactivated by the API", "",
	},
	{"activate", "active", []string{"deactivated"}, "A blocked user must be unblocked to be activated", "", ""},
	{
		"ban", "banned", []string{"active", "deactivated"},
		"You cannot ban blocked users.", "The API initiating user cannot be banned by the API", "",
	},
	{"unban", "active", []string{"banned"}, "You cannot unban users who are not banned.", "", ""},
}

// Do moves a user on behalf of by, and reports whether the user has the new state: not if another
// request changed it in between.
func (a StateAct) Do(ctx context.Context, st *db.Store, id int64, by tree.User) (bool, error) {
	u, err := tree.FindUser(ctx, st, id)
	switch {
	case err != nil:
		return false, err
	case a.self != "" && u.ID == by.ID:
		return false, fault.Forbidden(a.self)
	case u.State == a.to && a.already != "":
		return false, fault.Forbidden(a.already)
	case u.State == a.to:
		return true, nil
	case !slices.Contains(a.from, u.State):
		return false, fault.Forbidden(a.refusal)
	}
	return tree.SetUserState(ctx, st, u.ID, a.to, a.from...)
}

// pendingApproval is the state of users who signed up where administrators approve accounts.
const pendingApproval = "blocked_pending_approval"

// ApproveUser activates a user who is pending approval.
func ApproveUser(ctx context.Context, st *db.Store, id int64) error {
	if err := checkPending(ctx, st, id, "The user you are trying to approve is not pending approval"); err != nil {
		return err
	}
	_, err := tree.SetUserState(ctx, st, id, "active", pendingApproval)
	return err
}

// RejectUser removes a user who is pending approval.
func RejectUser(ctx context.Context, st *db.Store, id int64) error {
	if err := checkPending(ctx, st, id, "User does not have a pending request"); err != nil {
		return err
	}
	return RemoveUser(ctx, st, RemovalJob{ID: id})
}

func checkPending(ctx context.Context, st *db.Store, id int64, refusal string) error {
	u, err := tree.FindUser(ctx, st, id)
	if err == nil && u.State != pendingApproval {
		err = fault.Conflict(refusal)
	}
	return err
}
