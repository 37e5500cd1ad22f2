package api

import (
	"context"
	"slices"
	"time"

	"hew/server/db"
	"hew/server/group"
	"hew/server/rest"
	"hew/server/scope"
)

// invitations are memberships that wait for users to confirm an address (gaps §5.3), of groups and
// projects.
type invitations struct{}

func (a invitations) routes() []rest.Route {
	return slices.Concat(
		a.at("/groups/{id}/invitations", scope.As(scope.ForGroup(adminGroupMember), rosterOfGroup)),
		a.at("/projects/{id}/invitations", scope.As(scope.ForProject(adminProjectMember), rosterOfProject)),
	)
}

func (a invitations) at(path string, admin rest.Guard[roster]) []rest.Route {
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Post(path, admin, a.create),
		rest.Put(path+"/{email}", admin, a.update),
		rest.Delete(path+"/{email}", admin, a.delete),
	}
}

type invitationView struct {
	AccessLevel   int       `json:"access_level"`
	CreatedAt     time.Time `json:"created_at"`
	ExpiresAt     *db.Date  `json:"expires_at"`
	InviteEmail   string    `json:"invite_email"`
	InviteToken   string    `json:"invite_token"` // grants nothing: confirming the address accepts the invitation
	UserName      *string   `json:"user_name"`    // always null: nobody is known by an unconfirmed address
	CreatedByName *string   `json:"created_by_name"`
}

func invitationViewOf(i group.Invitation) invitationView {
	return invitationView{
		AccessLevel: i.AccessLevel, CreatedAt: i.CreatedAt, ExpiresAt: i.ExpiresAt, InviteEmail: i.Email,
		InviteToken: i.Token, CreatedByName: i.CreatedByName,
	}
}

type invitationList struct {
	rest.Paging
	Query string `param:"query"`
}

func (invitations) list(ctx context.Context, r roster, in invitationList) (rest.List[invitationView], error) {
	page := scope.PageOf(in.Paging)
	return rest.Pages(invitationViewOf)(group.Invitations(ctx, r.Store, r.Source, in.Query, page))
}

type invitationNew struct {
	Emails  []string `param:"email,comma"`
	UserIDs []int64  `param:"user_id,comma"`
	memberRole
	_ struct{} `atleast:"email user_id"`
}

// create answers with an error for each address or user that cannot be invited.
func (a invitations) create(ctx context.Context, r roster, in invitationNew) (membersAdded, error) {
	var role group.Role
	in.into(&role)
	done, err := group.Invite(ctx, r.Store, r.Roster, group.Invitees{IDs: in.UserIDs, Emails: in.Emails}, role)
	return addedView(done), err
}

type invitationChange struct {
	Email      string              `param:"email"`
	Level      rest.Opt[int]       `param:"access_level"`
	ExpiresAt  rest.Opt[time.Time] `param:"expires_at,date"` // null takes it away
	MemberRole *int64              `param:"member_role_id"`
	_          struct{}            `atleast:"access_level expires_at member_role_id"`
}

func (in invitationChange) into(r *group.Role) {
	r.Level, r.CustomID = in.Level.Or(r.Level), in.MemberRole
	if in.ExpiresAt.Given() {
		r.ExpiresAt = db.DateOf(in.ExpiresAt.Or(time.Time{}))
	}
}

func (invitations) update(ctx context.Context, r roster, in invitationChange) (invitationView, error) {
	return rest.Show(invitationViewOf)(group.ChangeInvitation(ctx, r.Store, r.Roster, in.Email, in.into))
}

type invitationID struct {
	Email string `param:"email"`
}

func (invitations) delete(ctx context.Context, r roster, in invitationID) (rest.None, error) {
	return rest.None{}, group.DeleteInvitation(ctx, r.Store, r.Roster, in.Email)
}
