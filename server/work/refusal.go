package work

import "hew/server/db"

const (
	labelTaken     = "Label already exists"
	milestoneTaken = "already being used for another group or project milestone."
)

// Refusals maps the constraints of this domain to the answer when one is violated.
var Refusals = db.Refusals{
	"labels_namespace_id_key": db.Conflict(labelTaken),
	"labels_project_id_key":   db.Conflict(labelTaken),
	"labels_name_check":       db.Invalid("title", "is too long (maximum is 255 characters)"),
	"labels_priority_check":   db.Invalid("priority", "is invalid"),

	"label_subscriptions_pkey":          db.Invalid("user_id", db.Taken),
	"label_subscriptions_label_id_fkey": db.Invalid("label", db.Missing),
	"label_subscriptions_user_id_fkey":  db.Invalid("user", db.Missing),

	"milestones_namespace_id_iid_key":   db.Invalid("iid", db.Taken),
	"milestones_project_id_iid_key":     db.Invalid("iid", db.Taken),
	"milestones_namespace_id_title_key": db.Invalid("title", milestoneTaken),
	"milestones_project_id_title_key":   db.Invalid("title", milestoneTaken),
	"milestones_state_check":            db.Invalid("state", "is not included in the list"),
	"milestones_title_check":            db.Invalid("title", "is too long (maximum is 255 characters)"),
	"milestones_due_date_check":         db.Invalid("due_date", "must be greater than start date"),
}
