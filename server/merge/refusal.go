package merge

import "hew/server/db"

const branchesTaken = "Another open merge request already exists for this source branch"

// Refusals maps the constraints of this domain to the answer when one is violated.
var Refusals = db.Refusals{
	"merge_requests_project_id_fkey":        db.Invalid("target_project", db.Missing),
	"merge_requests_source_project_id_fkey": db.Invalid("source_project", db.Missing),
	"merge_requests_author_id_fkey":         db.Invalid("author", db.Missing),
	"merge_requests_merged_by_id_fkey":      db.Invalid("merge_user", db.Missing),
	"merge_requests_closed_by_id_fkey":      db.Invalid("closed_by", db.Missing),
	"merge_requests_milestone_id_fkey":      db.Invalid("milestone", db.Missing),
	"merge_requests_last_edited_by_id_fkey": db.Invalid("last_edited_by", db.Missing),
	"merge_requests_project_id_iid_key":     db.Conflict("Duplicated merge request"),
	"merge_requests_title_check":            db.Invalid("title", "is too long (maximum is 255 characters)"),
	"merge_requests_description_check":      db.Invalid("description", "is too long (maximum is 1048576 characters)"),
	"merge_requests_state_check":            db.Invalid("state", db.NotIncluded),
	"merge_requests_merge_status_check":     db.Invalid("merge_status", db.NotIncluded),
	"merge_requests_time_estimate_check":    db.Invalid("time_estimate", "must be greater than or equal to 0"),
	"merge_requests_branches_key":           db.Conflict(branchesTaken),

	"merge_request_assignees_pkey":                  db.Invalid("assignees", db.Taken),
	"merge_request_assignees_merge_request_id_fkey": db.Invalid("merge_request", db.Missing),
	"merge_request_assignees_user_id_fkey":          db.Invalid("assignees", db.Missing),
	"merge_request_reviewers_pkey":                  db.Invalid("reviewers", db.Taken),
	"merge_request_reviewers_merge_request_id_fkey": db.Invalid("merge_request", db.Missing),
	"merge_request_reviewers_user_id_fkey":          db.Invalid("reviewers", db.Missing),
	"merge_request_reviewers_state_check":           db.Invalid("state", db.NotIncluded),
	"merge_request_labels_pkey":                     db.Invalid("labels", db.Taken),
	"merge_request_labels_merge_request_id_fkey":    db.Invalid("merge_request", db.Missing),
	"merge_request_labels_label_id_fkey":            db.Invalid("labels", db.Missing),

	"merge_request_versions_merge_request_id_fkey": db.Invalid("merge_request", db.Missing),
	"merge_request_versions_state_check":           db.Invalid("state", db.NotIncluded),

	"merge_request_commits_pkey":                  db.Invalid("commits", db.Taken),
	"merge_request_commits_merge_request_id_fkey": db.Invalid("merge_request", db.Missing),

	"merge_request_issues_pkey":                  db.Invalid("issues", db.Taken),
	"merge_request_issues_merge_request_id_fkey": db.Invalid("merge_request", db.Missing),
	"merge_request_issues_issue_id_fkey":         db.Invalid("issues", db.Missing),

	"merge_request_blocks_blocking_id_fkey": db.Invalid("blocking_merge_request", db.Missing),
	"merge_request_blocks_blocked_id_fkey":  db.Invalid("blocked_merge_request", db.Missing),
	"merge_request_blocks_key":              db.Conflict("Block already exists"),
	"merge_request_blocks_check":            db.Invalid("base", "This block is self-referential"),

	"merge_request_rules_merge_request_id_fkey":    db.Invalid("merge_request", db.Missing),
	"merge_request_rules_source_rule_id_fkey":      db.Invalid("approval_project_rule", db.Missing),
	"merge_request_rules_name_check":               db.Invalid("name", "is too long (maximum is 1024 characters)"),
	"merge_request_rules_rule_type_check":          db.Invalid("rule_type", db.NotIncluded),
	"merge_request_rules_approvals_required_check": db.Invalid("approvals_required", "must be between 0 and 100"),
	"merge_request_rules_any_key":                  db.Invalid("rule_type", "any-approver for the merge request already exists"),
	"merge_request_rules_name_key":                 db.Invalid("name", db.Taken),

	"merge_request_approvals_merge_request_id_fkey": db.Invalid("merge_request", db.Missing),
	"merge_request_approvals_user_id_fkey":          db.Invalid("user", db.Missing),
	"merge_request_approvals_key":                   db.Invalid("user", db.Taken),

	"draft_notes_merge_request_id_fkey": db.Invalid("merge_request", db.Missing),
	"draft_notes_author_id_fkey":        db.Invalid("author", db.Missing),
	"draft_notes_body_check":            db.Invalid("note", "is too long (maximum is 1000000 characters)"),

	"suggestions_note_id_fkey":         db.Invalid("note", db.Missing),
	"suggestions_note_id_position_key": db.Invalid("position", db.Taken),
}
