package api

import (
	"context"
	"slices"
	"time"

	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// members are the people of groups and projects (spec 2 §2.8 and §4.6, gaps §5.1). Both have the same routes with the
// same handlers behind them, which see neither a group nor a project but a roster.
func (a *API) members() []rest.Route {
	return slices.Concat(
		a.membersAt("/groups/{id}/members", rosters(a.group(policy.ReadGroupMember)), rosters(a.group(policy.AdminGroupMember))),
		a.membersAt("/projects/{id}/members", rosters(a.project(policy.ReadProjectMember)), rosters(a.project(policy.AdminProjectMember))),
	)
}

func (a *API) membersAt(path string, read, admin rest.Guard[roster]) []rest.Route {
	return []rest.Route{
		rest.Get(path, read, a.listMembers),
		rest.Get(path+"/all", read, a.listAllMembers),
		rest.Get(path+"/{user_id}", read, a.getMember),
		rest.Get(path+"/all/{user_id}", read, a.getAnyMember),
		rest.Post(path, admin, a.addMember),
		rest.Put(path+"/{user_id}", admin, a.updateMember),
		rest.Delete(path+"/{user_id}", read, removeMember), // whoever is in may leave; for others it asks for more
	}
}

type listMembersIn struct {
	rest.Paging
	Query        string  `param:"query"`
	UserIDs      []int64 `param:"user_ids,comma"`
	SkipUsers    []int64 `param:"skip_users,comma"`
	ShowSeatInfo bool    `param:"show_seat_info"`
}

func (a *API) listMembers(ctx context.Context, r roster, in listMembersIn) (rest.List[memberView], error) {
	f := store.MemberFilter{Query: in.Query, UserIDs: in.UserIDs, SkipUsers: in.SkipUsers}
	page := store.Page{Limit: in.Limit(), Offset: in.Offset()}
	r.seats = in.ShowSeatInfo
	return rest.Pages(a.memberView(r))(r.Store.Members(ctx, r.source, f, page))
}

type listAllMembersIn struct {
	rest.Paging
	Query        string  `param:"query"`
	UserIDs      []int64 `param:"user_ids,comma"`
	ShowSeatInfo bool    `param:"show_seat_info"`
	State        string  `param:"state" oneof:"awaiting active"`
}

func (a *API) listAllMembers(ctx context.Context, r roster, in listAllMembersIn) (rest.List[memberView], error) {
	f := store.MemberFilter{Query: in.Query, UserIDs: in.UserIDs, State: in.State}
	page := store.Page{Limit: in.Limit(), Offset: in.Offset()}
	r.seats = in.ShowSeatInfo
	return rest.Pages(a.memberView(r))(r.Store.AllMembers(ctx, r.source, f, page))
}

type memberID struct {
	UserID int64 `param:"user_id"`
}

func (a *API) getMember(ctx context.Context, r roster, in memberID) (memberView, error) {
	return rest.Show(a.memberView(r))(r.Store.Member(ctx, r.source, in.UserID))
}

func (a *API) getAnyMember(ctx context.Context, r roster, in memberID) (memberView, error) {
	return rest.Show(a.memberView(r))(r.Store.AnyMember(ctx, r.source, in.UserID))
}

type addMemberIn struct {
	UserIDs   []int64  `param:"user_id,comma"`
	Usernames []string `param:"username,comma"`
	roleIn
	_ struct{} `exactly:"user_id username"`
}

// addMember adds one user and shows him, or several and says of each who cannot be added why not.
func (a *API) addMember(ctx context.Context, r roster, in addMemberIn) (any, error) {
	if err := in.check(r); err != nil {
		return nil, err
	}
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	named, err := r.Store.Candidates(ctx, r.source, in.UserIDs, in.Usernames)
	switch {
	case err != nil:
		return nil, err
	case len(in.UserIDs)+len(in.Usernames) > 1:
		return r.addAll(ctx, named, in.roleIn)
	case len(named) == 0: // user_id=
		named = []store.Candidate{{}}
	}
	return rest.Show(a.memberView(r))(r.add(ctx, named[0], in.roleIn))
}

type updateMemberIn struct {
	UserID int64 `param:"user_id"`
	roleIn
}

func (a *API) updateMember(ctx context.Context, r roster, in updateMemberIn) (memberView, error) {
	was, err := r.Store.Member(ctx, r.source, in.UserID)
	if err != nil {
		return memberView{}, err
	}
	if err := r.mayChange(was); err != nil {
		return memberView{}, err
	}
	if err := in.check(r); err != nil {
		return memberView{}, err
	}
	m := was
	m.AccessLevel = in.Level
	if in.ExpiresAt.Given() {
		m.ExpiresAt = in.expires()
	}
	return rest.Show(a.memberView(r))(r.replace(ctx, was, m))
}

type removeMemberIn struct {
	UserID            int64 `param:"user_id"`
	SkipSubresources  bool  `param:"skip_subresources"`
	UnassignIssuables bool  `param:"unassign_issuables"` // taken, and idle as long as there is nothing to be assigned to
}

func removeMember(ctx context.Context, r roster, in removeMemberIn) (rest.None, error) {
	m, err := r.Store.Member(ctx, r.source, in.UserID)
	if err != nil {
		return rest.None{}, err
	}
	if err := r.mayRemove(m); err != nil {
		return rest.None{}, err
	}
	if err := rest.Unmodified(ctx, m.UpdatedAt); err != nil {
		return rest.None{}, err
	}
	if err := r.keepOwner(ctx, m); err != nil {
		return rest.None{}, err
	}
	if err := r.Store.RemoveMember(ctx, m); err != nil || in.SkipSubresources {
		return rest.None{}, err
	}
	return rest.None{}, r.Store.RemoveMembersBelow(ctx, r.source, m.UserID)
}

// roleIn is what somebody becomes. An expires_at of null takes the expiry away.
type roleIn struct {
	Level      int                 `param:"access_level,required"`
	ExpiresAt  rest.Opt[time.Time] `param:"expires_at,date"`
	MemberRole *int64              `param:"member_role_id"`
}

func (in roleIn) expires() *store.Date { return store.DateOf(in.ExpiresAt.Or(time.Time{})) }
