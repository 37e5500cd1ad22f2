package api

import (
	"context"
	"slices"

	"hew/server/policy"
	"hew/server/project"
	"hew/server/release"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// groupReleases serves the releases of the projects of a group (more-2 §8.2).
type groupReleases struct{ *view.Site }

func (a groupReleases) routes() []rest.Route {
	return []rest.Route{rest.Get("/groups/{id}/releases", scope.ForGroup(policy.ReadGroup), a.list)}
}

type groupReleaseList struct {
	rest.Paging
	Sort   string `param:"sort" default:"desc" oneof:"asc desc"`
	Simple bool   `param:"simple"`
}

func (a groupReleases) list(ctx context.Context, s scope.InGroup, in groupReleaseList) (rest.List[any], error) {
	none := rest.List[any]{}
	page := scope.PageOf(in.Paging)
	page.Desc = in.Sort == "desc"
	viewer := release.Viewer{UserID: s.Caller.ID(), Open: scope.OpenTo(s.Caller), All: s.Caller.Admin()}
	list, total, err := release.InGroup(ctx, s.Store, s.Group.ID, viewer, page)
	if err != nil {
		return none, err
	}
	none.Total = total
	if in.Simple {
		for _, r := range list {
			none.Items = append(none.Items, basicViewOf(r))
		}
		return none, nil
	}
	at, err := placesOf(ctx, s, list)
	if err != nil {
		return none, err
	}
	list = slices.DeleteFunc(list, func(r release.Release) bool { // its project was removed meanwhile
		_, ok := at[r.ProjectID]
		return !ok
	})
	views, err := releaseViews{Site: a.Site}.of(ctx, s.Store, at, list)
	for _, v := range views {
		none.Items = append(none.Items, v)
	}
	return none, err
}

// placesOf returns the projects of releases, with what the caller may do in them.
func placesOf(ctx context.Context, s scope.InGroup, list []release.Release) (map[int64]place, error) {
	projects, err := release.ProjectsOf(ctx, s.Store, list)
	if err != nil {
		return nil, err
	}
	access, err := project.AccessTo(ctx, s.Store, projects, s.Caller.ID())
	at := make(map[int64]place, len(projects))
	for _, p := range projects {
		found := tree.FoundProject{Project: p, Level: access[p.ID].Level(), Pending: s.Group.Pending}
		at[p.ID] = place{p, scope.InProject{Anyone: s.Anyone, Project: found}.Can}
	}
	return at, err
}
