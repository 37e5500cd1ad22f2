package forge

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"forge_imports_project_id_fkey":   db.Invalid("project", db.Missing),
	"forge_imports_user_id_fkey":      db.Invalid("user", db.Missing),
	"forge_documents_project_id_fkey": db.Invalid("project", db.Missing),
}
