package api

import (
	"context"
	"net/http"
	"strconv"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
)

// inPipeline is the scope of a route of a pipeline.
type inPipeline struct {
	scope.InProject
	Pipeline ci.Pipeline
}

// inJob is the scope of a route of a job.
type inJob struct {
	scope.InProject
	Job ci.Job
}

// forPipeline returns a guard that finds the pipeline {pipeline_id} of the project of the path, and
// admits callers who have the ability on the project, with tokens of the scopes too.
func forPipeline(need policy.Ability, scopes ...string) rest.Guard[inPipeline] {
	in := func(p scope.InProject, found ci.Pipeline) inPipeline { return inPipeline{p, found} }
	return forHeld(need, "pipeline_id", ci.Pipelines, in, scopes...)
}

// forJob returns a guard that finds the job {job_id} of the project of the path, and admits callers
// who have the ability on the project, with tokens of the scopes too.
func forJob(need policy.Ability, scopes ...string) rest.Guard[inJob] {
	in := func(p scope.InProject, found ci.Job) inJob { return inJob{p, found} }
	held := forHeld(need, "job_id", ci.Jobs, in, scopes...)
	return rest.Guard[inJob]{Need: held.Need, Open: func(ctx context.Context, r *http.Request) (inJob, error) {
		s, err := held.Open(ctx, r)
		if e, ok := fault.From(err); ok && e.Code == fault.CodeNotFound && e.What == "Job" {
			err = fault.NoRecord()
		}
		return s, err
	}}
}

// forHeld returns a guard that finds what a wildcard names among the rows of the project of the
// path.
func forHeld[T, S any](
	need policy.Ability, wildcard string, of func(*db.Store, int64) db.Held[T], in func(scope.InProject, T) S,
	scopes ...string,
) rest.Guard[S] {
	project := scope.ForProject(need, scopes...)
	return rest.Guard[S]{Need: need.Name, Open: func(ctx context.Context, r *http.Request) (S, error) {
		var none S
		p, err := project.Open(ctx, r)
		if err != nil {
			return none, err
		}
		id, err := strconv.ParseInt(r.PathValue(wildcard), 10, 64)
		if err != nil {
			return none, fault.Param(wildcard + " is invalid")
		}
		found, err := of(p.Store, p.Project.ID).One(ctx, db.ByID(id))
		if err != nil {
			return none, err
		}
		return in(p, found), nil
	}}
}

// mayRun returns nil if the caller may act on pipelines of a ref, and a forbidden fault if not.
// What runs with what is kept for protected refs, though its own ref is not one (a merge request
// between two of them, or a ref that was one), takes a maintainer.
func mayRun(ctx context.Context, s scope.InProject, ref string, tag, protected bool) error {
	protection, err := protect.ReadProtection(ctx, s.Store, s.Project.ID, protect.Pusher{Who: s.Who()})
	if err != nil {
		return err
	}
	kind := refKind(tag)
	if !protection.MayRun(kind, ref) || protected && !protection.Protects(kind, ref) && !s.Can(adminPipeline) {
		return fault.Forbidden("")
	}
	return nil
}

func refKind(tag bool) protect.RefKind {
	if tag {
		return protect.Tag
	}
	return protect.Branch
}

// mayCancel returns nil if the caller may cancel pipelines of a ref, which the project can reserve
// for maintainers.
func mayCancel(ctx context.Context, s scope.InProject, ref string, tag, protected bool) error {
	switch s.Project.Settings.CIRestrictPipelineCancelRole {
	case "no_one":
		return fault.Forbidden("")
	case "maintainer":
		if !s.Can(adminPipeline) {
			return fault.Forbidden("")
		}
	}
	return mayRun(ctx, s, ref, tag, protected)
}
