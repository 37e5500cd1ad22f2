package api

import (
	"context"
	"slices"
	"time"

	"hew/server/group"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// accessRequests are memberships that users ask for (gaps §5.2), of groups and projects.
type accessRequests struct{ *view.Site }

func (a accessRequests) routes() []rest.Route {
	group := func(need policy.Ability) rest.Guard[roster] {
		return scope.As(scope.ForGroup(need), rosterOfGroup)
	}
	project := func(need policy.Ability) rest.Guard[roster] {
		return scope.As(scope.ForProject(need), rosterOfProject)
	}
	return slices.Concat(
		a.at("/groups/{id}/access_requests", group(requestGroup), group(adminGroupMember), group(policy.ReadGroup)),
		a.at("/projects/{id}/access_requests",
			project(requestProject), project(adminProjectMember), project(policy.ReadProject)),
	)
}

func (a accessRequests) at(path string, request, admin, read rest.Guard[roster]) []rest.Route {
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Post(path, request, a.create),
		rest.Put(path+"/{user_id}/approve", admin, a.approve).Status(201),
		rest.Delete(path+"/{user_id}", read, a.delete), // users may withdraw; RemoveAccessRequest checks the rest
	}
}

type accessRequestView struct {
	view.BasicUser
	RequestedAt time.Time `json:"requested_at"`
}

func (a accessRequests) view(q group.AccessRequest) accessRequestView {
	return accessRequestView{a.BasicUser(q.User), q.RequestedAt}
}

type accessRequestList struct{ rest.Paging }

func (a accessRequests) list(
	ctx context.Context, r roster, in accessRequestList,
) (rest.List[accessRequestView], error) {
	return rest.Pages(a.view)(group.AccessRequests(ctx, r.Store, r.Source, scope.PageOf(in.Paging)))
}

func (a accessRequests) create(ctx context.Context, r roster, _ rest.None) (accessRequestView, error) {
	return rest.Show(a.view)(group.RequestAccess(ctx, r.Store, r.Roster, r.Caller.User))
}

type accessApproval struct {
	UserID int64 `param:"user_id"`
	Level  int   `param:"access_level" default:"30"`
}

func (a accessRequests) approve(ctx context.Context, r roster, in accessApproval) (memberView, error) {
	role := group.Role{Level: in.Level}
	return rest.Show(memberViewer(a.Site, r))(group.ApproveAccess(ctx, r.Store, r.Roster, in.UserID, role))
}

func (accessRequests) delete(ctx context.Context, r roster, in memberID) (rest.None, error) {
	return rest.None{}, group.RemoveAccessRequest(ctx, r.Store, r.Roster, in.UserID, rest.Unmodified)
}
