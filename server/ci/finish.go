package ci

import (
	"context"
	"slices"

	"hew/server/ci/definition"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
)

// Outcome is what a runner says of the end of a job.
type Outcome struct {
	Success  bool
	Reason   string // of a failure, in the words of the API (gaps §10.3)
	ExitCode *int
	Coverage *float64 // percent; nil: unknown
}

// errNotRunning is the fault of a runner that tells of a job that does not run any more.
func errNotRunning() error { return fault.Forbidden("Job is not running") }

// FinishJob ends a job that runs. One that was being canceled is canceled, whatever came of it. A
// failed one may be run again at once, as its definition says.
func FinishJob(ctx context.Context, st *db.Store, j Job, o Outcome) error {
	_, err := endJob(ctx, st, j, o)
	return err
}

// endJob does what FinishJob does and returns the job.
func endJob(ctx context.Context, st *db.Store, j Job, o Outcome) (ended Job, err error) {
	var held *Job
	err = InPipeline(ctx, st, j.PipelineID, func(c *Change) error {
		held = c.Job(j.ID)
		if held == nil || held.Status != status.Running && held.Status != status.Canceling {
			return errNotRunning()
		}
		held.ExitCode, held.Coverage = o.ExitCode, o.Coverage
		switch {
		case held.Status == status.Canceling:
			c.Set(held, status.Canceled)
		case o.Success:
			c.Set(held, status.Success)
		default:
			d, err := ReadDefinition(ctx, c.Store, *held)
			if err != nil {
				return err
			}
			c.failByDefinition(held, d, o)
		}
		return nil
	})
	if err != nil {
		return j, err
	}
	return *held, nil
}

// failByDefinition ends a job as failed, and does what its definition says about that.
func (c *Change) failByDefinition(j *Job, d Definition, o Outcome) {
	c.SetFailed(j, o.Reason)
	if o.ExitCode != nil && slices.Contains(d.AllowExitCodes, *o.ExitCode) {
		j.AllowFailure = true
	}
	if retriesItself(d.Options.Retry, j.Retries, o) {
		c.start(c.Retry(j, j.UserID))
		return
	}
	if c.Pipeline.CancelOnFailure && !j.AllowFailure {
		for _, other := range c.Jobs {
			c.Cancel(other)
		}
	}
}

// neverRetried are the reasons of failures that another try would meet as well (CI facts §2.2).
var neverRetried = []string{
	"ci_quota_exceeded", "no_matching_runner", "missing_dependency_failure", "forward_deployment_failure",
	"environment_creation_failure",
}

// schedulerRetries is how often a job is run again that the server itself failed to schedule.
const schedulerRetries = 2

// retriesItself reports whether a job that failed for the nth time in a row, from 0, is run again.
func retriesItself(r *definition.Retry, n int, o Outcome) bool {
	switch {
	case slices.Contains(neverRetried, o.Reason):
		return false
	case r == nil:
		return o.Reason == "scheduler_failure" && n < schedulerRetries
	case n >= r.Max:
		return false
	case o.ExitCode != nil && slices.Contains(r.ExitCodes, *o.ExitCode):
		return true
	case len(r.When) == 0:
		return len(r.ExitCodes) == 0
	}
	return slices.Contains(r.When, "always") || slices.Contains(r.When, o.Reason)
}
