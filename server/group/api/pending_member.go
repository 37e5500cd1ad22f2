package api

import (
	"context"

	"hew/server/fault"
	"hew/server/group"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// pendingMembers are the members of top-level groups, and of what is below them, whose memberships
// await approval (gaps §5.1).
type pendingMembers struct{ *view.Site }

func (a pendingMembers) routes() []rest.Route {
	admin := scope.Unless(scope.ForGroup(adminGroupMember), notTopLevel)
	state := scope.As(admin, rosterOfGroup)
	return []rest.Route{
		rest.Get("/groups/{id}/pending_members", admin, a.list),
		rest.Put("/groups/{id}/members/{user_id}/state", state, a.setState),
		rest.Put("/groups/{id}/members/{member_id}/approve", state, a.approve),
		rest.Post("/groups/{id}/members/approve_all", state, a.approveAll),
	}
}

// notTopLevel returns the refusal of a group that is not at the top level.
func notTopLevel(_ context.Context, g scope.InGroup) error {
	if g.Group.ParentID != nil {
		return fault.BadRequest("")
	}
	return nil
}

type pendingMemberView struct {
	ID        int64   `json:"id"`
	Name      *string `json:"name,omitempty"` // only of users
	Username  *string `json:"username,omitempty"`
	Email     string  `json:"email"`
	AvatarURL *string `json:"avatar_url"`
	WebURL    *string `json:"web_url,omitempty"`
	Approved  bool    `json:"approved"`
	Invited   bool    `json:"invited"`
}

func (a pendingMembers) view(m group.PendingMember) pendingMemberView {
	v := pendingMemberView{ID: m.ID, Email: m.Email, Approved: m.Approved, Invited: m.Invited}
	if m.Person != nil {
		u := a.BasicUser(*m.Person)
		v.Name, v.Username, v.AvatarURL, v.WebURL = &u.Name, &u.Username, u.AvatarURL, &u.WebURL
	}
	return v
}

type pendingMemberList struct{ rest.Paging }

func (a pendingMembers) list(
	ctx context.Context, g scope.InGroup, in pendingMemberList,
) (rest.List[pendingMemberView], error) {
	return rest.Pages(a.view)(group.PendingMembers(ctx, g.Store, g.Group.Group, scope.PageOf(in.Paging)))
}

type memberState struct {
	UserID int64  `param:"user_id"`
	State  string `param:"state,required" oneof:"awaiting active"`
}

// success is the answer of routes that have nothing to show.
type success struct {
	Success bool `json:"success"`
}

func (pendingMembers) setState(ctx context.Context, r roster, in memberState) (success, error) {
	return success{true}, group.SetMembershipState(ctx, r.Store, r.Roster, in.UserID, in.State)
}

type membershipID struct {
	MemberID int64 `param:"member_id"`
}

func (pendingMembers) approve(ctx context.Context, r roster, in membershipID) (success, error) {
	return success{true}, group.ApproveMember(ctx, r.Store, r.Roster, in.MemberID)
}

func (pendingMembers) approveAll(ctx context.Context, r roster, _ rest.None) (success, error) {
	return success{true}, group.ApproveAllMembers(ctx, r.Store, r.Roster)
}
