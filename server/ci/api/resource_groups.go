package api

import (
	"context"
	"time"

	"hew/server/ci"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
)

// resourceGroups are the routes of what jobs share (CI facts §2.2).
type resourceGroups struct{}

func (a resourceGroups) routes() []rest.Route {
	const path = "/projects/{id}/resource_groups"
	const one = path + "/{resource_group_key}"
	read := scope.ForProject(readResourceGroup)
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(one, read, a.show),
		rest.Get(one+"/upcoming_jobs", read, a.upcoming),
		rest.Put(one, scope.ForProject(policy.CreatePipeline), a.update),
	}
}

type resourceGroupList struct{ rest.Paging }

func (resourceGroups) list(
	ctx context.Context, s scope.InProject, in resourceGroupList,
) (rest.List[ci.ResourceGroup], error) {
	return rest.Page(ci.ResourceGroups(s.Store, s.Project.ID).List(ctx, scope.PageOf(in.Paging)))
}

type resourceGroupKey struct {
	Key string `param:"resource_group_key"`
}

func (resourceGroups) show(ctx context.Context, s scope.InProject, in resourceGroupKey) (ci.ResourceGroup, error) {
	return ci.ResourceGroups(s.Store, s.Project.ID).One(ctx, ci.WithKey(in.Key))
}

type resourceGroupChange struct {
	resourceGroupKey
	ProcessMode string `param:"process_mode" oneof:"unordered oldest_first newest_first newest_ready_first"`
}

func (resourceGroups) update(
	ctx context.Context, s scope.InProject, in resourceGroupChange,
) (ci.ResourceGroup, error) {
	return ci.ChangeResourceGroup(ctx, s.Store, s.Project.ID, in.Key, in.ProcessMode)
}

type upcomingList struct {
	rest.Paging
	resourceGroupKey
}

// upcomingView is a job that waits for a resource group.
type upcomingView struct {
	ID        int64     `json:"id"`
	Status    string    `json:"status"`
	Stage     string    `json:"stage"`
	Name      string    `json:"name"`
	Ref       string    `json:"ref"`
	Tag       bool      `json:"tag"`
	CreatedAt time.Time `json:"created_at"`
}

func upcomingViewOf(j ci.Job) upcomingView {
	return upcomingView{j.ID, string(j.Status), j.Stage, j.Name, j.Ref, j.Tag, j.CreatedAt}
}

func (resourceGroups) upcoming(
	ctx context.Context, s scope.InProject, in upcomingList,
) (rest.List[upcomingView], error) {
	g, err := ci.ResourceGroups(s.Store, s.Project.ID).One(ctx, ci.WithKey(in.Key))
	if err != nil {
		return rest.List[upcomingView]{}, err
	}
	return rest.Pages(upcomingViewOf)(g.Upcoming(ctx, s.Store, scope.PageOf(in.Paging)))
}
