package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// cancelParts asks to cancel the pipelines that are part of a pipeline.
type cancelParts struct {
	PipelineID int64 `json:"pipeline_id"`
}

// Kind implements jobs.Args.
func (cancelParts) Kind() string { return "cancel_child_pipelines" }

// cancelPartsOf cancels the pipelines that the jobs of one have started in the same project, one
// after the other: nobody holds two.
func cancelPartsOf(ctx context.Context, st *db.Store, task cancelParts) error {
	ids, err := db.Values[int64](ctx, st, `
		select c.id from jobs j join pipelines c on c.upstream_job_id = j.id
		where j.pipeline_id = @id and j.kind = 'bridge' and c.source = 'parent_pipeline'
		  and c.status not in ('success', 'failed', 'canceled', 'skipped')
		order by c.id`, pgx.NamedArgs{"id": task.PipelineID})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := CancelPipeline(ctx, st, id); err != nil {
			return err
		}
	}
	return nil
}
