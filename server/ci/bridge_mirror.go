package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/tree"
)

// mirrors is the strategy of a bridge that has the state of its pipeline as far as jobs can.
const mirrors = "mirror"

// strategy returns how a bridge follows its pipeline: depend, mirrors, or "" for not at all. A
// bridge that needs the pipeline of another project mirrors it.
func (d Definition) strategy() string {
	switch {
	case d.Options.UpstreamPipeline != "":
		return mirrors
	case d.Options.Trigger == nil:
		return ""
	}
	return d.Options.Trigger.Strategy
}

// followedBy returns the pipeline whose state a bridge mirrors: the last one of the default branch
// of the project that the bridge names. The pipeline remembers that it is followed.
func (s Site) followedBy(ctx context.Context, st *db.Store, b *bridge, by tree.User) (*int64, error) {
	var err error
	if b.lookup, err = s.lookup(ctx, st, b); err != nil {
		return nil, err
	}
	p, err := tree.ProjectFor(ctx, st, expression.Expand(b.definition.Options.UpstreamPipeline, b.lookup), by.ID)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound, err == nil && !can(by, policy.ReadProject, p):
		return nil, dropped("upstream_bridge_project_not_found")
	case err != nil:
		return nil, err
	case !can(by, policy.ReadPipeline, p):
		return nil, dropped("insufficient_upstream_permissions")
	}
	ids, err := db.Values[int64](ctx, st, `
		update pipelines set followed = true where id = (
			select t.id from pipelines t
			where t.project_id = @project and t.ref = @ref and not t.tag and t.merge_request_id is null
				and t.source <> 'parent_pipeline'
			order by t.id desc limit 1)
		returning id`, pgx.NamedArgs{"project": p.ID, "ref": p.Head})
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 || ids[0] == b.upstream.ID {
		return nil, dropped("upstream_bridge_project_not_found")
	}
	return &ids[0], nil
}

// followMirrored asks to give the bridges that mirror a pipeline its state.
type followMirrored struct {
	PipelineID int64 `json:"pipeline_id"`
}

// Kind implements jobs.Args.
func (followMirrored) Kind() string { return "follow_mirrored_pipeline" }

// mirrorFollowed gives the bridges that mirror a pipeline its state, one after the other: nobody
// holds two pipelines.
func mirrorFollowed(ctx context.Context, st *db.Store, task followMirrored) error {
	for last := int64(0); ; {
		list, err := db.Many[Job](ctx, st, selectJobs+`
			where t.followed_pipeline_id = @pipeline and t.id > @last and not t.retried order by t.id limit 100`,
			pgx.NamedArgs{"pipeline": task.PipelineID, "last": last})
		if err != nil || len(list) == 0 {
			return err
		}
		for _, j := range list {
			if err := followOf(ctx, st, j, task.PipelineID); fault.IgnoreNotFound(err) != nil {
				return err
			}
			last = j.ID
		}
	}
}
