package definition

import (
	"slices"
	"strings"

	"hew/server/ci/document"
)

// maxRetries is how often a job can be run again.
const maxRetries = 2

// FailureReasons are the reasons for which jobs fail, and so those that retry can name.
var FailureReasons = []string{
	"unknown_failure", "script_failure", "api_failure", "stuck_or_timeout_failure", "runner_system_failure",
	"missing_dependency_failure", "runner_unsupported", "stale_schedule", "job_execution_timeout", "archived_failure",
	"unmet_prerequisites", "scheduler_failure", "data_integrity_failure", "forward_deployment_failure",
	"user_blocked", "project_deleted", "ci_quota_exceeded", "pipeline_loop_detected", "no_matching_runner",
	"trace_size_exceeded", "builds_disabled", "environment_creation_failure", "deployment_rejected",
	"protected_environment_failure", "invalid_bridge_trigger", "downstream_bridge_project_not_found",
	"insufficient_bridge_permissions", "bridge_pipeline_is_child_pipeline", "downstream_pipeline_creation_failed",
	"secrets_provider_not_found", "reached_max_descendant_pipelines_depth", "ip_restriction_failure",
}

// readRetry reads a number, or a map with one. Messages do not name the job.
func readRetry(j *Job, e entry) {
	e.location = "retry"
	r := &Retry{}
	j.Options.Retry = r
	switch {
	case e.is(document.Int):
		r.Max = e.retries()
		return
	case !e.is(document.Map):
		e.fail("has to be either an integer or a hash")
		return
	}
	e.keys("max", "when", "exit_codes")
	if most := e.field("max"); most.given() {
		if !most.is(document.Int) {
			most.fail("is not a number")
		} else {
			r.Max = most.retries()
		}
	}
	if when := e.field("when"); when.given() {
		r.When = when.stringOrStrings()
		var unknown []string
		for _, reason := range r.When {
			if reason != "always" && !slices.Contains(FailureReasons, reason) {
				unknown = append(unknown, reason)
			}
		}
		if unknown != nil {
			when.fail("contains unknown values: %s", strings.Join(unknown, ", "))
		}
	}
	if codes := e.field("exit_codes"); codes.given() {
		r.ExitCodes = codes.exitCodes()
	}
}

// retries returns a number of retries.
func (e entry) retries() int {
	switch n := e.node.Int; {
	case n < 0:
		e.fail("must be greater than or equal to 0")
	case n > maxRetries:
		e.fail("must be less than or equal to %d", maxRetries)
	default:
		return int(n)
	}
	return 0
}
