package ci

import (
	"context"
	"slices"
	"sync"

	"hew/server/ci/status"
	"hew/server/db"
)

// Running reports whether a runner has the job.
func (j Job) Running() bool { return j.Status == status.Running || j.Status == status.Canceling }

// Report is what a runner says of the end of its job.
type Report struct {
	Success  bool
	Reason   string // of a failure
	ExitCode *int
	Checksum string // of the trace that it sent; empty: unknown
	Size     int64  // of that trace, in bytes
}

// FailureReasons are the reasons for which jobs fail (gaps §10.3).
var FailureReasons = []string{
	"unknown_failure", "script_failure", "api_failure", "stuck_or_timeout_failure", "runner_system_failure",
	"missing_dependency_failure", "runner_unsupported", "stale_schedule", "job_execution_timeout", "archived_failure",
	"unmet_prerequisites", "scheduler_failure", "data_integrity_failure", "forward_deployment_failure", "user_blocked",
	"project_deleted", "ci_quota_exceeded", "pipeline_loop_detected", "no_matching_runner", "trace_size_exceeded",
	"builds_disabled", "environment_creation_failure", "deployment_rejected", "protected_environment_failure",
	"secrets_provider_not_found", "ip_restriction_failure",
}

// reasonOf returns the reason that is stored for one that a runner gives.
func reasonOf(given string) string {
	switch {
	case slices.Contains(FailureReasons, given):
		return given
	case given == "image_pull_failure", given == "runner_external_dependency_failure", given == "configuration_error":
		return "runner_system_failure"
	}
	return "unknown_failure"
}

// EndJob ends the job of a runner as it reports, and returns it. Complete is false if the trace
// that the server has is not the one that the runner sent; it is then to send the trace again,
// once.
func EndJob(ctx context.Context, st *db.Store, j Job, r Report) (ended Job, complete bool, err error) {
	if !j.Running() {
		return j, false, errNotRunning()
	}
	if r.Checksum != "" {
		sum, size, err := traceChecksum(ctx, st, j)
		if err != nil {
			return j, false, err
		}
		if (sum != r.Checksum || size != r.Size) && resentOf(st).ask(j.ID) {
			return j, false, nil
		}
	}
	o := Outcome{Success: r.Success, ExitCode: r.ExitCode}
	if !r.Success {
		o.Reason = reasonOf(r.Reason)
	}
	if o.Coverage, err = coverageOf(ctx, st, j); err != nil {
		return j, false, err
	}
	ended, err = endJob(ctx, st, j, o)
	return ended, true, err
}

// resent remembers which jobs were asked to send their traces again. A process asks once: what does
// not help the first time does not help later.
type resent struct {
	mu   sync.Mutex
	jobs map[int64]bool
}

type resentKey struct{}

// maxResent is how many jobs are remembered.
const maxResent = 10_000

func resentOf(st *db.Store) *resent {
	return st.Remembered(resentKey{}, func() any { return &resent{jobs: map[int64]bool{}} }).(*resent)
}

// ask reports whether the job is to be asked.
func (r *resent) ask(jobID int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.jobs[jobID] {
		return false
	}
	if len(r.jobs) >= maxResent {
		clear(r.jobs)
	}
	r.jobs[jobID] = true
	return true
}
