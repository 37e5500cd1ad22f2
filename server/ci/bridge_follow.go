package ci

import (
	"context"
	"slices"

	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
)

// followUp gives a bridge that waits for the pipeline that it started the state of that.
func followUp(ctx context.Context, st *db.Store, task followDownstream) error {
	p, err := FindPipeline(ctx, st, task.PipelineID)
	if err != nil || p.UpstreamJobID == nil {
		return fault.IgnoreNotFound(err)
	}
	j, err := FindJob(ctx, st, *p.UpstreamJobID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	return followOf(ctx, st, j, p.ID)
}

// followOf gives a bridge the state of a pipeline, if its strategy says so.
func followOf(ctx context.Context, st *db.Store, j Job, pipelineID int64) error {
	d, err := ReadDefinition(ctx, st, j)
	if err != nil || d.strategy() == "" {
		return err
	}
	return InPipeline(ctx, st, j.PipelineID, func(c *Change) error {
		held := c.Job(j.ID)
		if held == nil || !slices.Contains(following, held.Status) {
			return nil
		}
		return c.follows(ctx, held, d, pipelineID)
	})
}

// follows gives a bridge the state that a pipeline has now: under the lock of the bridge, since
// tasks may overtake each other.
func (c *Change) follows(ctx context.Context, j *Job, d Definition, pipelineID int64) error {
	now, err := FindPipeline(ctx, c.Store, pipelineID)
	if err == nil {
		c.mirror(j, d, now.Status)
	}
	return err
}

// following are the states in which a bridge follows its pipeline: those that the pipeline gave it,
// and not the one before it started or what somebody made of it.
var following = []status.Status{
	status.Running, status.Pending, status.Manual, status.Success, status.Failed, status.Skipped,
}

// mirror gives a bridge what the state of its pipeline means for it. One that mirrors has the same
// state as far as jobs can; others run until the pipeline is over.
func (c *Change) mirror(j *Job, d Definition, to status.Status) {
	all := d.strategy() == mirrors
	switch {
	case to == status.Skipped && !all:
		to = status.Failed
	case !to.Complete() && (!all || to != status.Manual):
		to = status.Running
	}
	switch {
	case to == j.Status:
	case to == status.Failed:
		c.failByDefinition(j, d, Outcome{Reason: "unknown_failure"})
	default:
		c.Set(j, to)
		if !to.Complete() {
			j.FinishedAt, j.FailureReason = nil, nil
		}
	}
}
