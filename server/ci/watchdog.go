package ci

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
)

// The limits after which a job counts as abandoned (gaps §10.3).
const (
	stuckAfter   = 24 * time.Hour  // of waiting for a runner a job fails
	lostAfter    = time.Hour       // without a word of its runner a job fails
	unheardAfter = 5 * time.Minute // in which its runner said nothing at all a job waits again
	timeoutGrace = 5 * time.Minute // in which a runner ends a job itself that takes too long
	staleAfter   = time.Hour       // of being late a delayed job fails
	watchEvery   = time.Minute
	maxWatched   = 500 // jobs of one kind at once
)

// watchJobs asks to end abandoned jobs.
type watchJobs struct{ jobs.Sole }

// Kind implements jobs.Args.
func (watchJobs) Kind() string { return "watch_jobs" }

// startDelayed asks to start a delayed job that is due.
type startDelayed struct {
	jobs.At
	JobID int64 `json:"job_id"`
}

// Kind implements jobs.Args.
func (startDelayed) Kind() string { return "start_delayed_job" }

// watch is a reason to look at a job, and what to do then.
type watch struct {
	condition string // of jobs t
	do        func(context.Context, *Change, *Job) error
}

var watches = []watch{
	{`t.status = 'pending' and t.kind = 'build' and t.queued_at < @stuck`, failFor("stuck_or_timeout_failure")},
	{`t.status in ('running', 'canceling') and t.kind = 'build' and t.contacted_at is not null
		and t.contacted_at < @lost`, failFor("stuck_or_timeout_failure")},
	{`t.status in ('running', 'canceling') and t.kind = 'build' and t.contacted_at is null
		and t.started_at < @unheard`, requeueUnheard},
	{`t.status in ('running', 'canceling') and t.kind = 'build'
		and t.started_at + make_interval(secs => t.timeout) < @grace`, failFor("job_execution_timeout")},
	{`t.status = 'scheduled' and t.scheduled_at < @stale`, failFor("stale_schedule")},
	{`t.status = 'scheduled' and t.scheduled_at <= @now`, startDue},
}

func failFor(reason string) func(context.Context, *Change, *Job) error {
	return func(ctx context.Context, c *Change, j *Job) error {
		if j.Status == status.Canceling {
			c.Set(j, status.Canceled)
			return nil
		}
		d, err := ReadDefinition(ctx, c.Store, *j)
		if err == nil {
			c.failByDefinition(j, d, Outcome{Reason: reason})
		}
		return err
	}
}

// requeueUnheard makes a job wait again whose answer its runner never got: the process that gave it
// died, or the connection did. A runner writes to the trace in its first seconds.
func requeueUnheard(_ context.Context, c *Change, j *Job) error {
	if j.Status == status.Canceling {
		c.Set(j, status.Canceled)
		return nil
	}
	c.requeue(j)
	return nil
}

func startDue(_ context.Context, c *Change, j *Job) error {
	c.start(j)
	return nil
}

// WatchJobs ends the jobs that are abandoned at a time, and starts delayed ones that are due.
func WatchJobs(ctx context.Context, st *db.Store, now time.Time) error {
	return watchJobsIn(ctx, st, now, nil)
}

// watchJobsIn does that for the jobs of one pipeline; nil is all.
func watchJobsIn(ctx context.Context, st *db.Store, now time.Time, pipelineID *int64) error {
	args := pgx.NamedArgs{
		"now": now, "stuck": now.Add(-stuckAfter), "lost": now.Add(-lostAfter), "unheard": now.Add(-unheardAfter),
		"grace": now.Add(-timeoutGrace), "stale": now.Add(-staleAfter), "most": maxWatched, "pipeline": pipelineID,
	}
	for _, w := range watches {
		if err := w.apply(ctx, st, args); err != nil {
			return err
		}
	}
	return nil
}

// apply does what there is to do for the jobs of a watch. Each is looked at again with the lock of
// its pipeline.
func (w watch) apply(ctx context.Context, st *db.Store, args pgx.NamedArgs) error {
	const from = `select t.id, t.pipeline_id from jobs t where `
	list, err := db.Many[jobPlace](ctx, st, from+w.condition+`
		and (@pipeline::bigint is null or t.pipeline_id = @pipeline) limit @most`, args)
	if err != nil {
		return err
	}
	for _, at := range list {
		err := InPipeline(ctx, st, at.PipelineID, func(c *Change) error {
			j := c.Job(at.ID)
			if j == nil {
				return nil
			}
			args["id"] = at.ID
			still, err := db.Many[jobPlace](ctx, c.Store, from+w.condition+` and t.id = @id`, args)
			if err != nil || len(still) == 0 {
				return err
			}
			return w.do(ctx, c, j)
		})
		if fault.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

type jobPlace struct {
	ID         int64 `db:"id"`
	PipelineID int64 `db:"pipeline_id"`
}

// doWatchJobs does the task watchJobs.
func doWatchJobs(ctx context.Context, st *db.Store, _ watchJobs) error {
	return WatchJobs(ctx, st, time.Now())
}

// doStartDelayed does the task startDelayed.
func doStartDelayed(ctx context.Context, st *db.Store, task startDelayed) error {
	j, err := FindJob(ctx, st, task.JobID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	return fault.IgnoreNotFound(InPipeline(ctx, st, j.PipelineID, func(c *Change) error {
		held := c.Job(j.ID)
		if held == nil || held.Status != status.Scheduled || held.ScheduledAt == nil || held.ScheduledAt.After(c.Now) {
			return nil
		}
		return startDue(ctx, c, held)
	}))
}
