package api

import (
	"context"
	"slices"
	"time"

	"hew/server/db"
	"hew/server/group"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// members are the members of groups and projects (spec 2 §2.8 and §4.6, gaps §5.1). Both share the
// handlers, whose scope is a roster.
type members struct{ *view.Site }

func (a members) routes() []rest.Route {
	return slices.Concat(
		a.at("/groups/{id}/members",
			scope.As(scope.ForGroup(readGroupMember), rosterOfGroup),
			scope.As(scope.ForGroup(adminGroupMember), rosterOfGroup)),
		a.overrides(),
		a.at("/projects/{id}/members",
			scope.As(scope.ForProject(readProjectMember), rosterOfProject),
			scope.As(scope.ForProject(adminProjectMember), rosterOfProject)),
	)
}

// overrides returns the routes for members of groups who come from an LDAP server.
func (a members) overrides() []rest.Route {
	const path = "/groups/{id}/members/{user_id}/override"
	admin := scope.As(scope.ForGroup(adminGroupMember), rosterOfGroup)
	return []rest.Route{
		rest.Post(path, admin, a.override(group.Overridden)),
		rest.Delete(path, admin, a.override(group.NotOverridden)).Status(200),
	}
}

func (a members) at(path string, read, admin rest.Guard[roster]) []rest.Route {
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(path+"/all", read, a.listAll),
		rest.Get(path+"/{user_id}", read, a.show),
		rest.Get(path+"/all/{user_id}", read, a.showAny),
		rest.Post(path, admin, a.create),
		rest.Put(path+"/{user_id}", admin, a.update),
		rest.Delete(path+"/{user_id}", read, a.delete), // members may leave; RemoveMember checks the rest
	}
}

type memberList struct {
	rest.Paging
	Query        string  `param:"query"`
	UserIDs      []int64 `param:"user_ids,comma"`
	SkipUsers    []int64 `param:"skip_users,comma"`
	ShowSeatInfo bool    `param:"show_seat_info"`
}

func (a members) list(ctx context.Context, r roster, in memberList) (rest.List[memberView], error) {
	f := group.MemberFilter{Query: in.Query, UserIDs: in.UserIDs, SkipUsers: in.SkipUsers}
	page := scope.PageOf(in.Paging)
	r.seats = in.ShowSeatInfo
	return rest.Pages(memberViewer(a.Site, r))(group.Members(ctx, r.Store, r.Source, f, page))
}

type memberListAll struct {
	rest.Paging
	Query        string  `param:"query"`
	UserIDs      []int64 `param:"user_ids,comma"`
	ShowSeatInfo bool    `param:"show_seat_info"`
	State        string  `param:"state" oneof:"awaiting active"`
}

func (a members) listAll(ctx context.Context, r roster, in memberListAll) (rest.List[memberView], error) {
	f := group.MemberFilter{Query: in.Query, UserIDs: in.UserIDs, State: in.State, Viewer: r.Viewer()}
	page := scope.PageOf(in.Paging)
	r.seats = in.ShowSeatInfo
	return rest.Pages(memberViewer(a.Site, r))(group.AllMembers(ctx, r.Store, r.Source, f, page))
}

type memberID struct {
	UserID int64 `param:"user_id"`
}

func (a members) show(ctx context.Context, r roster, in memberID) (memberView, error) {
	return rest.Show(memberViewer(a.Site, r))(group.FindMember(ctx, r.Store, r.Source, in.UserID))
}

func (a members) showAny(ctx context.Context, r roster, in memberID) (memberView, error) {
	return rest.Show(memberViewer(a.Site, r))(group.AnyMember(ctx, r.Store, r.Source, r.Viewer(), in.UserID))
}

func (a members) override(to group.Override) rest.Handler[roster, memberID, memberView] {
	return func(ctx context.Context, r roster, in memberID) (memberView, error) {
		return rest.Show(memberViewer(a.Site, r))(group.OverrideMember(ctx, r.Store, r.Roster, in.UserID, to))
	}
}

type memberNew struct {
	UserIDs   []int64  `param:"user_id,comma"`
	Usernames []string `param:"username,comma"`
	memberRole
	_ struct{} `exactly:"user_id username"`
}

// memberMade is the answer about one user or about several.
type memberMade struct {
	*memberView
	*membersAdded
}

// create adds one user and answers with the member, or several and answers with an error for each
// who was not added.
func (a members) create(ctx context.Context, r roster, in memberNew) (memberMade, error) {
	named := group.UserRefs{IDs: in.UserIDs, Usernames: in.Usernames}
	var role group.Role
	in.into(&role)
	added, err := group.AddMembers(ctx, r.Store, r.Roster, named, role)
	switch {
	case err != nil:
		return memberMade{}, err
	case len(in.UserIDs)+len(in.Usernames) > 1:
		v := addedView(added)
		return memberMade{membersAdded: &v}, nil
	case added[0].Err != nil:
		return memberMade{}, added[0].Err
	}
	v := memberViewer(a.Site, r)(added[0].Member)
	return memberMade{memberView: &v}, nil
}

type memberChange struct {
	UserID int64 `param:"user_id"`
	memberRole
}

func (a members) update(ctx context.Context, r roster, in memberChange) (memberView, error) {
	return rest.Show(memberViewer(a.Site, r))(group.ChangeMember(ctx, r.Store, r.Roster, in.UserID, in.into))
}

type memberDelete struct {
	UserID           int64 `param:"user_id"`
	SkipSubresources bool  `param:"skip_subresources"`
	// accepted without effect: there is nothing to be assigned to yet
	UnassignIssuables bool `param:"unassign_issuables"`
}

func (a members) delete(ctx context.Context, r roster, in memberDelete) (rest.None, error) {
	return rest.None{}, group.RemoveMember(ctx, r.Store, r.Roster, group.Departure{
		UserID: in.UserID, KeepBelow: in.SkipSubresources,
		Check: func(m group.Member) error { return rest.Unmodified(ctx, m.UpdatedAt) },
	})
}

// memberRole are the parameters of a role. An expires_at of null removes the expiry.
type memberRole struct {
	Level      int                 `param:"access_level,required"`
	ExpiresAt  rest.Opt[time.Time] `param:"expires_at,date"`
	MemberRole *int64              `param:"member_role_id"`
}

func (in memberRole) into(r *group.Role) {
	r.Level, r.CustomID = in.Level, in.MemberRole
	if in.ExpiresAt.Given() {
		r.ExpiresAt = db.DateOf(in.ExpiresAt.Or(time.Time{}))
	}
}
