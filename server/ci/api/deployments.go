package api

import (
	"context"
	"time"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// deployments are the routes of deployments (CI facts §2.3).
type deployments struct{ *view.Site }

func (a deployments) routes() []rest.Route {
	const path = "/projects/{id}/deployments"
	const one = path + "/{deployment_id}"
	read, write := scope.ForProject(readEnvironment), scope.ForProject(writeEnvironment)
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(one, read, a.show),
		rest.Post(path, write, a.create),
		rest.Put(one, write, a.update),
		rest.Delete(one, write, a.delete),
	}
}

// deploymentView is a deployment.
type deploymentView struct {
	ID          int64            `json:"id"`
	IID         int              `json:"iid"`
	Ref         string           `json:"ref"`
	SHA         string           `json:"sha"`
	Status      string           `json:"status"`
	CreatedAt   time.Time        `json:"created_at"`
	UpdatedAt   time.Time        `json:"updated_at"`
	User        *view.BasicUser  `json:"user"`
	Environment environmentBrief `json:"environment"`
	Deployable  *jobView         `json:"deployable"` // nil, too, for callers who see no jobs
}

// environmentBrief is the environment of a deployment.
type environmentBrief struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
	Slug        string  `json:"slug"`
	ExternalURL *string `json:"external_url"`
}

// views shows deployments with their jobs.
func (a deployments) views(
	ctx context.Context, s scope.InProject, list []ci.Deployment,
) ([]deploymentView, error) {
	jobs, err := a.deployables(ctx, s, list)
	shown := make([]deploymentView, len(list))
	for n, d := range list {
		e := d.Environment
		shown[n] = deploymentView{
			ID: d.ID, IID: d.IID, Ref: d.Ref, SHA: d.Commit.String(), Status: d.Status, CreatedAt: d.CreatedAt,
			UpdatedAt: d.UpdatedAt, User: a.Author(d.User),
			Environment: environmentBrief{e.ID, e.Name, e.Slug, e.ExternalURL},
		}
		if d.JobID != nil {
			shown[n].Deployable = jobs[*d.JobID]
		}
	}
	return shown, err
}

// deployables returns the jobs of deployments by their ids, if the caller sees jobs.
func (a deployments) deployables(
	ctx context.Context, s scope.InProject, list []ci.Deployment,
) (map[int64]*jobView, error) {
	var ids []int64
	for _, d := range list {
		ids = db.AppendNotNull(ids, d.JobID)
	}
	if ids == nil || !s.Can(policy.ReadPipeline) {
		return nil, nil
	}
	jobs, err := ci.JobsByID(ctx, s.Store, ids)
	if err != nil {
		return nil, err
	}
	shown, err := ViewJobs(ctx, s.Store, a.Site, s.Project.Project, jobs)
	byID := make(map[int64]*jobView, len(shown))
	for n := range shown {
		byID[shown[n].ID] = &shown[n]
	}
	return byID, err
}

// one shows a deployment, or passes on an error.
func (a deployments) one(
	ctx context.Context, s scope.InProject, d ci.Deployment, err error,
) (none deploymentView, _ error) {
	if err != nil {
		return none, err
	}
	shown, err := a.views(ctx, s, []ci.Deployment{d})
	if err != nil {
		return none, err
	}
	return shown[0], nil
}

type deploymentList struct {
	rest.Paging
	OrderBy        string     `param:"order_by" default:"id" oneof:"id iid created_at updated_at finished_at ref"`
	Sort           string     `param:"sort" default:"asc" oneof:"asc desc"`
	Environment    string     `param:"environment"`
	Status         string     `param:"status" oneof:"created running success failed canceled skipped blocked"`
	UpdatedAfter   *time.Time `param:"updated_after"`
	UpdatedBefore  *time.Time `param:"updated_before"`
	FinishedAfter  *time.Time `param:"finished_after"`
	FinishedBefore *time.Time `param:"finished_before"`
}

func (a deployments) list(
	ctx context.Context, s scope.InProject, in deploymentList,
) (rest.List[deploymentView], error) {
	f := ci.DeploymentFilter{
		Environment: in.Environment, Status: in.Status, UpdatedAfter: in.UpdatedAfter, UpdatedBefore: in.UpdatedBefore,
		FinishedAfter: in.FinishedAfter, FinishedBefore: in.FinishedBefore,
	}
	page := scope.PageOf(in.Paging)
	page.Order, page.Desc = in.OrderBy, in.Sort == "desc"
	list, total, err := ci.Deployments(s.Store, s.Project.ID).List(ctx, page, f.Within)
	if err != nil {
		return rest.List[deploymentView]{}, err
	}
	shown, err := a.views(ctx, s, list)
	return rest.Page(shown, total, err)
}

type deploymentID struct {
	ID int64 `param:"deployment_id"`
}

func (a deployments) show(ctx context.Context, s scope.InProject, in deploymentID) (deploymentView, error) {
	d, err := ci.Deployments(s.Store, s.Project.ID).One(ctx, db.ByID(in.ID))
	return a.one(ctx, s, d, err)
}

type deploymentNew struct {
	Environment string `param:"environment,required,notempty"`
	SHA         string `param:"sha,required"`
	Ref         string `param:"ref,required,notempty"`
	Tag         bool   `param:"tag,required"`
	Status      string `param:"status,required" oneof:"running success failed canceled"`
}

func (a deployments) create(ctx context.Context, s scope.InProject, in deploymentNew) (deploymentView, error) {
	id, err := object.ParseID(in.SHA)
	if err != nil {
		return deploymentView{}, fault.Invalid("sha", "is invalid")
	}
	d, err := ci.CreateDeployment(ctx, s.Store, ci.Deployment{
		ProjectID: s.Project.ID, UserID: &s.Caller.User.ID, Commit: id, Ref: in.Ref, Tag: in.Tag, Status: in.Status,
	}, in.Environment)
	return a.one(ctx, s, d, err)
}

type deploymentChange struct {
	deploymentID
	Status string `param:"status,required" oneof:"running success failed canceled"`
}

func (a deployments) update(ctx context.Context, s scope.InProject, in deploymentChange) (deploymentView, error) {
	d, err := ci.ChangeDeployment(ctx, s.Store, s.Project.ID, in.ID, in.Status)
	return a.one(ctx, s, d, err)
}

func (deployments) delete(ctx context.Context, s scope.InProject, in deploymentID) (rest.None, error) {
	return rest.None{}, ci.DeleteDeployment(ctx, s.Store, s.Project.ID, in.ID, rest.Unmodified)
}
