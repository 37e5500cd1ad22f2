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
}`, "no access is no level that can be given"},
		"a member without access": {`resource "project_member" "m" {
  project      = "acme/web"
  user         = "bob"
  access_level = 0
}`, "no access is no level that can be given"},
		"a share without access": {`resource "project_share" "s" {
  project      = "acme/web"
  share_group  = "guests"
  group_access = "no access"
}`, "no access is no level that can be given"},
		"a group shared with itself": {`resource "group_share" "s" {
  group        = "acme"
  share_group  = "acme"
  group_access = "guest"
}`, "a group cannot be shared with itself"},
		"settings twice": {`resource "application_settings" "a" { signup_enabled = false }
resource "application_settings" "b" { signup_enabled = true }`, "There is one application_settings on a host, and it is declared already at main.hcl:1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg, diags := config.Load(fstest.MapFS{"main.hcl": {Data: []byte(tt.config)}}, ".", Kinds(), config.Vars{})
			if !diags.HasErrors() {
				_, diags = cfg.NewEval().Run(nil)
			}
			require.ErrorContains(t, diags, tt.says)
		})
	}
}
