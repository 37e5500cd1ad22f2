package activity

import "hew/server/db"

// Refusals maps the constraints of this domain to the answer when one is violated.
var Refusals = db.Refusals{
	"user_events_author_id_fkey":        db.Invalid("author", db.Missing),
	"user_events_issue_id_fkey":         db.Invalid("target", db.Missing),
	"user_events_merge_request_id_fkey": db.Invalid("target", db.Missing),
	"user_events_snippet_id_fkey":       db.Invalid("target", db.Missing),
	"user_events_note_id_fkey":          db.Invalid("note", db.Missing),
	"user_events_milestone_id_fkey":     db.Invalid("target", db.Missing),
	"user_events_action_check":          db.Invalid("action", "is not included in the list"),
}
