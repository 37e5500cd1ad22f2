package gist

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"gist_imports_user_id_fkey": db.Invalid("user", db.Missing),
	"gist_imports_status_check": db.Invalid("status", "is not included in the list"),
	"gist_imports_token_check":  db.Invalid("token", "is kept as long as the import runs"),
}
