package transfer

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"archive_imports_project_id_fkey":  db.Invalid("project", db.Missing),
	"archive_imports_user_id_fkey":     db.Invalid("user", db.Missing),
	"archive_imports_blob_id_fkey":     db.Invalid("file", db.Missing),
	"archive_imports_replaces_id_fkey": db.Invalid("project", db.Missing),
}
