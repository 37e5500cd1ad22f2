package api

import (
	"context"
	"time"

	"hew/server/activity"
	"hew/server/db"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
	"hew/server/work"
)

// events serves what users did (more §4).
type events struct{ *view.Site }

func (a events) routes() []rest.Route {
	return []rest.Route{
		rest.Get("/events", scope.ForSigned("read_user"), a.ofCaller),
		rest.Get("/users/{user_id}/events", scope.ForAnyone("read_user"), a.ofUser),
		rest.Get("/projects/{id}/events", scope.ForProject(policy.ReadProject), a.inProject),
	}
}

// eventList are the parameters of all lists.
type eventList struct {
	rest.Paging
	Action     string     `param:"action" oneof:"created updated closed reopened pushed commented merged joined left destroyed expired approved"`
	TargetType string     `param:"target_type" oneof:"issue milestone merge_request note project snippet user wiki design"`
	Before     *time.Time `param:"before,date"`
	After      *time.Time `param:"after,date"`
	Sort       string     `param:"sort" default:"desc" oneof:"asc desc"`
}

func (in eventList) filter(s scope.Anyone) activity.Filter {
	f := activity.Filter{
		Viewer: work.Viewer{UserID: s.Caller.ID(), Open: scope.OpenTo(s.Caller), All: s.Caller.Admin()},
		Action: activity.Action(in.Action), TargetType: in.TargetType,
	}
	if in.Before != nil {
		f.Before = db.DateOf(*in.Before)
	}
	if in.After != nil {
		f.After = db.DateOf(*in.After)
	}
	return f
}

func (a events) list(
	ctx context.Context, s scope.Anyone, f activity.Filter, in eventList,
) (rest.List[eventView], error) {
	page := scope.PageOf(in.Paging)
	page.Desc = in.Sort == "desc"
	return rest.Pages(a.view)(activity.List(ctx, s.Store, f, page))
}

type callersEvents struct {
	eventList
	Scope string `param:"scope" oneof:"all"`
}

// ofCaller lists what the caller did or, with the scope all, what anybody did in projects that the
// caller is a member of.
func (a events) ofCaller(ctx context.Context, s scope.Signed, in callersEvents) (rest.List[eventView], error) {
	f := in.filter(s.Anyone)
	if f.Mine = in.Scope == "all"; !f.Mine {
		f.AuthorID = s.Caller.ID()
	}
	return a.list(ctx, s.Anyone, f, in.eventList)
}

type usersEvents struct {
	eventList
	User string `param:"user_id"`
}

// ofUser lists what a user did, nothing if their profile is private.
func (a events) ofUser(ctx context.Context, s scope.Anyone, in usersEvents) (rest.List[eventView], error) {
	u, err := tree.UserByRef(ctx, s.Store, in.User)
	if err != nil {
		return rest.List[eventView]{}, err
	}
	if u.PrivateProfile && u.ID != s.Caller.ID() && !s.Caller.Admin() {
		return rest.List[eventView]{}, nil
	}
	f := in.filter(s)
	f.AuthorID = u.ID
	return a.list(ctx, s, f, in.eventList)
}

func (a events) inProject(ctx context.Context, s scope.InProject, in eventList) (rest.List[eventView], error) {
	f := in.filter(s.Anyone)
	f.ProjectID = s.Project.ID
	return a.list(ctx, s.Anyone, f, in)
}
