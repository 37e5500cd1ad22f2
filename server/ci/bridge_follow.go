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
	d, err := ReadDefinition(ctx, st, j)
	if err != nil || d.Options.Trigger == nil || d.Options.Trigger.Strategy == "" {
		return err
	}
	return InPipeline(ctx, st, j.PipelineID, func(c *Change) error {
		held := c.Job(j.ID)
		if held == nil || !slices.Contains(following, held.Status) {
			return nil
		}
		now, err := FindPipeline(ctx, c.Store, p.ID) // under the lock: tasks may overtake each other
		if err != nil {
			return err
		}
		c.mirror(held, d, now.Status)
		return nil
	})
}

// following are the states in which a bridge follows its pipeline: those that the pipeline gave it,
// and not the one before it started or what somebody made of it.
var following = []status.Status{
	status.Running, status.Pending, status.Manual, status.Success, status.Failed, status.Skipped,
}

// mirror gives a bridge what the state of its pipeline means for it. One that mirrors has the same
// state as far as jobs can; others run until the pipeline is over.
func (c *Change) mirror(j *Job, d Definition, to status.Status) {
	all := d.Options.Trigger.Strategy == "mirror"
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
