package ci

import (
	"maps"

	"hew/server/db"
)

const (
	notIncluded = "is not included in the list"
	notADigest  = "is invalid"
	tooLong     = "is too long (maximum is 255 characters)"
	blankOrLong = "must have between 1 and 255 characters"
)

// pipelineRefusals are the answers to violated constraints of pipelines and what belongs to them.
var pipelineRefusals = db.Refusals{
	"pipeline_triggers_project_id_fkey":   db.Invalid("project", db.Missing),
	"pipeline_triggers_owner_id_fkey":     db.Invalid("owner", db.Missing),
	"pipeline_triggers_digest_key":        db.Invalid("token", db.Taken),
	"pipeline_triggers_digest_check":      db.Invalid("token", notADigest),
	"pipeline_triggers_description_check": db.Invalid("description", blankOrLong),

	"pipeline_schedules_project_id_fkey":              db.Invalid("project", db.Missing),
	"pipeline_schedules_owner_id_fkey":                db.Invalid("owner", db.Missing),
	"pipeline_schedules_description_check":            db.Invalid("description", blankOrLong),
	"pipeline_schedule_variables_schedule_id_fkey":    db.Invalid("pipeline_schedule", db.Missing),
	"pipeline_schedule_variables_schedule_id_key":     db.Invalid("key", db.Taken),
	"pipeline_schedule_variables_variable_type_check": db.Invalid("variable_type", notIncluded),
	"pipelines_project_id_fkey":                       db.Invalid("project", db.Missing),
	"pipelines_user_id_fkey":                          db.Invalid("user", db.Missing),
	"pipelines_merge_request_id_fkey":                 db.Invalid("merge_request", db.Missing),
	"pipelines_schedule_id_fkey":                      db.Invalid("pipeline_schedule", db.Missing),
	"pipelines_trigger_id_fkey":                       db.Invalid("trigger", db.Missing),
	"pipelines_upstream_job_id_fkey":                  db.Invalid("upstream_job", db.Missing),
	"pipelines_project_id_iid_key":                    db.Invalid("iid", db.Taken),
	"pipelines_name_check":                            db.Invalid("name", tooLong),
	"pipelines_status_check":                          db.Invalid("status", notIncluded),
	"pipelines_cancel_older_check":                    db.Invalid("auto_cancel", notIncluded),
	"pipeline_variables_pipeline_id_fkey":             db.Invalid("pipeline", db.Missing),
	"pipeline_variables_pipeline_id_key":              db.Invalid("key", db.Taken),
	"pipeline_variables_variable_type_check":          db.Invalid("variable_type", notIncluded),
	"job_definitions_project_id_fkey":                 db.Invalid("project", db.Missing),
	"job_definitions_project_id_key":                  db.Invalid("digest", db.Taken),
	"job_definitions_digest_check":                    db.Invalid("digest", notADigest),
	"job_variables_job_id_fkey":                       db.Invalid("job", db.Missing),
	"job_variables_job_id_key":                        db.Invalid("key", db.Taken),
	"job_variables_variable_type_check":               db.Invalid("variable_type", notIncluded),
	"job_trace_chunks_pkey":                           db.Conflict("Another part of the trace begins there"),
	"job_trace_chunks_job_id_fkey":                    db.Invalid("job", db.Missing),
	"job_artifacts_project_id_fkey":                   db.Invalid("project", db.Missing),
	"job_artifacts_job_id_fkey":                       db.Invalid("job", db.Missing),
	"job_artifacts_blob_id_fkey":                      db.Invalid("file", db.Missing),
	"job_artifacts_job_id_key":                        db.Invalid("file", "another artifact of the same type already exists"),
	"job_artifacts_access_check":                      db.Invalid("access", notIncluded),
	"job_artifacts_file_format_check":                 db.Invalid("artifact_format", notIncluded),
	"job_test_summaries_pkey":                         db.Conflict("The tests of the job are counted already"),
	"job_test_summaries_job_id_fkey":                  db.Invalid("job", db.Missing),
	"resource_groups_project_id_fkey":                 db.Invalid("project", db.Missing),
	"resource_groups_project_id_key":                  db.Invalid("key", db.Taken),
	"resource_groups_key_check":                       db.Invalid("key", blankOrLong),
	"resource_groups_process_mode_check":              db.Invalid("process_mode", notIncluded),
	"environments_project_id_fkey":                    db.Invalid("project", db.Missing),
	"environments_project_id_name_key":                db.Invalid("name", db.Taken),
	"environments_project_id_slug_key":                db.Invalid("slug", db.Taken),
	"environments_name_check":                         db.Invalid("name", blankOrLong),
	"environments_slug_check":                         db.Invalid("slug", "must have between 1 and 24 characters"),
	"environments_external_url_check":                 db.Invalid("external_url", tooLong),
	"environments_state_check":                        db.Invalid("state", notIncluded),
	"environments_tier_check":                         db.Invalid("tier", notIncluded),
	"deployments_project_id_fkey":                     db.Invalid("project", db.Missing),
	"deployments_environment_id_fkey":                 db.Invalid("environment", db.Missing),
	"deployments_job_id_fkey":                         db.Invalid("deployable", db.Missing),
	"deployments_user_id_fkey":                        db.Invalid("user", db.Missing),
	"deployments_project_id_iid_key":                  db.Invalid("iid", db.Taken),
	"deployments_status_check":                        db.Invalid("status", notIncluded),
	"job_token_scopes_project_id_fkey":                db.Invalid("project", db.Missing),
	"job_token_scopes_from_project_id_fkey":           db.Invalid("target_project", db.Missing),
	"job_token_scopes_from_group_id_fkey":             db.Invalid("target_group", db.Missing),
	"job_token_scopes_from_check":                     db.Invalid("target", "must be a project or a group"),
	"job_token_scopes_project_id_key":                 db.Invalid("target_project", "is already in the job token scope"),
	"merge_requests_head_pipeline_id_fkey":            db.Invalid("head_pipeline", db.Missing),
	"merge_requests_auto_merge_user_id_fkey":          db.Invalid("merge_user", db.Missing),
}

// jobRefusals are the answers to violated constraints of jobs.
var jobRefusals = db.Refusals{
	"jobs_project_id_fkey":        db.Invalid("project", db.Missing),
	"jobs_pipeline_id_fkey":       db.Invalid("pipeline", db.Missing),
	"jobs_user_id_fkey":           db.Invalid("user", db.Missing),
	"jobs_definition_id_fkey":     db.Invalid("definition", db.Missing),
	"jobs_runner_id_fkey":         db.Invalid("runner", db.Missing),
	"jobs_runner_manager_id_fkey": db.Invalid("runner_manager", db.Missing),
	"jobs_resource_group_id_fkey": db.Invalid("resource_group", db.Missing),
	"jobs_environment_id_fkey":    db.Invalid("environment", db.Missing),
	"jobs_erased_by_id_fkey":      db.Invalid("erased_by", db.Missing),
	"jobs_token_digest_key":       db.Invalid("token", db.Taken),
	"jobs_token_digest_check":     db.Invalid("token", notADigest),
	"jobs_kind_check":             db.Invalid("kind", notIncluded),
	"jobs_name_check":             db.Invalid("name", blankOrLong),
	"jobs_stage_check":            db.Invalid("stage", tooLong),
	"jobs_description_check":      db.Invalid("description", tooLong),
	"jobs_target_url_check":       db.Invalid("target_url", tooLong),
	"jobs_status_check":           db.Invalid("status", notIncluded),
	"jobs_starts_check":           db.Invalid("when", notIncluded),
}

func init() {
	maps.Copy(Refusals, pipelineRefusals)
	maps.Copy(Refusals, jobRefusals)
}
