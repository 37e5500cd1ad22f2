package provider

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
)

// What no host takes is refused before one is asked.
func TestRefusedOffline(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ config, says string }{
		"a token without access": {`resource "group_access_token" "t" {
  group        = "acme"
  name         = "x"
  scopes       = ["api"]
  access_level = "no_access"
}`, "cannot be granted; remove the resource instead"},
		"a member without access": {`resource "project_member" "m" {
  project      = "acme/web"
  user         = "bob"
  access_level = 0
}`, "cannot be granted; remove the resource instead"},
		"a share without access": {`resource "project_share" "s" {
  project      = "acme/web"
  share_group  = "guests"
  group_access = "no access"
}`, "cannot be granted; remove the resource instead"},
		"a group shared with itself": {`resource "group_share" "s" {
  group        = "acme"
  share_group  = "acme"
  group_access = "guest"
}`, "a group cannot be shared with itself"},
		"an address that is missing": {`resource "alert_integration" "a" {
  project = "acme/web"
  name    = "x"
  type    = "prometheus"
}`, "api_url is required if type is prometheus; "},
		"a part of what goes as a whole": {`resource "project_approval_settings" "a" {
  project                       = "acme/web"
  selective_code_owner_removals = true
  reset_approvals_on_push       = true
}`, "set reset_approvals_on_push = false"},
		"what the group above says already": {`resource "integration" "i" {
  project                = "acme/web"
  slug                   = "jira"
  use_inherited_settings = true
  push_events            = true
}`, "remove one of the two"},
		"an outsider who makes groups": {`resource "user" "u" {
  username         = "u"
  email            = "u@h.example"
  name             = "U"
  external         = true
  can_create_group = true
}`, "an external user cannot create groups; remove can_create_group, or set external = false"},
		"a secret that anybody reads": {`resource "project_variable" "v" {
  project = "acme/web"
  key     = "K"
  value   = "12345678"
  hidden  = true
  masked  = false
}`, "a hidden variable is always masked; remove masked"},
		"a runner without a job": {`resource "project_runner" "r" {
  project      = "acme/web"
  description  = "r"
  run_untagged = false
}`, "no job could run on a runner with run_untagged = false and no tags; set tag_list, or remove run_untagged"},
		"a locked runner elsewhere": {`resource "project_runner" "r" {
  project     = "acme/web"
  description = "r"
  locked      = true
  projects    = ["acme/api"]
}`, "a locked runner cannot have further projects; remove projects or locked"},
		"settings twice": {`resource "application_settings" "a" { signup_enabled = false }
resource "application_settings" "b" { signup_enabled = true }`, "A host has only one application_settings, and it is already declared at main.hcl:1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg, diags := config.Load(t.Context(),
				fstest.MapFS{"main.hcl": {Data: []byte(tt.config)}}, ".", Kinds(), config.Vars{})
			if !diags.HasErrors() {
				_, diags = cfg.NewEval().Run(t.Context(), nil)
			}
			require.ErrorContains(t, diags, tt.says)
		})
	}
}
