package provider

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
)

// settingOpenings has steps for settings whose names do not tell the direction.
var settingOpenings = map[string]opening{
	"signup_enabled": turnedOn, "anonymous_searches_allowed": turnedOn, "project_export_enabled": turnedOn,
	"bulk_import_enabled": turnedOn, "silent_admin_exports_enabled": turnedOn, "remember_me_enabled": turnedOn,
	"password_authentication_enabled_for_git": turnedOn, "password_authentication_enabled_for_web": turnedOn,
	"user_oauth_applications": turnedOn, "nuget_skip_metadata_url_validation": turnedOn,
	"package_registry_allow_anyone_to_pull_option":      turnedOn,
	"group_owners_can_manage_default_branch_protection": turnedOn,
	"default_group_visibility":                          widened, "default_project_visibility": widened,
	"default_snippet_visibility": widened, "default_branch_protection": lowered,
	"default_branch_protection_defaults": {fullProtection(), forcePushed},
	"default_project_creation":           {number(1), number(2)},
	"email_confirmation_setting":         {text("hard"), text("off")},
	"dsa_key_restriction":                {number(-1), number(1024)},
	"rsa_key_restriction":                {number(4096), number(2048)},
	"ecdsa_key_restriction":              {number(384), number(256)}, "ecdsa_sk_key_restriction": {number(256), number(0)},
	"ed25519_key_restriction": {number(-1), number(0)}, "ed25519_sk_key_restriction": {number(-1), number(0)},
	"geo_node_allowed_ips":                  {text("10.0.0.1"), text("10.0.0.1, 10.0.0.2")},
	"globally_allowed_ips":                  {text(""), text("10.0.0.1")},
	"outbound_local_requests_allowlist_raw": {text("a"), text("a\nb")},
	"users_get_by_id_limit_allowlist_raw":   {text("a"), text("a\nb")}, "allowed_integrations": listed,
	"import_sources": listed, "valid_runner_registrars": listed, "outbound_local_requests_whitelist": listed,
	"git_rate_limit_users_allowlist": listed,
	"restricted_visibility_levels":   unlisted, "domain_denylist": unlisted,
	"disabled_oauth_sign_in_sources": unlisted, "domain_allowlist": listed, "email_restrictions": emptied,
	"external_authorization_service_url": emptied, "external_pipeline_validation_service_url": emptied,
	"minimum_password_length": lowered, "failed_login_attempts_unlock_period_in_minutes": lowered,
	"max_login_attempts": raised, "max_personal_access_token_lifetime": raised, "max_ssh_key_lifetime": raised,
	"git_two_factor_session_expiry": raised, "unique_ips_limit_per_user": raised,
	"max_number_of_repository_downloads": unlimited,
}

// TestSettingsThatOpenSomething: bools that are not in the table open something when they
// are switched off, but for those that allow something.
func TestSettingsThatOpenSomething(t *testing.T) {
	t.Parallel()
	k := the(applicationSettings)
	for key := range openingSettings() {
		a := k.Attr(key)
		require.NotNil(t, a, "openingSettings has %s, which is not a setting", key)
		require.NotNil(t, a.Opens, key)
		s, has := settingOpenings[key]
		if !has {
			require.Equal(t, cty.Bool, a.Type, "settingOpenings has no step for %s", key)
			if s = turnedOff; allowing.MatchString(key) {
				s = turnedOn
			}
		}
		require.True(t, a.Widens(s.before, s.after), key)
		require.False(t, a.Widens(s.after, s.before), "%s reversed", key)
	}
	for key := range settingOpenings {
		require.Contains(t, openingSettings(), key)
	}
}

var allowing = regexp.MustCompile(`^(allow|can)_`)
