package provider

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema/catalogue"
)

// settingsHost answers the settings before and after the one update.
func settingsHost(t *testing.T, before, after string) *host {
	now := before
	return serve(t, script{
		"GET /user":                 {status: 200, body: root},
		"GET /application/settings": {do: func(w http.ResponseWriter, _ *http.Request) { reply(w, 200, now) }},
		"PUT /application/settings": {do: func(w http.ResponseWriter, _ *http.Request) {
			now = after
			reply(w, 200, now)
		}},
	})
}

func settingsOf(lines ...string) string {
	return "resource \"application_settings\" \"it\" {\n" + strings.Join(lines, "\n") + "\n}\n"
}

// D06: empty is a value: here it means ssh and http.
func TestEmptySettingsAreSent(t *testing.T) {
	t.Parallel()
	h := settingsHost(t, `{"id":1,"enabled_git_access_protocol":"ssh","signup_enabled":true}`,
		`{"id":1,"enabled_git_access_protocol":null,"signup_enabled":true}`)
	back, src := ledger.Memory(), settingsOf(`enabled_git_access_protocol = ""`)
	require.Equal(t, []string{"= application_settings.it enabled_git_access_protocol"}, h.run(t, back, true, src))
	require.Equal(t, []string{`PUT /application/settings {"enabled_git_access_protocol":""}`}, h.wrote())
	require.Equal(t, []string{"application_settings.it"}, h.run(t, back, false, src), "null is empty")
	require.ErrorContains(t, the(applicationSettings).Attr("enabled_git_access_protocol").Accepts.Check(valueOf("nil")),
		`"nil" is not included in the list: ssh, http`)
}

// D08: the second plan is empty, also for what the host calls something else, does
// not return, or masks; all that changes goes in one request.
func TestSettingsTwice(t *testing.T) {
	t.Parallel()
	h := settingsHost(t, `{"id":1,"signup_enabled":true,"autocomplete_users":300,"outbound_local_requests_whitelist":[],"outbound_local_requests_allowlist_raw":"",
			"kroki_formats":{"bpmn":false,"mermaid":false},"default_branch_name":null,"polling_interval_multiplier":"1.0","akismet_api_key":null,"akismet_enabled":false}`,
		`{"id":1,"signup_enabled":false,"autocomplete_users":20,"outbound_local_requests_whitelist":["a.example","b.example"],"outbound_local_requests_allowlist_raw":"a.example\nb.example",
			"kroki_formats":{"bpmn":false,"mermaid":true},"default_branch_name":null,"polling_interval_multiplier":"1.5","akismet_api_key":"********","akismet_enabled":true}`)
	src := settingsOf(`signup_enabled = false`, `autocomplete_users_limit = 20`,
		`outbound_local_requests_allowlist_raw = "b.example, a.example"`,
		`kroki_formats = { mermaid = true }`, `polling_interval_multiplier = 1.5`, `akismet_enabled = true`,
		`akismet_api_key = "hush"`, `default_branch_name = ""`)
	back := ledger.Memory()
	require.Equal(t, []string{"= application_settings.it akismet_api_key akismet_enabled autocomplete_users_limit " +
		"kroki_formats outbound_local_requests_allowlist_raw polling_interval_multiplier signup_enabled"},
		h.run(t, back, true, src))
	require.Equal(t, []string{`PUT /application/settings {"akismet_api_key":"hush","akismet_enabled":true,` +
		`"autocomplete_users_limit":20,"kroki_formats":{"mermaid":true},` +
		`"outbound_local_requests_allowlist_raw":"b.example, a.example","polling_interval_multiplier":1.5,` +
		`"signup_enabled":false}`}, h.wrote())
	require.Equal(t, []string{"application_settings.it"}, h.run(t, back, false, src))
}

// What hosts take together is sent together, although only the switch changes.
func TestSettingsThatGoTogether(t *testing.T) {
	t.Parallel()
	off, on := settingsOf(`akismet_enabled = false`, `akismet_api_key = "hush"`),
		settingsOf(`akismet_enabled = true`, `akismet_api_key = "hush"`)
	is, was, back := `{"id":1,"akismet_enabled":true}`, `{"id":1,"akismet_enabled":false}`, ledger.Memory()
	settingsHost(t, was, was).run(t, back, true, off)
	h := settingsHost(t, was, is)
	require.Equal(t, []string{"~ application_settings.it akismet_enabled"}, h.run(t, back, true, on))
	require.Equal(t, []string{`PUT /application/settings {"akismet_api_key":"hush","akismet_enabled":true}`}, h.wrote())
}

// What can be known offline is told before anything is asked of a host.
func TestSettingsAreCheckedOffline(t *testing.T) {
	t.Parallel()
	for src, says := range map[string]string{
		`minimum_password_length = 7`:         "must be greater than or equal to 8",
		`default_projects_limit = 2147483648`: "must be less than or equal to 2147483647",
		`default_branch_name = "a..b"`:        "is not a name that git takes for a branch",
		`outbound_local_requests_whitelist = ["10.0.0.256"]`: "'10.0.0.256' is not a host name, an IP address or a " +
			"network",
		`outbound_local_requests_allowlist_raw = "a b:x"`: "'b:x' is not a host name, an IP address or a network",
		`domain_allowlist = ["a@b.example"]`:              "'a@b.example' is not a domain",
		`default_artifacts_expire_in = "a while"`:         "is not a correct duration",
		`asciidoc_max_includes = 65`:                      "must be less than or equal to 64",
		`default_project_visibility = "open"`:             "is not included in the list: private, internal, public",
		`signup_enabld = true`:                            `Did you mean "signup_enabled"?`,
		`updated_at = "2026-01-01T00:00:00Z"`:             "is set by the host",
		`akismet_enabled = true`: "akismet_enabled = true requires akismet_api_key in the " +
			"same request; set it as well",
		"domain_denylist_enabled = true\ndomain_denylist = []": "Domain denylist cannot be empty if " +
			"denylist is enabled",
		"gitaly_timeout_fast = 20\ngitaly_timeout_medium = 10":             "must be less than or equal to 10",
		"asset_proxy_allowlist = [\"a\"]\nasset_proxy_whitelist = [\"b\"]": "are mutually exclusive",
	} {
		cfg, diags := config.Load(t.Context(), fstest.MapFS{"main.hcl": {Data: []byte(settingsOf(src))}}, ".", Kinds(),
			config.Vars{})
		if !diags.HasErrors() {
			_, diags = cfg.NewEval().Run(t.Context(), nil)
		}
		require.ErrorContains(t, diags, says, src)
	}
}

// Every setting is an attribute; what cannot be set is only read, and of another
// name nobody knows what it goes back to, for the setting may be stated under its own.
func TestEverySettingIsAnAttribute(t *testing.T) {
	t.Parallel()
	require.Len(t, applicationSettings().Table, len(catalogue.Settings()))
	for _, s := range catalogue.Settings() {
		a := the(applicationSettings).Attr(s.Key)
		require.Equal(t, s.Secret, a.IsSecret(), s.Key)
		require.True(t, strings.HasPrefix(a.Doc, s.Doc), s.Key)
		require.True(t, s.Alias == "" || a.Default == nil, s.Key)
	}
}
