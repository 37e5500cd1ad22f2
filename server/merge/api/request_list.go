package api

import (
	"context"

	"hew/server/db"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// lists serves the lists of merge requests (spec 2 §4.2).
type lists struct{ *view.Site }

func (a lists) routes() []rest.Route {
	return []rest.Route{
		rest.Get("/merge_requests", scope.ForAnyone(), a.all),
		rest.Get("/groups/{id}/merge_requests", scope.ForGroup(policy.ReadGroup), a.inGroup),
		rest.Get("/projects/{id}/merge_requests", scope.ForProject(policy.ReadMergeRequest), a.inProject),
	}
}

type listHere struct {
	shape
	filters
	listScope
}

type listAll struct {
	listHere
	NonArchived bool `param:"non_archived" default:"true"`
}

// listed is a merge request as a list shows it: a requestView or a simpleView.
type listed any

// simpleView is a merge request as lists with view=simple show it.
type simpleView struct {
	requestCore
	WebURL string `json:"web_url"`
}

func (a lists) all(ctx context.Context, s scope.Anyone, in listAll) (rest.List[listed], error) {
	return a.list(ctx, s, in, db.Container{}, "", "created_by_me")
}

func (a lists) inGroup(ctx context.Context, s scope.InGroup, in listAll) (rest.List[listed], error) {
	return a.list(ctx, s.Anyone, in, s.Group.Container(), s.Group.FullPath, "all")
}

func (a lists) inProject(ctx context.Context, s scope.InProject, in listHere) (rest.List[listed], error) {
	return a.list(ctx, s.Anyone, listAll{listHere: in}, s.Project.Container(), s.Project.FullPath, "all")
}

// list lists merge requests in a place with a full path; unless is the scope if none is given.
func (a lists) list(
	ctx context.Context, s scope.Anyone, in listAll, at db.Container, path, unless string,
) (list rest.List[listed], err error) {
	f, err := in.filter(s)
	if err == nil {
		err = in.narrow(&f, s, unless)
	}
	if err != nil {
		return list, err
	}
	f.In, f.NonArchived = at, in.NonArchived
	page := scope.PageOf(in.Paging)
	page.Order, page.Desc = in.OrderBy, in.Sort == "desc"
	found, total, err := merge.List(ctx, s.Store, f, page)
	if err != nil {
		return list, err
	}
	if err == nil && in.Recheck {
		err = merge.AskRechecks(ctx, s.Store, f.Viewer, found)
	}
	if err != nil {
		return list, err
	}
	views := requestViews{Site: a.Site, from: path, details: in.Details}
	shown, err := a.shown(ctx, s, found, views, in.View == "simple")
	return rest.Page(shown, total, err)
}

// shown returns the views of merge requests for a caller.
func (a lists) shown(
	ctx context.Context, s scope.Anyone, found []merge.Request, views requestViews, simple bool,
) ([]listed, error) {
	list := make([]listed, len(found))
	if simple {
		for n, r := range found {
			list[n] = simpleView{coreOf(r), views.url(r)}
		}
		return list, nil
	}
	full, err := views.of(ctx, s, found)
	for n, v := range full {
		list[n] = v
	}
	return list, err
}
