package api

import (
	"context"
	"time"

	"hew/server/auth"
	"hew/server/ci"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// environments are the routes of environments (CI facts §2.3).
type environments struct{ *view.Site }

func (a environments) routes() []rest.Route {
	const path = "/projects/{id}/environments"
	const one = path + "/{environment_id}"
	read, write := scope.ForProject(readEnvironment, auth.JobScope), scope.ForProject(writeEnvironment, auth.JobScope)
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(one, read, a.show),
		rest.Post(path, write, a.create),
		rest.Put(one, write, a.update),
		rest.Delete(one, write, a.delete),
		rest.Post(one+"/stop", write, a.stop).Status(200),
	}
}

// environmentView is an environment in a list.
type environmentView struct {
	ID          int64      `json:"id"`
	Name        string     `json:"name"`
	Slug        string     `json:"slug"`
	ExternalURL *string    `json:"external_url"`
	State       string     `json:"state"`
	Tier        string     `json:"tier"`
	CreatedAt   time.Time  `json:"created_at"`
	UpdatedAt   time.Time  `json:"updated_at"`
	AutoStopAt  *time.Time `json:"auto_stop_at"`
}

func environmentViewOf(e ci.Environment) environmentView {
	return environmentView{
		ID: e.ID, Name: e.Name, Slug: e.Slug, ExternalURL: e.ExternalURL, State: e.State, Tier: e.Tier,
		CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt, AutoStopAt: e.AutoStopAt,
	}
}

// environmentShown is one environment, with the deployment that it has now.
type environmentShown struct {
	environmentView
	LastDeployment *deploymentView `json:"last_deployment"`
}

// one shows an environment with its last deployment.
func (a environments) one(
	ctx context.Context, s scope.InProject, e ci.Environment, err error,
) (environmentShown, error) {
	out := environmentShown{environmentView: environmentViewOf(e)}
	if err != nil {
		return out, err
	}
	last, err := ci.LastDeployment(ctx, s.Store, e.ID)
	if err != nil || last == nil {
		return out, err
	}
	shown, err := deployments(a).one(ctx, s, *last, nil)
	out.LastDeployment = &shown
	return out, err
}

type environmentList struct {
	rest.Paging
	Name   string `param:"name"`
	Search string `param:"search"`
	States string `param:"states" oneof:"available stopping stopped"`
}

// shortestSearch is how many characters a text has at least that is searched for.
const shortestSearch = 3

func (environments) list(
	ctx context.Context, s scope.InProject, in environmentList,
) (rest.List[environmentView], error) {
	if in.Search != "" && len([]rune(in.Search)) < shortestSearch {
		return rest.List[environmentView]{}, fault.BadRequest("Search query is less than 3 characters")
	}
	if in.Name != "" && in.Search != "" {
		return rest.List[environmentView]{}, fault.Param("name, search are mutually exclusive")
	}
	f := ci.EnvironmentFilter{Name: in.Name, Search: in.Search, State: in.States}
	return rest.Pages(environmentViewOf)(
		ci.Environments(s.Store, s.Project.ID).List(ctx, scope.PageOf(in.Paging), f.Within))
}

type environmentID struct {
	ID int64 `param:"environment_id"`
}

func (a environments) show(ctx context.Context, s scope.InProject, in environmentID) (environmentShown, error) {
	e, err := ci.Environments(s.Store, s.Project.ID).One(ctx, db.ByID(in.ID))
	return a.one(ctx, s, e, err)
}

type environmentFields struct {
	ExternalURL rest.Opt[*string] `param:"external_url"`
	Tier        rest.Opt[string]  `param:"tier" oneof:"production staging testing development other"`
}

func (in environmentFields) into(e *ci.Environment) error {
	in.ExternalURL.Into(&e.ExternalURL)
	if in.ExternalURL.IsNull() {
		e.ExternalURL = nil
	}
	e.Tier = in.Tier.Or(e.Tier)
	return nil
}

type environmentNew struct {
	Name string `param:"name,required"`
	environmentFields
}

func (a environments) create(ctx context.Context, s scope.InProject, in environmentNew) (environmentShown, error) {
	e, err := ci.CreateEnvironment(ctx, s.Store, s.Project.ID, in.Name, in.into)
	return a.one(ctx, s, e, err)
}

type environmentChange struct {
	environmentID
	environmentFields
}

func (a environments) update(
	ctx context.Context, s scope.InProject, in environmentChange,
) (environmentShown, error) {
	e, err := ci.ChangeEnvironment(ctx, s.Store, s.Project.ID, in.ID, in.into)
	return a.one(ctx, s, e, err)
}

func (environments) delete(ctx context.Context, s scope.InProject, in environmentID) (rest.None, error) {
	return rest.None{}, ci.DeleteEnvironment(ctx, s.Store, s.Project.ID, in.ID, rest.Unmodified)
}

type environmentStop struct {
	environmentID
	Force bool `param:"force"`
}

func (a environments) stop(ctx context.Context, s scope.InProject, in environmentStop) (environmentShown, error) {
	may := func(j ci.Job) error { return mayRun(ctx, s, j.Ref, j.Tag, j.Protected) }
	e, err := ci.StopEnvironment(ctx, s.Store, s.Project.ID, in.ID, s.Caller.User, in.Force, may)
	return a.one(ctx, s, e, err)
}
