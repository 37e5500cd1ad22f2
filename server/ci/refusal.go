package ci

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.JoinRefusals(runnerRefusals, pipelineRefusals, jobRefusals, linkRefusals)

// runnerRefusals are those of variables and runners.
var runnerRefusals = db.Refusals{
	"variables_namespace_id_key":    db.Invalid("key", db.Taken),
	"variables_project_id_key":      db.Invalid("key", db.Taken),
	"variables_instance_key":        db.Invalid("key", db.Taken),
	"variables_key_check":           db.Invalid("key", "is too long (maximum is 255 characters)"),
	"variables_variable_type_check": db.Invalid("variable_type", db.NotIncluded),

	"runners_digest_key":             db.Invalid("token", db.Taken),
	"runners_digest_check":           db.Invalid("token", "is invalid"),
	"runners_created_by_id_fkey":     db.Invalid("created_by", db.Missing),
	"runners_runner_type_check":      db.Invalid("runner_type", db.NotIncluded),
	"runners_owner_check":            db.Invalid("runner_type", "is invalid"),
	"runners_access_level_check":     db.Invalid("access_level", db.NotIncluded),
	"runners_maximum_timeout_check":  db.Invalid("maximum_timeout", "needs to be at least 10 minutes"),
	"runners_maintenance_note_check": db.Invalid("maintenance_note", "is too long (maximum is 1024 characters)"),
	"runners_description_check":      db.Invalid("description", "is too long (maximum is 1024 characters)"),
	"runners_tags_check": db.Invalid(
		"tags_list", "can not be empty when runner is not allowed to pick untagged jobs",
	),

	"runner_projects_runner_id_key":   db.Invalid("runner_id", db.Taken),
	"runner_projects_runner_id_fkey":  db.Invalid("runner", db.Missing),
	"runner_managers_runner_id_key":   db.Invalid("system_id", db.Taken),
	"runner_managers_runner_id_fkey":  db.Invalid("runner", db.Missing),
	"runner_managers_system_id_check": db.Invalid("system_id", "is too long (maximum is 64 characters)"),
}
