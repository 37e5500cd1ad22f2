package transfer

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"project_exports_project_id_fkey": db.Invalid("project", db.Missing),
	"project_exports_user_id_fkey":    db.Invalid("user", db.Missing),
	"project_exports_blob_id_fkey":    db.Invalid("blob", db.Missing),
	"project_exports_status_check":    db.Invalid("status", "is not included in the list"),
	"project_exports_finished_check":  db.Invalid("status", "is finished without an archive"),

	"archive_imports_project_id_fkey": db.Invalid("project", db.Missing),
	"archive_imports_user_id_fkey":    db.Invalid("user", db.Missing),
	"archive_imports_blob_id_fkey":    db.Invalid("file", db.Missing),
}
