package provider

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// opening is a change that opens something; its reverse does not.
type opening struct{ before, after cty.Value }

var (
	turnedOn  = opening{cty.False, cty.True}
	turnedOff = opening{cty.True, cty.False}
	emptied   = opening{text("^v"), text("")}
	exempting = opening{text(""), text("^v")}
	raised    = opening{number(30), number(40)}
	lowered   = opening{number(2), number(1)}
	unlimited = opening{number(10), number(0)}
	putOff    = opening{text("2031-01-01"), text("2031-02-01")}
	granted   = opening{refs("1"), refs("1", "2")}
	widened   = opening{text("private"), text("internal")}
	listed    = opening{words("a"), words("a", "b")}
	unlisted  = opening{words("a", "b"), words("a")}
	toLower   = opening{number(40), number(30)} // the minimum role
)

func text(s string) cty.Value  { return cty.StringVal(s) }
func number(n int64) cty.Value { return cty.NumberIntVal(n) }

func words(list ...string) cty.Value {
	var values []cty.Value
	for _, w := range list {
		values = append(values, text(w))
	}
	return cty.SetVal(values)
}

func refs(ids ...string) cty.Value {
	var list []*schema.Ref
	for _, id := range ids {
		list = append(list, &schema.Ref{ID: id})
	}
	return schema.RefsVal(list)
}

// openings has a step for each attribute that opens something, by its name, or by its
// kind and name where kinds differ. Feature levels and settings are below.
var openings = map[string]opening{
	"share_with_group_lock": turnedOff, "require_two_factor_authentication": turnedOff,
	"membership_lock": turnedOff, "prevent_sharing_groups_outside_hierarchy": turnedOff,
	"prevent_forking_outside_group": turnedOff, "service_access_tokens_expiration_enforced": turnedOff,
	"only_allow_merge_if_pipeline_succeeds":            turnedOff,
	"only_allow_merge_if_all_discussions_are_resolved": turnedOff,
	"only_allow_merge_if_all_status_checks_passed":     turnedOff,
	"auto_ban_user_on_excessive_projects_download":     turnedOff, "enforce_auth_checks_on_uploads": turnedOff,
	"prevent_merge_without_jira_issue": turnedOff, "ci_separated_caches": turnedOff,
	"restrict_user_defined_variables": turnedOff, "code_owner_approval_required": turnedOff,
	"deny_delete_tag": turnedOff, "member_check": turnedOff, "prevent_secrets": turnedOff,
	"commit_committer_check": turnedOff, "commit_committer_name_check": turnedOff,
	"reject_unsigned_commits": turnedOff, "reject_non_dco_commits": turnedOff,
	"enable_ssl_verification": turnedOff, "locked": turnedOff, "hidden": turnedOff, "protected": turnedOff,
	"masked": turnedOff, "external": turnedOff, "private_profile": turnedOff,
	"applies_to_all_protected_branches": turnedOff,
	"allow_merge_on_skipped_pipeline":   turnedOn, "public_jobs": turnedOn,
	"ci_allow_fork_pipelines_to_run_in_parent_project": turnedOn,
	"ci_push_repository_for_job_token_allowed":         turnedOn,
	"allow_pipeline_trigger_approve_deployment":        turnedOn, "merge_trains_skip_train_allowed": turnedOn,
	"allow_force_push": turnedOn, "can_push": turnedOn, "run_untagged": turnedOn, "admin": turnedOn,
	"auditor": turnedOn, "can_create_group": turnedOn, "issues_enabled": turnedOn,
	"project_job_token_scope.enabled": turnedOff,
	"merge_requests_enabled":          turnedOn, "wiki_enabled": turnedOn, "jobs_enabled": turnedOn,
	"snippets_enabled": turnedOn, "container_registry_enabled": turnedOn,
	"visibility":   widened,
	"access_level": raised, "group_access": raised, "ldap_access": raised,
	"push_access_level": toLower, "merge_access_level": toLower, "unprotect_access_level": toLower,
	"create_access_level": toLower,
	"push_users":          granted, "push_groups": granted, "push_deploy_keys": granted, "merge_users": granted,
	"merge_groups": granted, "unprotect_users": granted, "unprotect_groups": granted,
	"create_users": granted, "create_groups": granted, "create_deploy_keys": granted, "users": granted,
	"groups": granted, "projects": granted,
	"approvals_before_merge": lowered, "fallback_approvals_required": lowered,
	"default_branch_protection": lowered,
	"max_file_size":             unlimited, "unique_project_download_limit": unlimited,
	"expires_at":                putOff,
	"merge_request_title_regex": emptied, "commit_message_regex": emptied,
	"commit_message_negative_regex": emptied, "branch_name_regex": emptied, "author_email_regex": emptied,
	"file_name_regex":          emptied,
	"nuget_duplicates_allowed": turnedOn, "generic_duplicates_allowed": turnedOn,
	"nuget_symbol_server_enabled":     turnedOn,
	"nuget_duplicate_exception_regex": exempting, "generic_duplicate_exception_regex": exempting,
	"minimum_access_level_for_push":   {text("owner"), text("maintainer")},
	"minimum_access_level_for_delete": {text("owner"), text("")},
	"scopes":                          listed, "unique_project_download_limit_allowlist": listed,

	"user.state":                                  {text("blocked"), text("active")},
	"instance_runner.access_level":                {text("ref_protected"), text("not_protected")},
	"group_runner.access_level":                   {text("ref_protected"), text("not_protected")},
	"project_runner.access_level":                 {text("ref_protected"), text("not_protected")},
	"project_creation_level":                      {text("noone"), text("developer")},
	"subgroup_creation_level":                     {text("owner"), text("maintainer")},
	"ip_restriction_ranges":                       {text("10.0.0.0/8"), text("")},
	"allowed_email_domains_list":                  {text("a.org"), text("a.org,b.org")},
	"protected_branches":                          {refs(), refs("1")},
	"ci_restrict_pipeline_cancellation_role":      {text("no_one"), text("maintainer")},
	"ci_pipeline_variables_minimum_override_role": {text("owner"), text("developer")},
	"default_branch_protection_defaults":          {fullProtection(), forcePushed},
}

// forcePushed is a protection that allows force pushes.
var forcePushed = func() cty.Value {
	fields := fullProtection().AsValueMap()
	fields["allow_force_push"] = cty.True
	return cty.ObjectVal(fields)
}()

func TestWhatOpensSomething(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, declared := range builtin() {
		k := completed(declared)
		for i := range k.Attrs {
			a := &k.Attrs[i]
			key := a.Name
			if _, own := openings[k.Name+"."+key]; own {
				key = k.Name + "." + key
			}
			s, has := openings[key]
			if a.Opens == nil {
				continue
			}
			switch {
			case k.Name == applicationSettings().Name:
				continue // TestSettingsThatOpenSomething
			case !has && strings.HasSuffix(key, "_access_level"):
				s = opening{text("private"), text("enabled")}
			case !has:
				t.Errorf("%s.%s has Opens, and the test has no step for it", k.Name, a.Name)
				continue
			}
			used[key] = true
			require.True(t, a.Widens(s.before, s.after), "%s.%s", k.Name, a.Name)
			require.False(t, a.Widens(s.after, s.before), "%s.%s reversed", k.Name, a.Name)
			require.False(t, a.Widens(s.after, s.after), "%s.%s unchanged", k.Name, a.Name)
			require.False(t, a.Widens(s.before, cty.UnknownVal(s.after.Type())), "%s.%s unknown", k.Name, a.Name)
			require.False(t, a.Widens(s.before, s.after.Mark(schema.Secret)), "%s.%s secret", k.Name, a.Name)
			if a.Default != nil {
				require.False(t, a.Widens(cty.NullVal(a.Type), a.Default(schema.Object{})), "%s.%s by default", k.Name,
					a.Name)
			}
		}
	}
	for key := range openings {
		require.True(t, used[key], "no attribute %s has Opens", key)
	}
}

// suggestive matches names of attributes that may open something.
var suggestive = regexp.MustCompile(`visib|access|_level$|allow|protect|masked|hidden|locked|_lock$|require|prevent|` +
	`restrict|enforce|scopes$|expires_at$|_regex$|forc|signup|two_factor|throttle_.*_enabled$|disable_|trusted|` +
	`verif|approv|public|external|_users$|_groups$`)

// silent has the attributes whose names suggest access, and that open nothing, each with
// a reason.
var silent = byWord(map[string]string{
	`group_approval_rule.approvals_required project_approval_rule.approvals_required
	 project_approval_settings.reset_approvals_on_push
	 project_approval_settings.disable_overriding_approvers_per_merge_request
	 project_approval_settings.merge_requests_author_approval
	 project_approval_settings.merge_requests_disable_committers_approval
	 project_approval_settings.require_password_to_approve`: "Strict of the kind tells",
	`project_approval_settings.approvals_before_merge`: "it has no effect",
	`request_access_enabled`:                           "a request gives no access until somebody accepts it",
	`enabled_git_access_protocol`:                      "another protocol gives the same access",
	`two_factor_grace_period`:                          "a delay before a rule, which stays",
	`resource_access_token_events
	 group_hook.service_access_tokens_expiration_enforced`: "an event that triggers a webhook",
	`only_mirror_protected_branches mirror_branch_regex
	 push_mirror.only_protected_branches`: "which branches are copied from or to another host",
	`external_authorization_classification_label public_email
	 external_authorization_service_default_label personal_access_token_prefix`: "a label, an address or a prefix",
	`ci_forward_deployment_rollback_allowed`: "which job may run again, by the same people",
	`eks_access_key_id eks_secret_access_key elasticsearch_aws_access_key
	 elasticsearch_aws_secret_access_key external_auth_client_cert external_auth_client_key
	 external_auth_client_key_pass external_pipeline_validation_service_token
	 slack_app_verification_token static_objects_external_storage_auth_token`: "a credential for another service",
	`external_authorization_service_timeout external_pipeline_validation_service_timeout
	 static_objects_external_storage_url sourcegraph_public_only
	 jira_connect_public_key_storage_enabled`: "how another service is asked",
	`asset_proxy_allowlist enable_artifact_external_redirect_warning_page autocomplete_users
	 performance_bar_allowed_group_id performance_bar_allowed_group_path`: "what is shown, or who is offered in a list",
	`allow_account_deletion delete_unconfirmed_users inactive_resource_access_tokens_delete_after_days
	 updating_name_disabled_for_users`: "what users do to themselves or how idle accounts and tokens are cleaned up",
	`enforce_namespace_storage_limit security_approval_policies_limit`:                        "a limit of capacity",
	`throttle_protected_paths_period_in_seconds throttle_protected_paths_requests_per_period`: "how requests are counted while the limit is on",
	`user_default_internal_regex security_policy_global_group_approvers_enabled`:              "another expression or policy: what it lets through cannot be told",
	`environment.external_url`: "a link for people",
	`force_random_password`:    "how a new account gets its first password",
})

// TestSuggestiveNamesAreDecided: an attribute whose name suggests access either has
// Opens, or a reason here.
func TestSuggestiveNamesAreDecided(t *testing.T) {
	t.Parallel()
	var undecided []string
	used := map[string]bool{}
	for _, declared := range builtin() {
		k := completed(declared)
		for a := range k.Arguments() {
			if k.Data != nil || k.Set != nil || !suggestive.MatchString(a.Name) {
				continue
			}
			name := k.Name + "." + a.Name
			if silent[name] == "" {
				name = a.Name
			}
			switch reason := silent[name]; {
			case a.Opens == nil && reason == "":
				undecided = append(undecided, k.Name+"."+a.Name)
			case a.Opens == nil:
				used[name] = true
			}
		}
	}
	require.Empty(t, undecided, "give it Opens, or silent a reason")
	require.ElementsMatch(t, slices.Collect(maps.Keys(silent)), slices.Collect(maps.Keys(used)))
}
