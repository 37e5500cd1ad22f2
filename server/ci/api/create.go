package api

import (
	"context"
	"net/http"

	"hew/server/ci"
	"hew/server/ci/expression"
	"hew/server/fault"
	mergeapi "hew/server/merge/api"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// creation serves the routes that create pipelines. They wait for the files of the definition, some
// of which other hosts have.
type creation struct {
	*view.Site
	ci ci.Site
}

// createForRequest is to start a pipeline of a merge request: of the project, or of the fork that
// its branch is in. Whether the caller may in one of them is asked later.
var createForRequest = policy.Ability{
	Name: "create_merge_request_pipeline", Min: policy.Reporter, Public: true, Feature: policy.MergeRequests,
	Writes: true,
}

func (a creation) routes() []rest.Route {
	return []rest.Route{
		rest.Post("/projects/{id}/pipeline", scope.ForProject(policy.CreatePipeline), a.create).
			WithoutTransaction().Timeout(planTime),
		rest.Get("/projects/{id}/merge_requests/{merge_request_iid}/pipelines",
			mergeapi.ForRequest(policy.ReadPipeline), a.ofRequest),
		rest.Post("/projects/{id}/merge_requests/{merge_request_iid}/pipelines",
			mergeapi.ForRequest(createForRequest), a.forRequest).
			Status(http.StatusCreated).WithoutTransaction().Timeout(planTime),
	}
}

type newPipeline struct {
	Ref       string         `param:"ref,required"`
	Variables []newVariable  `param:"variables,array"`
	Inputs    map[string]any `param:"inputs"`
}

// newVariable is a variable that a pipeline is started with.
type newVariable struct {
	Key   string `param:"key,required"`
	Value string `param:"value"`
	Type  string `param:"variable_type" oneof:"env_var file"`
}

func (a creation) create(ctx context.Context, s scope.InProject, in newPipeline) (pipelineView, error) {
	inputs, err := ci.InputsOf(in.Inputs)
	if err != nil {
		return pipelineView{}, err
	}
	o := ci.Order{Project: s.Project.Project, By: s.Caller.User, Source: ci.ByAPI, Ref: in.Ref, Inputs: inputs}
	for _, v := range in.Variables {
		o.Variables = append(o.Variables, expression.Variable{Key: v.Key, Value: v.Value, File: v.Type == "file"})
	}
	return a.shown(ci.Create(ctx, s.Store, a.ci, o))
}

type requestPipelines struct{ rest.Paging }

// ofRequest lists the pipelines of the project for a merge request and for the commits of its
// versions.
func (a creation) ofRequest(
	ctx context.Context, s mergeapi.InRequest, in requestPipelines,
) (rest.List[basicPipeline], error) {
	page := scope.PageOf(in.Paging)
	page.Desc = true
	return rest.Pages(pipelineViews{a.Site}.basic)(
		ci.Pipelines(s.Store, s.Project.ID).List(ctx, page, ci.OfRequest(s.Request)))
}

// forRequest starts a pipeline of an open merge request, though its head has one already.
func (a creation) forRequest(ctx context.Context, s mergeapi.InRequest, _ struct{}) (pipelineView, error) {
	if !s.Request.IsOpen() || s.Request.Head.IsZero() || s.Request.Head == s.Request.Base {
		return pipelineView{}, fault.NotAllowed("")
	}
	o, err := ci.OrderForRequest(ctx, s.Store, s.Request, s.Caller.User)
	if err != nil {
		return pipelineView{}, err
	}
	return a.shown(ci.Create(ctx, s.Store, a.ci, o))
}

// shown shows a pipeline, or says why there is none.
func (a creation) shown(p ci.Pipeline, err error) (pipelineView, error) {
	if err != nil {
		return pipelineView{}, err
	}
	if p.YAMLErrors != nil {
		return pipelineView{}, fault.Invalid("base", *p.YAMLErrors)
	}
	return pipelineViews{a.Site}.view(p), nil
}
