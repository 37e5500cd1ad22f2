package api

import (
	"context"
	"slices"
	"time"

	"hew/server/auth"
	"hew/server/ci"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// pipelines are the routes of pipelines that exist (spec 1 §4.3, gaps §10.2).
type pipelines struct{ *view.Site }

func (a pipelines) routes() []rest.Route {
	const path, one = "/projects/{id}/pipelines", "/projects/{id}/pipelines/{pipeline_id}"
	read, update := forPipeline(policy.ReadPipeline), forPipeline(updatePipeline)
	return []rest.Route{
		rest.Get(path, scope.ForProject(policy.ReadPipeline), a.list),
		rest.Get(path+"/latest", scope.ForProject(policy.ReadPipeline), a.latest),
		rest.Get(one, read, a.show),
		rest.Get(one+"/variables", read, a.listVariables),
		rest.Post(one+"/retry", update, a.retry),
		rest.Post(one+"/cancel", forPipeline(cancelPipeline), a.cancel).Status(200),
		rest.Put(one+"/metadata", forPipeline(updatePipeline, auth.JobScope), a.rename),
		rest.Delete(one, forPipeline(deletePipeline), a.delete),
		rest.Get(one+"/test_report", read, a.testReport),
		rest.Get(one+"/test_report_summary", read, a.testReportSummary),
	}
}

func (a pipelines) views() pipelineViews { return pipelineViews(a) }

type pipelineList struct {
	rest.Keyset   `of:"Ci::Pipeline"`
	Cursor        scope.Cursor `param:"cursor"`
	Scope         string       `param:"scope" oneof:"running pending finished branches tags"`
	Status        string       `param:"status" oneof:"created waiting_for_resource preparing waiting_for_callback pending running success failed canceling canceled skipped manual scheduled"`
	Source        string       `param:"source" oneof:"api chat external external_pull_request_event merge_request_event ondemand_dast_scan ondemand_dast_validation parent_pipeline pipeline push schedule security_orchestration_policy trigger web webide"`
	Ref           string       `param:"ref"`
	SHA           string       `param:"sha"`
	Name          string       `param:"name"`
	Username      string       `param:"username"`
	YAMLErrors    *bool        `param:"yaml_errors"`
	UpdatedBefore *time.Time   `param:"updated_before"`
	UpdatedAfter  *time.Time   `param:"updated_after"`
	CreatedBefore *time.Time   `param:"created_before"`
	CreatedAfter  *time.Time   `param:"created_after"`
	OrderBy       string       `param:"order_by" default:"id" oneof:"id status ref updated_at user_id"`
	Sort          string       `param:"sort" default:"desc" oneof:"asc desc"`
}

// filter returns what the parameters select, and whether anything can be.
func (in pipelineList) filter() (f ci.PipelineFilter, some bool) {
	f = ci.PipelineFilter{
		Scope: in.Scope, Status: in.Status, Source: ci.Source(in.Source), Ref: in.Ref, Name: in.Name,
		Username: in.Username, Invalid: in.YAMLErrors, UpdatedBefore: in.UpdatedBefore, UpdatedAfter: in.UpdatedAfter,
		CreatedBefore: in.CreatedBefore, CreatedAfter: in.CreatedAfter,
	}
	if in.SHA != "" {
		id, err := object.ParseID(in.SHA)
		if err != nil {
			return f, false
		}
		f.Commit = &id
	}
	return f, true
}

func (a pipelines) list(
	ctx context.Context, s scope.InProject, in pipelineList,
) (list rest.List[basicPipeline], err error) {
	f, some := in.filter()
	if !some {
		return list, nil
	}
	page := db.Page{
		Limit: in.Limit(), Offset: in.Offset(), ByKey: in.ByKey(), Order: in.OrderBy, Desc: in.Sort == "desc",
	}
	if page.ByKey && page.Order != "id" {
		return list, rest.NoKeyset()
	}
	if page.After, err = in.Cursor.Position(); err != nil {
		return list, err
	}
	found, total, err := ci.ListPipelines(ctx, s.Store, s.Project.ID, f, page)
	if list, err = rest.Pages(a.views().basic)(found, total, err); err != nil {
		return list, err
	}
	list.Next = rest.After(in.Keyset, found, func(p ci.Pipeline) map[string]string {
		return scope.Next(db.Position{ID: p.ID})
	})
	return list, nil
}

type pipelineLatest struct {
	Ref string `param:"ref"`
}

// latest returns the newest pipeline of the newest commit of a branch or tag. If there is none, or
// no such ref, the answer is that the caller may not see it.
func (a pipelines) latest(ctx context.Context, s scope.InProject, in pipelineLatest) (none pipelineView, err error) {
	ref := in.Ref
	if ref == "" {
		ref = s.Project.Head
	}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return none, err
	}
	commit, err := g.Resolve(ctx, "Commit", ref)
	var p ci.Pipeline
	if err == nil {
		p, err = ci.LatestPipeline(ctx, s.Store, s.Project.ID, ref, commit)
	}
	if slices.Contains([]fault.Code{fault.CodeNotFound, fault.CodeInvalid}, fault.CodeOf(err)) {
		err = fault.Forbidden("")
	}
	return rest.Show(a.views().view)(p, err)
}

type pipelineID struct {
	PipelineID int64 `param:"pipeline_id"`
}

func (a pipelines) show(_ context.Context, s inPipeline, _ pipelineID) (pipelineView, error) {
	return a.views().view(s.Pipeline), nil
}

type variableShown struct {
	Key   string `json:"key"`
	Type  string `json:"variable_type"`
	Value string `json:"value"`
	Raw   bool   `json:"raw"`
}

// listVariables lists the variables that the pipeline was started with, to maintainers and to the
// developer who started it.
func (pipelines) listVariables(ctx context.Context, s inPipeline, _ pipelineID) ([]variableShown, error) {
	own := s.Pipeline.UserID != nil && *s.Pipeline.UserID == s.Caller.ID() && s.Can(updatePipeline)
	if !own && !s.Can(adminPipeline) {
		return nil, fault.Forbidden("")
	}
	list, err := ci.PipelineVariables(ctx, s.Store, s.Pipeline.ID)
	shown := make([]variableShown, len(list))
	for n, v := range list {
		shown[n] = variableShown{Key: v.Key, Type: "env_var", Value: v.Value, Raw: v.Raw}
		if v.File {
			shown[n].Type = "file"
		}
	}
	return shown, err
}
