package api

import (
	"context"
	"net/http"
	"slices"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/rest"
	"hew/server/store"
)

// stateAction moves a user from one of the states to another (gaps §2.1); from any other state it is refused. A user
// who is there already stays there.
type stateAction struct {
	verb, to string
	from     []string
	refusal  string
	self     string // the refusal of somebody who means himself; empty: he may
}

var stateActions = []stateAction{
	{"block", "blocked", []string{"active", "deactivated"}, "User cannot be blocked in this state", "The API initiating user cannot be blocked by the API"},
	{"unblock", "active", []string{"blocked"}, "Deactivated or banned users cannot be unblocked by the API", ""},
	{"deactivate", "deactivated", []string{"active"}, "A blocked user cannot be deactivated by the API", "The API initiating user cannot be deactivated by the API"},
	{"activate", "active", []string{"deactivated"}, "A blocked user must be unblocked to be activated", ""},
	{"ban", "banned", []string{"active", "deactivated"}, "You cannot ban blocked users.", "The API initiating user cannot be banned by the API"},
	{"unban", "active", []string{"banned"}, "You cannot unban users who are not banned.", ""},
}

// userStates are the ways in and out of the API for a user.
type userStates struct{ *API }

func (a userStates) routes() []rest.Route {
	admin := a.admin()
	routes := []rest.Route{
		rest.Post("/users/{id}/approve", admin, a.approve),
		rest.Post("/users/{id}/reject", admin, a.reject),
	}
	for _, act := range stateActions {
		routes = append(routes, rest.Post("/users/{id}/"+act.verb, admin, act.serve))
	}
	return routes
}

func (act stateAction) serve(ctx context.Context, s Admin, in rest.ByID) (bool, error) {
	u, err := s.Store.User(ctx, in.ID)
	switch {
	case err != nil:
		return false, err
	case act.self != "" && u.ID == s.Caller.ID():
		return false, fault.Forbidden(act.self)
	case u.State == act.to:
		return true, nil
	case !slices.Contains(act.from, u.State):
		return false, fault.Forbidden(act.refusal)
	}
	return s.Store.SetUserState(ctx, u.ID, act.to, act.from...)
}

func (a userStates) approve(ctx context.Context, s Admin, in rest.ByID) (rest.Raw, error) {
	if _, err := a.pending(ctx, s, in.ID, "The user you are trying to approve is not pending approval"); err != nil {
		return nil, err
	}
	_, err := s.Store.SetUserState(ctx, in.ID, "active", "blocked_pending_approval")
	return success, err
}

// reject removes the user, who has nothing to keep.
func (a userStates) reject(ctx context.Context, s Admin, in rest.ByID) (rest.Raw, error) {
	u, err := a.pending(ctx, s, in.ID, "User does not have a pending request")
	if err != nil {
		return nil, err
	}
	return success, forge.RemoveUser(ctx, s.Store, a.Jobs, u.ID, false)
}

var success = rest.JSON(http.StatusCreated, map[string]string{"message": "Success"})

func (userStates) pending(ctx context.Context, s Admin, id int64, refusal string) (store.User, error) {
	u, err := s.Store.User(ctx, id)
	if err == nil && u.State != "blocked_pending_approval" {
		err = fault.Conflict(refusal)
	}
	return u, err
}
