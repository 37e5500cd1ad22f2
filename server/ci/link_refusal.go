package ci

import "hew/server/db"

// linkRefusals are those of what deployments bring, of mirrored pipelines and of failed tests.
var linkRefusals = db.Refusals{
	"deployment_merge_requests_merge_request_id_fkey": db.Invalid("merge_request", db.Missing),
	"deployment_merge_requests_deployment_id_fkey":    db.Invalid("deployment", db.Missing),

	"jobs_followed_pipeline_id_fkey": db.Invalid("pipeline", db.Missing),

	"test_failures_project_id_fkey": db.Invalid("project", db.Missing),
	"test_failures_job_id_fkey":     db.Invalid("job", db.Missing),
	"test_failures_digest_check":    db.Invalid("test", "has no digest of 32 bytes"),
}
