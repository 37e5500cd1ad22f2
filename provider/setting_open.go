package provider

import (
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"
)

// openingSettings says which changes of the instance's settings give somebody more
// access or weaken a rule.
var openingSettings = sync.OnceValue(func() map[string]Option {
	return byWord(map[string]Option{
		`signup_enabled can_create_group can_create_organization allow_project_creation_for_guest_and_below
	 allow_all_integrations allow_group_owners_to_manage_ldap allow_runner_registration_token
	 allow_local_requests_from_hooks_and_services allow_local_requests_from_system_hooks
	 allow_local_requests_from_web_hooks_and_services nuget_skip_metadata_url_validation
	 anonymous_searches_allowed package_registry_allow_anyone_to_pull_option project_export_enabled
	 bulk_import_enabled silent_admin_exports_enabled group_owners_can_manage_default_branch_protection
	 password_authentication_enabled_for_git password_authentication_enabled_for_web user_oauth_applications
	 remember_me_enabled`: OpensIf(true),
		`admin_mode auto_ban_user_on_excessive_projects_download deactivate_dormant_users
	 default_project_deletion_protection disable_admin_oauth_scopes disable_feed_token
	 disable_overriding_approvers_per_merge_request disable_personal_access_tokens
	 dns_rebinding_protection_enabled domain_denylist_enabled email_restrictions_enabled
	 enforce_ci_inbound_job_token_scope_enabled enforce_pat_expiration enforce_ssh_key_expiration enforce_terms
	 external_authorization_service_enabled invisible_captcha_enabled lock_memberships_to_ldap
	 lock_memberships_to_saml login_recaptcha_protection_enabled notify_on_unknown_sign_in
	 pages_domain_verification_enabled password_lowercase_required password_number_required
	 password_symbol_required password_uppercase_required prevent_merge_requests_author_approval
	 prevent_merge_requests_committers_approval protected_ci_variables recaptcha_enabled
	 require_admin_approval_after_user_signup require_admin_two_factor_authentication
	 require_personal_access_token_expiry require_two_factor_authentication send_user_confirmation_email
	 service_access_tokens_expiration_enforced unique_ips_limit_enabled user_default_external
	 user_defaults_to_private_profile

	 throttle_authenticated_api_enabled throttle_authenticated_deprecated_api_enabled
	 throttle_authenticated_files_api_enabled throttle_authenticated_git_lfs_enabled
	 throttle_authenticated_packages_api_enabled throttle_authenticated_web_enabled
	 throttle_incident_management_notification_enabled throttle_protected_paths_enabled
	 throttle_unauthenticated_api_enabled throttle_unauthenticated_deprecated_api_enabled
	 throttle_unauthenticated_enabled throttle_unauthenticated_files_api_enabled
	 throttle_unauthenticated_git_lfs_enabled throttle_unauthenticated_packages_api_enabled
	 throttle_unauthenticated_web_enabled`: OpensIf(false),
		`default_group_visibility default_project_visibility default_snippet_visibility`: opensToViewers,
		`default_branch_protection`:          opensByProtection,
		`default_branch_protection_defaults`: OpensUnprotected,
		`default_project_creation`:           OpensAlong("0", "3", "1", "2"),
		`email_confirmation_setting`:         OpensAlong("hard", "soft", "off"),
		`dsa_key_restriction ecdsa_key_restriction ecdsa_sk_key_restriction ed25519_key_restriction
	 ed25519_sk_key_restriction rsa_key_restriction`: OpensAlong("-1", "4096", "3072", "2048", "1024", "521", "384",
			"256", "0"),
		`allowed_integrations import_sources valid_runner_registrars geo_node_allowed_ips globally_allowed_ips
	 outbound_local_requests_allowlist_raw outbound_local_requests_whitelist git_rate_limit_users_allowlist
	 users_get_by_id_limit_allowlist_raw`: OpensGrowing,
		`restricted_visibility_levels domain_denylist disabled_oauth_sign_in_sources`: OpensShrinking,
		`domain_allowlist`: OpensAllowing,
		`email_restrictions external_authorization_service_url external_pipeline_validation_service_url`: OpensEmptied,
		`minimum_password_length failed_login_attempts_unlock_period_in_minutes`:                         OpensFalling,
		`max_login_attempts max_personal_access_token_lifetime max_ssh_key_lifetime
	 git_two_factor_session_expiry unique_ips_limit_per_user max_number_of_repository_downloads`: OpensRaised,
	})
})

// byWord returns the value of each word in lists of words.
func byWord[V any](lists map[string]V) map[string]V {
	all := map[string]V{}
	for list, v := range lists {
		for word := range strings.FieldsSeq(list) {
			all[word] = v
		}
	}
	return all
}

// OpensUnprotected marks the protection of branches in an object, which opens something
// when any of its fields becomes weaker.
func OpensUnprotected(a *Attr) { a.Opens = ofExisting(unprotects) }

func unprotects(before, after cty.Value) bool {
	if after.IsNull() {
		return false
	}
	is := func(v cty.Value, field string) cty.Value { return nullIsFalse(v.GetAttr(field)) }
	for field, open := range map[string]bool{
		"allow_force_push": true, "code_owner_approval_required": false, "developer_can_initial_push": true,
	} {
		if becomes(open)(is(before, field), is(after, field)) {
			return true
		}
	}
	for _, field := range []string{"allowed_to_push", "allowed_to_merge"} {
		if grows(rolesOf(before.GetAttr(field)), rolesOf(after.GetAttr(field))) {
			return true
		}
	}
	return false
}

// rolesOf returns all roles that a list of access levels lets through: the named ones
// and those above them.
func rolesOf(levels cty.Value) cty.Value {
	least := lowestLevel(levels)
	var let []cty.Value
	for _, role := range []int64{30, 40, admin} {
		if least > 0 && role >= least {
			let = append(let, cty.NumberIntVal(role))
		}
	}
	if let == nil {
		return cty.SetValEmpty(cty.Number)
	}
	return cty.SetVal(let)
}

// lowestLevel returns the lowest access level above 0 in a list, or 0.
func lowestLevel(levels cty.Value) (least int64) {
	if levels.IsNull() {
		return 0
	}
	for _, of := range levels.Elements() {
		level := of.GetAttr("access_level")
		if !isNumber(level) {
			continue
		}
		if n, _ := level.AsBigFloat().Int64(); n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}
