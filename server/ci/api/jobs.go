package api

import (
	"context"

	"hew/server/auth"
	"hew/server/ci"
	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/view"
)

// jobs are the routes of jobs (spec 1 §4.2, gaps §10.1).
type jobs struct{ *view.Site }

func (a jobs) routes() []rest.Route {
	const path, one = "/projects/{id}/jobs", "/projects/{id}/jobs/{job_id}"
	const pipeline = "/projects/{id}/pipelines/{pipeline_id}"
	read, update := forJob(policy.ReadPipeline), forJob(updatePipeline)
	return []rest.Route{
		rest.Get(path, scope.Limited(setting.JobsListed, scope.ForProject(policy.ReadPipeline, auth.JobScope)), a.list),
		rest.Get(pipeline+"/jobs", forPipeline(policy.ReadPipeline, auth.JobScope), a.ofPipeline),
		rest.Get(pipeline+"/bridges", forPipeline(policy.ReadPipeline), a.bridges),
		rest.Get(one, read, a.show),
		rest.Post(one+"/play", update, a.play).Status(200),
		rest.Post(one+"/retry", update, a.retry),
		rest.Post(one+"/cancel", forJob(cancelPipeline), a.cancel),
		rest.Post(one+"/erase", update, a.erase),
	}
}

// jobScope narrows lists of jobs to states.
type jobScope struct {
	Scope []string `param:"scope,comma" oneof:"created waiting_for_resource preparing waiting_for_callback pending running success failed canceling canceled skipped manual scheduled"`
}

type jobList struct {
	rest.Keyset `of:"Ci::Build"`
	jobScope
	Cursor  scope.Cursor `param:"cursor"`
	OrderBy string       `param:"order_by" default:"id" oneof:"id"`
	Sort    string       `param:"sort" default:"desc" oneof:"asc desc"`
}

// list lists the jobs of all pipelines, the newest first.
func (a jobs) list(ctx context.Context, s scope.InProject, in jobList) (list rest.List[jobView], err error) {
	page := db.Page{Limit: in.Limit(), Offset: in.Offset(), ByKey: in.ByKey(), Order: "id", Desc: in.Sort == "desc"}
	if page.After, err = in.Cursor.Position(); err != nil {
		return list, err
	}
	found, total, err := ci.ListJobs(ctx, s.Store, s.Project.ID, page, ci.OfKind(ci.Build), ci.InStates(in.Scope))
	if list, err = a.page(ctx, s.Store, s.Project.Project, found, total, err); err != nil {
		return list, err
	}
	list.Next = rest.After(in.Keyset, found, func(j ci.Job) map[string]string {
		return scope.Next(db.Position{ID: j.ID})
	})
	return list, nil
}

type pipelineJobs struct {
	rest.Paging
	jobScope
	pipelineID
	IncludeRetried bool `param:"include_retried"`
}

func (a jobs) ofPipeline(ctx context.Context, s inPipeline, in pipelineJobs) (rest.List[jobView], error) {
	return a.inPipeline(ctx, s, in, ci.Build)
}

type pipelineBridges struct {
	rest.Paging
	jobScope
	pipelineID
}

func (a jobs) bridges(ctx context.Context, s inPipeline, in pipelineBridges) (rest.List[jobView], error) {
	return a.inPipeline(ctx, s, pipelineJobs{in.Paging, in.jobScope, in.pipelineID, false}, ci.Bridge)
}

// inPipeline lists the jobs of a kind in a pipeline, the newest first.
func (a jobs) inPipeline(
	ctx context.Context, s inPipeline, in pipelineJobs, kind string,
) (rest.List[jobView], error) {
	page := scope.PageOf(in.Paging)
	page.Desc = true
	found, total, err := ci.ListJobs(ctx, s.Store, s.Project.ID, page,
		ci.OfPipeline(s.Pipeline.ID, in.IncludeRetried), ci.OfKind(kind), ci.WithStatus(in.Scope))
	return a.page(ctx, s.Store, s.Project.Project, found, total, err)
}

type jobID struct {
	JobID int64 `param:"job_id"`
}

// show shows a job with a script: trigger jobs and the states that others report are not found.
func (a jobs) show(ctx context.Context, s inJob, _ jobID) (jobView, error) {
	if s.Job.Kind != ci.Build {
		return jobView{}, fault.NoRecord()
	}
	return a.one(ctx, s, s.Job, nil)
}

// mayRun returns nil if the caller may act on the job.
func (s inJob) mayRun(ctx context.Context) error {
	return mayRun(ctx, s.InProject, s.Job.Ref, s.Job.Tag, s.Job.Protected)
}

type jobPlay struct {
	jobID
	Variables []struct {
		Key   string `param:"key,required"`
		Value string `param:"value,required"`
	} `param:"job_variables_attributes"`
}

func (a jobs) play(ctx context.Context, s inJob, in jobPlay) (none jobView, err error) {
	if err := s.mayRun(ctx); err != nil {
		return none, err
	}
	var variables []expression.Variable
	for _, v := range in.Variables {
		variables = append(variables, expression.Variable{Key: v.Key, Value: v.Value})
	}
	if len(variables) > 0 && !ci.MaySetVariables(s.Project.Project, s.Who()) {
		return none, fault.Forbidden("Insufficient permissions to set pipeline variables")
	}
	j, err := ci.PlayJobWith(ctx, s.Store, s.Job, s.Caller.User, variables)
	return a.one(ctx, s, j, err)
}

func (a jobs) retry(ctx context.Context, s inJob, _ jobID) (none jobView, err error) {
	if err := s.mayRun(ctx); err != nil {
		return none, err
	}
	j, err := ci.RetryJob(ctx, s.Store, s.Job, s.Caller.User)
	return a.one(ctx, s, j, err)
}

type jobCancel struct {
	jobID
	Force bool `param:"force"`
}

// cancel cancels a job; one that is over is shown as it is. Only maintainers may take a job away
// from a runner that was told to stop.
func (a jobs) cancel(ctx context.Context, s inJob, in jobCancel) (none jobView, err error) {
	if err := mayCancel(ctx, s.InProject, s.Job.Ref, s.Job.Tag, s.Job.Protected); err != nil {
		return none, err
	}
	if in.Force && !s.Can(adminPipeline) {
		return none, fault.Forbidden("")
	}
	j, err := ci.CancelJob(ctx, s.Store, s.Job, in.Force)
	return a.one(ctx, s, j, err)
}

// erase removes what a job left behind: maintainers may, and the developer who started it.
func (a jobs) erase(ctx context.Context, s inJob, _ jobID) (none jobView, err error) {
	if err := s.mayRun(ctx); err != nil {
		return none, err
	}
	if own := s.Job.UserID != nil && *s.Job.UserID == s.Caller.ID(); !own && !s.Can(adminPipeline) {
		return none, fault.Forbidden("")
	}
	j, err := ci.EraseJob(ctx, s.Store, s.Job, s.Caller.User)
	return a.one(ctx, s, j, err)
}
