package ci

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/ci/status"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/jobs"
	"hew/server/tree"
)

// StorePipeline stores a pipeline with jobs as they are given, whatever the project's definition
// says, and starts those that wait for nothing.
func StorePipeline(
	ctx context.Context, st *db.Store, p Pipeline, variables []expression.Variable, jobs []*definition.Job,
) (Pipeline, error) {
	if p.Status == "" {
		p.Status = status.Created
	}
	if p.CancelOlder == "" {
		p.CancelOlder = "conservative"
	}
	return plan{Pipeline: p, Variables: variables, Jobs: jobs}.store(ctx, st)
}

// maxPipelineName is how many characters the name of a pipeline has at most.
const maxPipelineName = 255

// RenamePipeline gives a pipeline another name; an empty one takes its name away.
func RenamePipeline(ctx context.Context, st *db.Store, p Pipeline, name string) (Pipeline, error) {
	if len([]rune(name)) > maxPipelineName {
		return p, fault.BadRequest("Failed to update pipeline - Name " + tooLong).In(fault.Text)
	}
	return Pipelines(st, p.ProjectID).Change(ctx, db.ByID(p.ID), db.Plain(func(p *Pipeline) error {
		p.Name = nil
		if name != "" {
			p.Name = &name
		}
		return nil
	}))
}

// RemovePipeline removes a pipeline with its jobs, and the pipelines that are part of it. It calls
// unless with the time of its last change, and removes nothing if that returns an error. Locks are
// taken from the pipeline down, and nobody who holds one of the others asks for one above it.
func RemovePipeline(
	ctx context.Context, st *db.Store, p Pipeline, unless func(ctx context.Context, changed time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		held, err := lockPipeline(ctx, st, p.ID)
		if err == nil {
			err = unless(ctx, held.UpdatedAt)
		}
		if err != nil {
			return err
		}
		parts, err := partsOf(ctx, st, p.ID)
		if err != nil {
			return err
		}
		if err := p.release(ctx, st, parts); err != nil {
			return err
		}
		if err := st.Exec(ctx, `delete from pipelines where id = any(@parts)`,
			pgx.NamedArgs{"parts": parts}); err != nil {
			return err
		}
		return jobs.Enqueue(ctx, st, sweepDefinitions{ProjectID: p.ProjectID})
	})
}

// withParts begins a query over the ids of @pipeline and of those that are part of it.
const withParts = `
	with recursive parts as (
	    select @pipeline::bigint as id
	    union
	    select c.id from parts
	      join jobs j on j.pipeline_id = parts.id and j.kind = 'bridge'
	      join pipelines c on c.upstream_job_id = j.id and c.source = 'parent_pipeline')`

// partsOf returns the ids of a pipeline and of those that are part of it.
func partsOf(ctx context.Context, st *db.Store, id int64) ([]int64, error) {
	return db.Values[int64](ctx, st, withParts+` select id from parts`, pgx.NamedArgs{"pipeline": id})
}

// release gives back what pipelines that are to be removed hold: their hidden refs, and the
// resource groups that their jobs have, or will have before the jobs of others.
func (p Pipeline) release(ctx context.Context, st *db.Store, parts []int64) error {
	groups, err := db.Values[int64](ctx, st, `
		select distinct resource_group_id from jobs
		where pipeline_id = any(@parts) and resource_group_id is not null
		  and status in ('created', 'scheduled', 'waiting_for_resource', 'pending', 'running', 'canceling')`,
		pgx.NamedArgs{"parts": parts})
	if err != nil {
		return err
	}
	var due []jobs.Args
	for _, id := range groups {
		due = append(due, assignResource{GroupID: id})
	}
	if err := jobs.Enqueue(ctx, st, due...); err != nil {
		return err
	}
	in, err := tree.FindProject(ctx, st, p.ProjectID)
	if err != nil {
		return err
	}
	refs := make(map[string]object.ID, len(parts))
	for _, id := range parts {
		refs[pipelineRef(id)] = object.ID{}
	}
	return code.SetHiddenRefs(ctx, st, in, refs)
}
