package project

import "hew/server/db"

// Refusals are the answers to violated constraints of the tables of projects, avatars and topics.
var Refusals = db.Refusals{
	"projects_name_key":                  db.Invalid("name", db.Taken),
	"projects_namespace_id_fkey":         db.Invalid("namespace", "is not valid"),
	"projects_creator_id_fkey":           db.Invalid("creator", db.Missing),
	"projects_forked_from_id_fkey":       db.Invalid("forked_from_project", db.Missing),
	"projects_deleting_user_id_fkey":     db.Invalid("deleting_user", db.Missing),
	"projects_import_status_check":       db.Invalid("import_status", "is not included in the list"),
	"project_imports_project_id_fkey":    db.Invalid("project", db.Missing),
	"import_checkpoints_project_id_fkey": db.Invalid("project", db.Missing),
	"import_records_project_id_fkey":     db.Invalid("project", db.Missing),
	"import_failures_project_id_fkey":    db.Invalid("project", db.Missing),
	"projects_visibility_check":          db.Invalid("visibility_level", "is not included in the list"),
	"projects_name_check":                db.Invalid("name", "is too long (maximum is 255 characters)"),
	"projects_path_check":                db.Invalid("path", "is too long (maximum is 255 characters)"),
	"projects_description_check":         db.Invalid("description", "is too long (maximum is 2000 characters)"),

	"avatars_namespace_id_key": db.Invalid("avatar", db.Taken),
	"avatars_project_id_key":   db.Invalid("avatar", db.Taken),
	"avatars_user_id_key":      db.Invalid("avatar", db.Taken),
	"avatars_topic_id_key":     db.Invalid("avatar", db.Taken),
	"avatars_user_id_fkey":     db.Invalid("user", db.Missing),
	"avatars_topic_id_fkey":    db.Invalid("topic", db.Missing),
	"avatars_blob_id_fkey":     db.Invalid("avatar", db.Missing),
	"avatars_holder_check":     db.Invalid("avatar", "belongs to one group, project, user or topic"),

	"topics_name_key":          db.Invalid("name", db.Taken),
	"topics_name_check":        db.Invalid("name", "is too long (maximum is 255 characters)"),
	"topics_title_check":       db.Invalid("title", "is too long (maximum is 255 characters)"),
	"topics_description_check": db.Invalid("description", "is too long (maximum is 1024 characters)"),

	"projects_runners_token_digest_key": db.Invalid("runners_token", db.Taken),

	"stars_pkey":         db.Invalid("user_id", db.Taken),
	"stars_user_id_fkey": db.Invalid("user", db.Missing),
}
