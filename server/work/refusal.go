package work

import "hew/server/db"

const (
	labelTaken     = "Label already exists"
	milestoneTaken = "already being used for another group or project milestone."
	tooLongText    = "is too long (maximum is 1048576 characters)"
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

	"iterations_namespace_id_fkey":    db.Invalid("group", db.Missing),
	"iterations_namespace_id_iid_key": db.Invalid("iid", db.Taken),
	"iterations_title_check":          db.Invalid("title", "is too long (maximum is 255 characters)"),
	"iterations_description_check":    db.Invalid("description", tooLongText),
	"iterations_due_date_check":       db.Invalid("due_date", "must be greater than start date"),

	"epics_namespace_id_fkey":      db.Invalid("group", db.Missing),
	"epics_author_id_fkey":         db.Invalid("author", db.Missing),
	"epics_closed_by_id_fkey":      db.Invalid("closed_by", db.Missing),
	"epics_last_edited_by_id_fkey": db.Invalid("last_edited_by", db.Missing),
	"epics_parent_id_fkey":         db.Invalid("parent", db.Missing),
	"epics_namespace_id_iid_key":   db.Conflict("Duplicated epic"),
	"epics_title_check":            db.Invalid("title", "is too long (maximum is 255 characters)"),
	"epics_description_check":      db.Invalid("description", tooLongText),
	"epics_state_check":            db.Invalid("state", "is not included in the list"),

	"epic_labels_pkey":          db.Invalid("labels", db.Taken),
	"epic_labels_epic_id_fkey":  db.Invalid("epic", db.Missing),
	"epic_labels_label_id_fkey": db.Invalid("label", db.Missing),

	"issues_project_id_fkey":        db.Invalid("project", db.Missing),
	"issues_author_id_fkey":         db.Invalid("author", db.Missing),
	"issues_milestone_id_fkey":      db.Invalid("milestone", db.Missing),
	"issues_iteration_id_fkey":      db.Invalid("iteration", db.Missing),
	"issues_epic_id_fkey":           db.Invalid("epic", db.Missing),
	"issues_closed_by_id_fkey":      db.Invalid("closed_by", db.Missing),
	"issues_moved_to_id_fkey":       db.Invalid("moved_to", db.Missing),
	"issues_duplicate_of_id_fkey":   db.Invalid("duplicate_of", db.Missing),
	"issues_promoted_to_id_fkey":    db.Invalid("promoted_to", db.Missing),
	"issues_last_edited_by_id_fkey": db.Invalid("last_edited_by", db.Missing),
	"issues_project_id_iid_key":     db.Conflict("Duplicated issue"),
	"issues_title_check":            db.Invalid("title", "is too long (maximum is 255 characters)"),
	"issues_description_check":      db.Invalid("description", tooLongText),
	"issues_state_check":            db.Invalid("state", "is not included in the list"),
	"issues_type_check":             db.Invalid("issue_type", "is not included in the list"),
	"issues_weight_check":           db.Invalid("weight", "must be greater than or equal to 0"),
	"issues_health_status_check":    db.Invalid("health_status", "is not included in the list"),
	"issues_severity_check":         db.Invalid("severity", "is not included in the list"),
	"issues_time_estimate_check":    db.Invalid("time_estimate", "must be greater than or equal to 0"),

	"open_issue_counts_pkey":            db.Conflict("Counted already"),
	"open_issue_counts_project_id_fkey": db.Invalid("project", db.Missing),

	"issue_assignees_pkey":          db.Invalid("assignees", db.Taken),
	"issue_assignees_issue_id_fkey": db.Invalid("issue", db.Missing),
	"issue_assignees_user_id_fkey":  db.Invalid("assignees", db.Missing),
	"issue_labels_pkey":             db.Invalid("labels", db.Taken),
	"issue_labels_issue_id_fkey":    db.Invalid("issue", db.Missing),
	"issue_labels_label_id_fkey":    db.Invalid("labels", db.Missing),

	"issue_links_source_id_fkey": db.Invalid("source", db.Missing),
	"issue_links_target_id_fkey": db.Invalid("target", db.Missing),
	"issue_links_check":          db.Invalid("source", "cannot be related to itself"),
	"issue_links_type_check":     db.Invalid("link_type", "is not included in the list"),
	"issue_links_key":            db.Conflict("Issue(s) already assigned"),
	"epic_links_source_id_fkey":  db.Invalid("source", db.Missing),
	"epic_links_target_id_fkey":  db.Invalid("target", db.Missing),
	"epic_links_check":           db.Invalid("source", "cannot be related to itself"),
	"epic_links_type_check":      db.Invalid("link_type", "is not included in the list"),
	"epic_links_key":             db.Conflict("Epic(s) already assigned"),

	"subscriptions_issue_id_fkey":         db.Invalid("issue", db.Missing),
	"subscriptions_epic_id_fkey":          db.Invalid("epic", db.Missing),
	"subscriptions_merge_request_id_fkey": db.Invalid("merge_request", db.Missing),
	"subscriptions_merge_request_id_key":  db.Invalid("user_id", db.Taken),
	"subscriptions_user_id_fkey":          db.Invalid("user", db.Missing),
	"subscriptions_issue_id_key":          db.Invalid("user_id", db.Taken),
	"subscriptions_epic_id_key":           db.Invalid("user_id", db.Taken),

	"timelogs_issue_id_fkey":         db.Invalid("issue", db.Missing),
	"timelogs_merge_request_id_fkey": db.Invalid("merge_request", db.Missing),
	"timelogs_user_id_fkey":          db.Invalid("user", db.Missing),
	"timelogs_seconds_check":         db.Invalid("base", "Time spent can't be zero"),
	"timelogs_summary_check":         db.Invalid("summary", "is too long (maximum is 255 characters)"),

	"resource_events_issue_id_fkey":          db.Invalid("issue", db.Missing),
	"resource_events_epic_id_fkey":           db.Invalid("epic", db.Missing),
	"resource_events_merge_request_id_fkey":  db.Invalid("merge_request", db.Missing),
	"resource_events_user_id_fkey":           db.Invalid("user", db.Missing),
	"resource_events_label_id_fkey":          db.Invalid("label", db.Missing),
	"resource_events_milestone_id_fkey":      db.Invalid("milestone", db.Missing),
	"resource_events_iteration_id_fkey":      db.Invalid("iteration", db.Missing),
	"resource_events_source_request_id_fkey": db.Invalid("source_merge_request", db.Missing),
	"resource_events_field_check":            db.Invalid("field", "is not included in the list"),
}
