package todo

import "hew/server/db"

// Refusals maps the constraints of this domain to the answer when one is violated.
var Refusals = db.Refusals{
	"todos_user_id_fkey":          db.Invalid("user", db.Missing),
	"todos_author_id_fkey":        db.Invalid("author", db.Missing),
	"todos_issue_id_fkey":         db.Invalid("target", db.Missing),
	"todos_epic_id_fkey":          db.Invalid("target", db.Missing),
	"todos_merge_request_id_fkey": db.Invalid("target", db.Missing),
	"todos_note_id_fkey":          db.Invalid("note", db.Missing),
	"todos_pending_key":           db.Invalid("target", db.Taken),
	"todos_action_check":          db.Invalid("action", "is not included in the list"),
	"todos_state_check":           db.Invalid("state", "is not included in the list"),
}
