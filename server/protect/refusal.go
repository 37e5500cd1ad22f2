package protect

import "hew/server/db"

// Refusals are the answers to the violated constraints of this domain.
var Refusals = db.Refusals{
	"deploy_keys_creator_id_fkey":             db.Invalid("creator", db.Missing),
	"deploy_keys_fingerprint_sha256_key":      db.Invalid("fingerprint_sha256", db.Taken),
	"deploy_keys_title_check":                 db.Invalid("title", "is too long (maximum is 255 characters)"),
	"deploy_keys_projects_deploy_key_id_fkey": db.Invalid("deploy_key", db.Missing),
	"deploy_keys_projects_deploy_key_id_key":  db.Invalid("deploy_key", db.Taken),

	"push_rules_namespace_id_key":    db.Invalid("group", db.Taken),
	"push_rules_project_id_key":      db.Invalid("project", db.Taken),
	"push_rules_max_file_size_check": db.Invalid("max_file_size", "must be greater than or equal to 0"),

	"protected_refs_namespace_id_key":            db.Conflict("The name is protected already"),
	"protected_refs_project_id_key":              db.Conflict("The name is protected already"),
	"protected_refs_kind_check":                  db.Invalid("kind", "is not included in the list"),
	"protected_ref_levels_protected_ref_id_fkey": db.Invalid("protected_branch", db.Missing),
	"protected_ref_levels_user_id_fkey":          db.Invalid("user", db.Missing),
	"protected_ref_levels_group_id_fkey":         db.Invalid("group", db.Missing),
	"protected_ref_levels_who_check":             db.Invalid("access_level", "is invalid"),
	"protected_ref_levels_act_check":             db.Invalid("act", "is not included in the list"),
	"protected_ref_levels_access_level_key":      db.Invalid("access_level", db.Taken),
	"protected_ref_levels_user_id_key":           db.Invalid("user", db.Taken),
	"protected_ref_levels_group_id_key":          db.Invalid("group", db.Taken),
	"protected_ref_levels_deploy_key_id_key":     db.Invalid("deploy_key", db.Taken),
	"protected_ref_levels_deploy_key_id_fkey":    db.Invalid("deploy_key", db.Missing),

	"approval_rules_any_of_group":             db.Invalid("rule_type", "any-approver for the group already exists"),
	"approval_rules_any_of_project":           db.Invalid("rule_type", "any-approver for the project already exists"),
	"approval_rules_name_in_group":            db.Invalid("name", db.Taken),
	"approval_rules_name_in_project":          db.Invalid("name", db.Taken),
	"approval_rules_name_check":               db.Invalid("name", "is too long (maximum is 255 characters)"),
	"approval_rules_rule_type_check":          db.Invalid("rule_type", "is not included in the list"),
	"approval_rules_report_type_check":        db.Invalid("report_type", "is invalid"),
	"approval_rules_approvals_required_check": db.Invalid("approvals_required", "must be between 0 and 100"),
	"approval_settings_namespace_id_key":      db.Invalid("group", db.Taken),
	"approval_settings_project_id_key":        db.Invalid("project", db.Taken),
	"approval_settings_selective_check": db.Invalid(
		"selective_code_owner_removals", "can only be enabled when approvals are kept",
	),
}
