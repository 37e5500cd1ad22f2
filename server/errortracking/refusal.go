package errortracking

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"error_tracking_project_id_key":      db.Invalid("project", db.Taken),
	"error_tracking_keys_public_key_key": db.Invalid("public_key", db.Taken),

	"errors_project_id_fingerprint_key":  db.Invalid("fingerprint", db.Taken),
	"errors_status_check":                db.Invalid("status", "is not included in the list"),
	"error_events_error_id_fkey":         db.Invalid("error", db.Missing),
	"error_events_error_id_event_id_key": db.Invalid("event_id", db.Taken),
	"error_users_pkey":                   db.Invalid("user", db.Taken),
	"error_users_error_id_fkey":          db.Invalid("error", db.Missing),
}
