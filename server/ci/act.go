package ci

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/tree"
)

// CancelPipeline cancels all jobs of a pipeline that can be, and soon those of the pipelines that
// are part of it.
func CancelPipeline(ctx context.Context, st *db.Store, id int64) error {
	return InPipeline(ctx, st, id, func(c *Change) error {
		for _, j := range c.Jobs {
			c.Cancel(j)
		}
		if slices.ContainsFunc(c.Jobs, func(j *Job) bool { return j.Kind == Bridge }) {
			return jobs.Enqueue(ctx, c.Store, cancelParts{PipelineID: id})
		}
		return nil
	})
}

// Cancel cancels a job, if it can be. A runner that stops jobs gracefully is told to, and has the
// job until it reports its end.
func (c *Change) Cancel(j *Job) {
	switch {
	case !j.Status.Cancelable():
	case j.Status == status.Running && j.Graceful:
		c.Set(j, status.Canceling)
	default:
		c.Set(j, status.Canceled)
	}
}

// RetryPipeline runs the jobs of a pipeline again that failed or were canceled, in their order, and
// those that were skipped for them.
func RetryPipeline(ctx context.Context, st *db.Store, id int64, by tree.User) error {
	return InPipeline(ctx, st, id, func(c *Change) error {
		var fresh []*Job
		for _, j := range slices.Clone(c.Jobs) {
			if j.retryable() && (j.Status == status.Failed || j.Status == status.Canceled) {
				fresh = append(fresh, c.Retry(j, &by.ID))
			}
		}
		c.revive(fresh...)
		return nil
	})
}

// RetryJob runs a job again at once and returns the new one that takes its place.
func RetryJob(ctx context.Context, st *db.Store, j Job, by tree.User) (Job, error) {
	err := InPipeline(ctx, st, j.PipelineID, func(c *Change) error {
		old := c.Job(j.ID)
		if old == nil || !old.retryable() {
			return fault.Forbidden("Job is not retryable")
		}
		c.start(c.Retry(old, &by.ID))
		return nil
	})
	if err != nil {
		return j, err
	}
	return newestJob(ctx, st, j.PipelineID, j.Name)
}

// retryable reports whether a job can be run again.
func (j Job) retryable() bool {
	return j.Kind != ExternalKind && !j.Retried && j.Status.Complete() && j.Status != status.Skipped
}

// Retry puts a new job in the place of an old one, for a user, and returns it. It has the variables
// that the old one was started with.
func (c *Change) Retry(old *Job, userID *int64) *Job {
	old.Retried = true
	fresh := &Job{
		ProjectID: old.ProjectID, PipelineID: old.PipelineID, Kind: old.Kind, Name: old.Name, Stage: old.Stage,
		StageIndex: old.StageIndex, Status: status.Created, Starts: old.Starts, AllowFailure: old.AllowFailure,
		StartIn: old.StartIn, ByNeeds: old.ByNeeds, Needs: old.Needs, Retries: old.Retries + 1,
		Interruptible: old.Interruptible, Protected: old.Protected, Tags: old.Tags, UserID: userID,
		DefinitionID: old.DefinitionID, ResourceGroupID: old.ResourceGroupID, EnvironmentID: old.EnvironmentID,
		Timeout: old.Timeout, EnvironmentURL: old.EnvironmentURL,
	}
	c.retired = append(c.retired, old)
	if c.retries == nil {
		c.retries = map[*Job]*Job{}
	}
	c.retries[fresh] = old
	c.Jobs[slices.Index(c.Jobs, old)] = fresh
	return fresh
}

// withdrawLeave takes from new jobs the leave to fail that an exit code gave the jobs before them: a
// job with exit codes in its definition has none before it fails.
func (c *Change) withdrawLeave(ctx context.Context) error {
	fresh := map[int64]*Job{}
	for j, old := range c.retries {
		if old.AllowFailure && old.ExitCode != nil && old.DefinitionID != nil {
			fresh[old.ID] = j
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	ids, err := db.Values[int64](ctx, c.Store, `
		select j.id from jobs j join job_definitions d on d.id = j.definition_id
		where j.id = any(@jobs) and d.definition ? 'allow_exit_codes'`,
		pgx.NamedArgs{"jobs": slices.Collect(maps.Keys(fresh))})
	for _, id := range ids {
		fresh[id].AllowFailure = false
	}
	return err
}

// PlayJob starts a job that waits for somebody, or for its time, and returns it.
func PlayJob(ctx context.Context, st *db.Store, j Job, by tree.User) (Job, error) {
	err := InPipeline(ctx, st, j.PipelineID, func(c *Change) error {
		held := c.Job(j.ID)
		if held == nil || held.Status != status.Manual && held.Status != status.Scheduled {
			return fault.BadRequest("Unplayable Job")
		}
		held.UserID = &by.ID
		c.start(held)
		return nil
	})
	if err != nil {
		return j, err
	}
	return FindJob(ctx, st, j.ID)
}

// start starts a job at once, whatever it would wait for.
func (c *Change) start(j *Job) {
	c.Set(j, status.Start(status.Job{When: status.OnSuccess, Exclusive: j.ResourceGroupID != nil}))
	c.revive(j)
}

// revive makes the jobs wait again that were skipped for jobs that run now.
func (c *Change) revive(started ...*Job) {
	stage, names := math.MaxInt, map[string]bool{}
	for _, j := range started {
		stage = min(stage, j.StageIndex)
		names[j.Name] = true
	}
	for again := true; again; {
		again = false
		for _, j := range c.Jobs {
			waits := j.StageIndex > stage
			if j.ByNeeds {
				waits = slices.ContainsFunc(j.Needs, func(name string) bool { return names[name] })
			}
			if waits && j.Status == status.Skipped {
				j.Status, j.FinishedAt = status.Created, nil
				names[j.Name] = true
				again = true
			}
		}
	}
}
