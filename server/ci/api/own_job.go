package api

import (
	"context"
	"net/http"

	"hew/server/auth"
	"hew/server/ci"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/tree"
)

// ownRoutes returns the route by which a job reads itself (gaps §10.1).
func (a jobs) ownRoutes() []rest.Route {
	return []rest.Route{rest.Get("/job", byJobToken(), a.showOwn)}
}

// byJobToken admits a job that runs. Others have no job of their own.
func byJobToken() rest.Guard[runnerJob] {
	open := func(ctx context.Context, _ *http.Request) (s runnerJob, err error) {
		caller := auth.From(ctx)
		switch {
		case caller.JobToken == nil && caller.Known():
			return s, fault.NotFound("Job")
		case caller.JobToken == nil:
			return s, fault.Unauthorized()
		}
		s.Store = db.From(ctx)
		s.Job, err = ci.FindJob(ctx, s.Store, caller.JobToken.JobID)
		return s, err
	}
	return rest.Guard[runnerJob]{Need: "job_token", Open: open}
}

// showOwn shows the job whose token the request has.
func (a jobs) showOwn(ctx context.Context, s runnerJob, _ rest.None) (none jobView, _ error) {
	p, err := tree.FindProject(ctx, s.Store, s.Job.ProjectID)
	if err != nil {
		return none, err
	}
	shown, err := ViewJobs(ctx, s.Store, a.Site, p, []ci.Job{s.Job})
	if err != nil {
		return none, err
	}
	return shown[0], nil
}
