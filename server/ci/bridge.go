package ci

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/document"
	"hew/server/ci/expression"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// bridge is a job that starts a pipeline, of another project or a child of its own one.
type bridge struct {
	Job        Job
	definition Definition
	upstream   Pipeline
	include    *document.Node // of a child pipeline
	lookup     expression.Lookup
}

// dropped is why a bridge fails, in the words of the API (gaps §10.3).
type dropped string

// Error implements error.
func (d dropped) Error() string { return string(d) }

// start starts the pipeline of a bridge that waits for it, and gives the bridge its state: success
// at once unless its strategy makes it wait. What another try of the task did is not done again.
func (s Site) start(ctx context.Context, st *db.Store, task startDownstream) error {
	j, err := FindJob(ctx, st, task.JobID)
	if err != nil || j.Kind != Bridge || j.Status != status.Pending {
		return fault.IgnoreNotFound(err)
	}
	followed, err := s.startOf(ctx, st, j)
	var why dropped
	if err != nil && !errors.As(err, &why) {
		return err
	}
	return InPipeline(ctx, st, j.PipelineID, func(c *Change) error {
		held := c.Job(j.ID)
		if held == nil || held.Status != status.Pending {
			return nil
		}
		d, err := ReadDefinition(ctx, c.Store, *held)
		switch {
		case err != nil:
			return err
		case why != "":
			c.failByDefinition(held, d, Outcome{Reason: string(why)})
			return nil
		}
		c.Set(held, status.Running)
		if followed != nil {
			held.FollowedPipelineID = followed
			return c.follows(ctx, held, d, *followed)
		}
		if d.strategy() == "" {
			c.Set(held, status.Success)
		}
		return nil
	})
}

// startOf creates the pipeline of a bridge, or returns the one that it is to follow. The error is
// dropped if there can be none.
func (s Site) startOf(ctx context.Context, st *db.Store, j Job) (followed *int64, err error) {
	exists, err := db.Value[bool](ctx, st, `select exists (select from pipelines where upstream_job_id = @id)`,
		pgx.NamedArgs{"id": j.ID})
	if err != nil || exists {
		return nil, err
	}
	b := bridge{Job: j}
	if b.definition, err = ReadDefinition(ctx, st, j); err != nil {
		return nil, err
	}
	if b.upstream, err = FindPipeline(ctx, st, j.PipelineID); err != nil {
		return nil, err
	}
	by, err := b.user(ctx, st)
	if err != nil {
		return nil, err
	}
	if b.definition.Options.UpstreamPipeline != "" {
		return s.followedBy(ctx, st, &b, by)
	}
	order, err := s.downstream(ctx, st, &b, by)
	if err != nil {
		return nil, err
	}
	order.bridge = &b
	_, err = Create(ctx, st, s, order)
	var r refusal
	switch {
	case errors.As(err, &r):
		return nil, dropped("downstream_pipeline_creation_failed")
	case fault.CodeOf(err) == fault.CodeInvalid: // another try of the task was faster
		return nil, nil
	}
	return nil, err
}

// user returns the user who started the bridge, and so starts the downstream pipeline.
func (b *bridge) user(ctx context.Context, st *db.Store) (by tree.User, err error) {
	if b.Job.UserID == nil {
		return by, dropped("insufficient_bridge_permissions")
	}
	by, err = tree.FindUser(ctx, st, *b.Job.UserID)
	if fault.CodeOf(err) == fault.CodeNotFound || err == nil && by.State != "active" {
		err = dropped("insufficient_bridge_permissions")
	}
	return by, err
}
