package note

import "hew/server/db"

// Refusals maps the constraints of this domain to the answer when one is violated.
var Refusals = db.Refusals{
	"notes_namespace_id_fkey":           db.Invalid("group", db.Missing),
	"notes_project_id_fkey":             db.Invalid("project", db.Missing),
	"notes_issue_id_fkey":               db.Invalid("noteable", db.Missing),
	"notes_epic_id_fkey":                db.Invalid("noteable", db.Missing),
	"notes_merge_request_id_fkey":       db.Invalid("noteable", db.Missing),
	"notes_snippet_id_fkey":             db.Invalid("noteable", db.Missing),
	"notes_about_merge_request_id_fkey": db.Invalid("about_merge_request", db.Missing),
	"notes_author_id_fkey":              db.Invalid("author", db.Missing),
	"notes_resolved_by_id_fkey":         db.Invalid("resolved_by", db.Missing),
	"notes_last_edited_by_id_fkey":      db.Invalid("last_edited_by", db.Missing),
	"notes_about_issue_id_fkey":         db.Invalid("about_issue", db.Missing),
	"notes_about_epic_id_fkey":          db.Invalid("about_epic", db.Missing),
	"notes_about_project_id_fkey":       db.Invalid("about_project", db.Missing),
	"notes_type_check":                  db.Invalid("type", "is not included in the list"),
	"notes_body_check":                  db.Invalid("note", "is too long (maximum is 1000000 characters)"),

	"award_emoji_issue_id_fkey":         db.Invalid("awardable", db.Missing),
	"award_emoji_epic_id_fkey":          db.Invalid("awardable", db.Missing),
	"award_emoji_merge_request_id_fkey": db.Invalid("awardable", db.Missing),
	"award_emoji_merge_request_id_key":  db.Invalid("name", db.Taken),
	"award_emoji_snippet_id_fkey":       db.Invalid("awardable", db.Missing),
	"award_emoji_snippet_id_key":        db.Invalid("name", db.Taken),
	"award_emoji_note_id_fkey":          db.Invalid("awardable", db.Missing),
	"award_emoji_user_id_fkey":          db.Invalid("user", db.Missing),
	"award_emoji_issue_id_key":          db.Invalid("name", db.Taken),
	"award_emoji_epic_id_key":           db.Invalid("name", db.Taken),
	"award_emoji_note_id_key":           db.Invalid("name", db.Taken),

	"mentions_issue_id_fkey":         db.Invalid("target", db.Missing),
	"mentions_epic_id_fkey":          db.Invalid("target", db.Missing),
	"mentions_merge_request_id_fkey": db.Invalid("target", db.Missing),
	"mentions_note_id_fkey":          db.Invalid("note", db.Missing),
	"mentions_user_id_fkey":          db.Invalid("user", db.Missing),
	"mentions_key":                   db.Invalid("user_id", db.Taken),
}
