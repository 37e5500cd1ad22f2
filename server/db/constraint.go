package db

import ()

const (
	Taken   = "has already been taken"
	missing = "does not exist"
	blank   = "can't be blank"

	milestoneTaken = "already being used for another group or project milestone."
)

// refusal is a field of a request, and what is wrong with it.
type refusal struct{ field, text string }

// ofHeld are the constraints that every table of what groups and projects hold has, by what follows the name of the table.
var ofHeld = map[string]refusal{
	"_namespace_id_fkey": {"group", missing},
	"_project_id_fkey":   {"project", missing},
	"_container_check":   {"source", "is invalid"},
}

// Constraints says, for every constraint of the schema, which field of the request violates it and in which words.
// Those of ofHeld need no line here.
// Handlers check first, so most of these are met only by two requests at once.
var Constraints = map[string]refusal{
	"users_username_key":        {"username", Taken},
	"users_email_key":           {"email", Taken},
	"users_state_check":         {"state", "is invalid"},
	"users_bio_check":           {"bio", "is too long (maximum is 255 characters)"},
	"users_name_check":          {"name", "is too long (maximum is 255 characters)"},
	"users_username_check":      {"username", "is too long (maximum is 255 characters)"},
	"users_created_by_id_fkey":  {"created_by", missing},
	"namespaces_owner_id_key":   {"owner", Taken},
	"namespaces_owner_id_fkey":  {"owner", missing},
	"namespaces_kind_check":     {"kind", "is invalid"},
	"namespaces_name_key":       {"name", Taken},
	"namespaces_parent_id_fkey": {"parent_id", missing},

	"namespaces_creator_id_fkey":       {"creator", missing},
	"namespaces_deleting_user_id_fkey": {"deleting_user", missing},
	"namespaces_visibility_check":      {"visibility_level", "is not included in the list"},
	"namespaces_name_check":            {"name", "is too long (maximum is 255 characters)"},
	"namespaces_path_check":            {"path", "is too long (maximum is 255 characters)"},
	"namespaces_description_check":     {"description", "is too long (maximum is 500 characters)"},

	"personal_access_tokens_user_id_fkey": {"user", missing},
	"personal_access_tokens_digest_key":   {"token", Taken},
	"personal_access_tokens_digest_check": {"token", "is invalid"},
	"personal_access_tokens_name_check":   {"name", "is too long (maximum is 255 characters)"},
	"personal_access_tokens_scopes_check": {"scopes", blank},

	"personal_access_tokens_access_level_check": {"access_level", "is not included in the list"},

	"projects_name_key":              {"name", Taken},
	"projects_namespace_id_fkey":     {"namespace", "is not valid"},
	"projects_creator_id_fkey":       {"creator", missing},
	"projects_deleting_user_id_fkey": {"deleting_user", missing},
	"projects_visibility_check":      {"visibility_level", "is not included in the list"},
	"projects_name_check":            {"name", "is too long (maximum is 255 characters)"},
	"projects_path_check":            {"path", "is too long (maximum is 255 characters)"},
	"projects_description_check":     {"description", "is too long (maximum is 2000 characters)"},

	"avatars_namespace_id_key": {"avatar", Taken},
	"avatars_project_id_key":   {"avatar", Taken},
	"avatars_content_check":    {"avatar", "is too big (should be at most 200 KiB)"},

	"variables_namespace_id_key":    {"key", Taken},
	"variables_project_id_key":      {"key", Taken},
	"variables_instance_key":        {"key", Taken},
	"variables_key_check":           {"key", "is too long (maximum is 255 characters)"},
	"variables_variable_type_check": {"variable_type", "is not included in the list"},

	"labels_namespace_id_key": {"title", Taken},
	"labels_project_id_key":   {"title", Taken},
	"labels_name_check":       {"title", "is too long (maximum is 255 characters)"},
	"labels_priority_check":   {"priority", "is invalid"},

	"label_subscriptions_pkey":          {"user_id", Taken},
	"label_subscriptions_label_id_fkey": {"label", missing},
	"label_subscriptions_user_id_fkey":  {"user", missing},

	"milestones_namespace_id_iid_key":   {"iid", Taken},
	"milestones_project_id_iid_key":     {"iid", Taken},
	"milestones_namespace_id_title_key": {"title", milestoneTaken},
	"milestones_project_id_title_key":   {"title", milestoneTaken},
	"milestones_state_check":            {"state", "is not included in the list"},
	"milestones_title_check":            {"title", "is too long (maximum is 255 characters)"},
	"milestones_due_date_check":         {"due_date", "must be greater than start date"},

	"iids_key": {"iid", Taken},

	"topics_name_key":                         {"name", Taken},
	"topics_name_check":                       {"name", "is too long (maximum is 255 characters)"},
	"topics_title_check":                      {"title", "is too long (maximum is 255 characters)"},
	"topics_description_check":                {"description", "is too long (maximum is 1024 characters)"},
	"deploy_keys_creator_id_fkey":             {"creator", missing},
	"deploy_keys_fingerprint_sha256_key":      {"fingerprint_sha256", Taken},
	"deploy_keys_title_check":                 {"title", "is too long (maximum is 255 characters)"},
	"deploy_keys_projects_deploy_key_id_fkey": {"deploy_key", missing},
	"deploy_keys_projects_deploy_key_id_key":  {"deploy_key", Taken},

	"push_rules_namespace_id_key":    {"group", Taken},
	"push_rules_project_id_key":      {"project", Taken},
	"push_rules_max_file_size_check": {"max_file_size", "must be greater than or equal to 0"},

	"namespaces_runners_token_digest_key": {"runners_token", Taken},
	"projects_runners_token_digest_key":   {"runners_token", Taken},

	"runners_digest_key":             {"token", Taken},
	"runners_digest_check":           {"token", "is invalid"},
	"runners_created_by_id_fkey":     {"created_by", missing},
	"runners_runner_type_check":      {"runner_type", "is not included in the list"},
	"runners_owner_check":            {"runner_type", "is invalid"},
	"runners_access_level_check":     {"access_level", "is not included in the list"},
	"runners_maximum_timeout_check":  {"maximum_timeout", "needs to be at least 10 minutes"},
	"runners_maintenance_note_check": {"maintenance_note", "is too long (maximum is 1024 characters)"},
	"runners_description_check":      {"description", "is too long (maximum is 1024 characters)"},
	"runners_tags_check":             {"tags_list", "can not be empty when runner is not allowed to pick untagged jobs"},

	"runner_projects_runner_id_key":   {"runner_id", Taken},
	"runner_projects_runner_id_fkey":  {"runner", missing},
	"runner_managers_runner_id_key":   {"system_id", Taken},
	"runner_managers_runner_id_fkey":  {"runner", missing},
	"runner_managers_system_id_check": {"system_id", "is too long (maximum is 64 characters)"},

	"protected_refs_namespace_id_key":            {"name", Taken},
	"protected_refs_project_id_key":              {"name", Taken},
	"protected_refs_kind_check":                  {"kind", "is not included in the list"},
	"protected_ref_levels_protected_ref_id_fkey": {"protected_branch", missing},
	"protected_ref_levels_user_id_fkey":          {"user", missing},
	"protected_ref_levels_group_id_fkey":         {"group", missing},
	"protected_ref_levels_who_check":             {"access_level", "is invalid"},
	"protected_ref_levels_act_check":             {"act", "is not included in the list"},
	"protected_ref_levels_access_level_key":      {"access_level", Taken},
	"protected_ref_levels_user_id_key":           {"user", Taken},
	"protected_ref_levels_group_id_key":          {"group", Taken},
	"protected_ref_levels_deploy_key_id_key":     {"deploy_key", Taken},
	"protected_ref_levels_deploy_key_id_fkey":    {"deploy_key", missing},

	"integrations_namespace_id_key":           {"slug", Taken},
	"integrations_project_id_key":             {"slug", Taken},
	"approval_rules_any_of_group":             {"rule_type", "any-approver for the group already exists"},
	"approval_rules_any_of_project":           {"rule_type", "any-approver for the project already exists"},
	"approval_rules_name_in_group":            {"name", Taken},
	"approval_rules_name_in_project":          {"name", Taken},
	"approval_rules_name_check":               {"name", "is too long (maximum is 255 characters)"},
	"approval_rules_rule_type_check":          {"rule_type", "is not included in the list"},
	"approval_rules_report_type_check":        {"report_type", "is invalid"},
	"approval_rules_approvals_required_check": {"approvals_required", "must be between 0 and 100"},
	"approval_settings_namespace_id_key":      {"group", Taken},
	"approval_settings_project_id_key":        {"project", Taken},
	"approval_settings_selective_check":       {"selective_code_owner_removals", "can only be enabled when approvals are kept"},

	"ldap_group_links_cn_key":             {"cn", Taken},
	"ldap_group_links_filter_key":         {"filter", Taken},
	"ldap_group_links_cn_check":           {"cn", blank},
	"ldap_group_links_group_access_check": {"group_access", "is not included in the list"},
	"saml_group_links_name_key":           {"saml_group_name", Taken},
	"saml_group_links_name_check":         {"saml_group_name", "is too long (maximum is 255 characters)"},
	"saml_group_links_access_level_check": {"access_level", "is not included in the list"},

	"terraform_states_project_id_key":        {"name", Taken},
	"terraform_states_name_check":            {"name", "is too long (maximum is 255 characters)"},
	"terraform_state_versions_state_id_fkey": {"state", missing},
	"terraform_state_versions_serial_key":    {"version", Taken},

	"push_mirrors_auth_method_check":   {"auth_method", "is not included in the list"},
	"push_mirrors_update_status_check": {"update_status", "is not included in the list"},

	"stars_pkey":         {"user_id", Taken},
	"stars_user_id_fkey": {"user", missing},

	"routes_namespace_id_key":  {"path", Taken},
	"routes_project_id_key":    {"path", Taken},
	"routes_namespace_id_fkey": {"namespace", missing},
	"routes_project_id_fkey":   {"project", missing},
	"routes_key_check":         {"path", "is invalid"},
	"routes_target_check":      {"path", "is invalid"},

	"members_namespace_id_key":       {"user_id", Taken},
	"members_project_id_key":         {"user_id", Taken},
	"members_user_id_fkey":           {"user", blank},
	"members_namespace_id_fkey":      {"source", missing},
	"members_project_id_fkey":        {"source", missing},
	"members_created_by_id_fkey":     {"created_by", missing},
	"members_source_check":           {"source", "is invalid"},
	"members_access_level_check":     {"access_level", "is not included in the list"},
	"members_membership_state_check": {"state", "is not included in the list"},

	"invitations_namespace_id_key":   {"invite_email", Taken},
	"invitations_project_id_key":     {"invite_email", Taken},
	"invitations_namespace_id_fkey":  {"source", missing},
	"invitations_project_id_fkey":    {"source", missing},
	"invitations_created_by_id_fkey": {"created_by", missing},
	"invitations_email_check":        {"invite_email", "is invalid"},
	"invitations_access_level_check": {"access_level", "is not included in the list"},

	"shares_namespace_id_key":   {"group_id", Taken},
	"shares_project_id_key":     {"group_id", Taken},
	"shares_namespace_id_fkey":  {"source", missing},
	"shares_project_id_fkey":    {"source", missing},
	"shares_group_id_fkey":      {"group", missing},
	"shares_group_id_check":     {"group_id", "cannot be the group itself"},
	"shares_group_access_check": {"group_access", "is not included in the list"},

	"hooks_url_check":                     {"url", "is too long (maximum is 2048 characters)"},
	"hooks_custom_webhook_template_check": {"custom_webhook_template", "is too long (maximum is 4096 characters)"},
	"hooks_branch_filter_strategy_check":  {"branch_filter_strategy", "is not included in the list"},

	"alert_integrations_project_id_key": {"endpoint", Taken},
	"alert_integrations_name_check":     {"name", "is too long (maximum is 255 characters)"},
	"alert_integrations_type_check":     {"type", "is not included in the list"},
	"alert_integrations_api_url_check":  {"api_url", blank},

	"alerts_iid_key":         {"iid", Taken},
	"alerts_fingerprint_key": {"fingerprint", Taken},
	"alerts_status_check":    {"status", "is not included in the list"},
	"alerts_severity_check":  {"severity", "is not included in the list"},

	"error_tracking_project_id_key":      {"project", Taken},
	"error_tracking_keys_public_key_key": {"public_key", Taken},

	"hook_logs_hook_id_fkey": {"hook", missing},
	"hook_logs_asked_check":  {"asked", "is invalid"},
}

// Conflicts are the constraints that the public API answers with 409 and a sentence instead of a field.
var Conflicts = map[string]string{
	"users_username_key":           "Username has already been taken",
	"users_email_key":              "Email has already been taken",
	"members_namespace_id_key":     "Member already exists",
	"members_project_id_key":       "Member already exists",
	"invitations_namespace_id_key": "Invite email has already been taken",
	"invitations_project_id_key":   "Invite email has already been taken",
	"shares_namespace_id_key":      "The group has already been shared with this group",
	"shares_project_id_key":        "Group already shared with this group",

	"protected_refs_namespace_id_key": "The name is protected already",
	"protected_refs_project_id_key":   "The name is protected already",
}
