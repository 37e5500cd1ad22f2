package upload

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"uploads_namespace_id_fkey":            db.Invalid("group", db.Missing),
	"uploads_project_id_fkey":              db.Invalid("project", db.Missing),
	"uploads_blob_id_fkey":                 db.Invalid("file", db.Missing),
	"uploads_uploader_id_fkey":             db.Invalid("uploader", db.Missing),
	"uploads_namespace_id_secret_name_key": db.Invalid("secret", db.Taken),
	"uploads_project_id_secret_name_key":   db.Invalid("secret", db.Taken),
	"uploads_container_check":              db.Invalid("upload", "must belong to a group or a project"),
	"uploads_secret_check":                 db.Invalid("secret", "is invalid"),
	"uploads_name_check":                   db.Invalid("file", "has a name that is too long (maximum is 255 characters)"),
}
