package mirror

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"push_mirrors_auth_method_check":   db.Invalid("auth_method", "is not included in the list"),
	"pull_mirrors_project_id_key":      db.Invalid("project_id", "has already been taken"),
	"pull_mirrors_update_status_check": db.Invalid("update_status", "is not included in the list"),
	"push_mirrors_update_status_check": db.Invalid("update_status", "is not included in the list"),
}
