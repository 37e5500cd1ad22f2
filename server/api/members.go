package api

import (
	"context"
	"slices"
	"time"

	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// members are the people of groups and projects (spec 2 §2.8 and §4.6, gaps §5.1). Both have the same routes with the
// same handlers behind them, which see neither a group nor a project but a roster.
type members struct{ *Site }

func (a members) routes() []rest.Route {
	return slices.Concat(
		a.at("/groups/{id}/members", as(a.group(policy.ReadGroupMember), InGroup.roster), as(a.group(policy.AdminGroupMember), InGroup.roster)),
		a.overrides(),
		a.at("/projects/{id}/members", as(a.project(policy.ReadProjectMember), InProject.roster), as(a.project(policy.AdminProjectMember), InProject.roster)),
	)
}

// overrides are the routes for members of groups who come from an LDAP server.
func (a members) overrides() []rest.Route {
	const path = "/groups/{id}/members/{user_id}/override"
	admin := as(a.group(policy.AdminGroupMember), InGroup.roster)
	return []rest.Route{
		rest.Post(path, admin, a.override(true)),
		rest.Delete(path, admin, a.override(false)).Status(200),
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
		rest.Delete(path+"/{user_id}", read, a.delete), // whoever is in may leave; for others it asks for more
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
	f := store.MemberFilter{Query: in.Query, UserIDs: in.UserIDs, SkipUsers: in.SkipUsers}
	page := pageOf(in.Paging)
	r.seats = in.ShowSeatInfo
	return rest.Pages(a.memberView(r))(r.Store.Members(ctx, r.Source, f, page))
}

type memberListAll struct {
	rest.Paging
	Query        string  `param:"query"`
	UserIDs      []int64 `param:"user_ids,comma"`
	ShowSeatInfo bool    `param:"show_seat_info"`
	State        string  `param:"state" oneof:"awaiting active"`
}

func (a members) listAll(ctx context.Context, r roster, in memberListAll) (rest.List[memberView], error) {
	f := store.MemberFilter{Query: in.Query, UserIDs: in.UserIDs, State: in.State, Viewer: r.viewer()}
	page := pageOf(in.Paging)
	r.seats = in.ShowSeatInfo
	return rest.Pages(a.memberView(r))(r.Store.AllMembers(ctx, r.Source, f, page))
}

type memberID struct {
	UserID int64 `param:"user_id"`
}

func (a members) show(ctx context.Context, r roster, in memberID) (memberView, error) {
	return rest.Show(a.memberView(r))(r.Store.Member(ctx, r.Source, in.UserID))
}

func (a members) showAny(ctx context.Context, r roster, in memberID) (memberView, error) {
	return rest.Show(a.memberView(r))(r.Store.AnyMember(ctx, r.Source, r.viewer(), in.UserID))
}

func (a members) override(on bool) rest.Handler[roster, memberID, memberView] {
	return func(ctx context.Context, r roster, in memberID) (memberView, error) {
		return rest.Show(a.memberView(r))(forge.OverrideMember(ctx, r.Store, r.Roster, in.UserID, on))
	}
}

type memberNew struct {
	UserIDs   []int64  `param:"user_id,comma"`
	Usernames []string `param:"username,comma"`
	memberRole
	_ struct{} `exactly:"user_id username"`
}

// memberMade is the answer about one user, or about several at once.
type memberMade struct {
	*memberView
	*membersAdded
}

// create adds one user and shows him, or several and says of each who cannot be added why not.
func (a members) create(ctx context.Context, r roster, in memberNew) (memberMade, error) {
	named := forge.Named{IDs: in.UserIDs, Usernames: in.Usernames}
	var role forge.Role
	in.into(&role)
	added, err := forge.AddMembers(ctx, r.Store, a.Jobs, r.Roster, named, role)
	switch {
	case err != nil:
		return memberMade{}, err
	case len(in.UserIDs)+len(in.Usernames) > 1:
		v := addedView(added)
		return memberMade{membersAdded: &v}, nil
	case added[0].Err != nil:
		return memberMade{}, added[0].Err
	}
	v := a.memberView(r)(added[0].Member)
	return memberMade{memberView: &v}, nil
}

type memberChange struct {
	UserID int64 `param:"user_id"`
	memberRole
}

func (a members) update(ctx context.Context, r roster, in memberChange) (memberView, error) {
	return rest.Show(a.memberView(r))(forge.ChangeMember(ctx, r.Store, a.Jobs, r.Roster, in.UserID, in.into))
}

type memberDelete struct {
	UserID            int64 `param:"user_id"`
	SkipSubresources  bool  `param:"skip_subresources"`
	UnassignIssuables bool  `param:"unassign_issuables"` // taken, and idle as long as there is nothing to be assigned to
}

func (a members) delete(ctx context.Context, r roster, in memberDelete) (rest.None, error) {
	return rest.None{}, forge.RemoveMember(ctx, r.Store, a.Jobs, r.Roster, forge.Departure{
		UserID: in.UserID, Stays: in.SkipSubresources,
		Unless: func(m store.Member) error { return rest.Unmodified(ctx, m.UpdatedAt) },
	})
}

// memberRole is what somebody becomes. An expires_at of null takes the expiry away.
type memberRole struct {
	Level      int                 `param:"access_level,required"`
	ExpiresAt  rest.Opt[time.Time] `param:"expires_at,date"`
	MemberRole *int64              `param:"member_role_id"`
}

func (in memberRole) into(r *forge.Role) {
	r.Level, r.CustomID = in.Level, in.MemberRole
	if in.ExpiresAt.Given() {
		r.ExpiresAt = store.DateOf(in.ExpiresAt.Or(time.Time{}))
	}
}
