package api

import (
	"context"
	"strings"

	"hew/server/ci"
	"hew/server/rest"
)

// again shows the pipeline as it is after an act.
func (a pipelines) again(ctx context.Context, s inPipeline, err error) (pipelineView, error) {
	p := s.Pipeline
	if err == nil {
		p, err = ci.FindPipeline(ctx, s.Store, p.ID)
	}
	return rest.Show(a.views().view)(p, err)
}

func (a pipelines) retry(ctx context.Context, s inPipeline, _ pipelineID) (pipelineView, error) {
	err := mayRun(ctx, s.InProject, s.Pipeline.Ref, s.Pipeline.Tag, s.Pipeline.Protected)
	if err == nil {
		err = ci.RetryPipeline(ctx, s.Store, s.Pipeline.ID, s.Caller.User)
	}
	return a.again(ctx, s, err)
}

func (a pipelines) cancel(ctx context.Context, s inPipeline, _ pipelineID) (pipelineView, error) {
	err := mayCancel(ctx, s.InProject, s.Pipeline.Ref, s.Pipeline.Tag, s.Pipeline.Protected)
	if err == nil {
		err = ci.CancelPipeline(ctx, s.Store, s.Pipeline.ID)
	}
	return a.again(ctx, s, err)
}

type pipelineName struct {
	pipelineID
	Name string `param:"name,required"`
}

func (a pipelines) rename(ctx context.Context, s inPipeline, in pipelineName) (none pipelineView, err error) {
	if err := mayRun(ctx, s.InProject, s.Pipeline.Ref, s.Pipeline.Tag, s.Pipeline.Protected); err != nil {
		return none, err
	}
	return rest.Show(a.views().view)(ci.RenamePipeline(ctx, s.Store, s.Pipeline, strings.TrimSpace(in.Name)))
}

func (pipelines) delete(ctx context.Context, s inPipeline, _ pipelineID) (rest.None, error) {
	return rest.None{}, ci.RemovePipeline(ctx, s.Store, s.Pipeline, rest.Unmodified)
}
