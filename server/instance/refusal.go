package instance

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"terraform_states_project_id_key":        db.Invalid("name", db.Taken),
	"terraform_states_name_check":            db.Invalid("name", "is too long (maximum is 255 characters)"),
	"terraform_state_versions_state_id_fkey": db.Invalid("state", db.Missing),
	"terraform_state_versions_serial_key":    db.Invalid("version", db.Taken),
}
