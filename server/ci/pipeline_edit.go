package ci

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
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
		return st.Exec(ctx, `
			with recursive parts as (
			    select @id::bigint as id
			    union
			    select c.id from parts
			      join jobs j on j.pipeline_id = parts.id and j.kind = 'bridge'
			      join pipelines c on c.upstream_job_id = j.id and c.source = 'parent_pipeline')
			delete from pipelines where id in (select id from parts)`, pgx.NamedArgs{"id": p.ID})
	})
}
