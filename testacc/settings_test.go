package testacc

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
)

// suspects are values by type. Each rule of the catalogue's settings refuses at least one.
var suspects = map[catalogue.Type][]any{
	catalogue.Boolean:      {false},
	catalogue.Integer:      {-2, 0, 1, 101, 70000, 1 << 31, 1 << 53},
	catalogue.Number:       {-0.5, 1e9},
	catalogue.Text:         {":( no [", "/../x", long(1 << 20)},
	catalogue.Time:         {"soon"},
	catalogue.Visibility:   {"open"},
	catalogue.Texts:        {[]string{"a b"}, []string{""}},
	catalogue.Integers:     {[]int{0}},
	catalogue.Visibilities: {[]string{"open"}},
	catalogue.Switches:     {map[string]bool{"paper": true}},
	catalogue.Weights:      {map[string]int{"tape": 1}},
}

// TestSettingsAgree checks for every rule of the catalogue's settings that hew validate and the
// server both refuse a value that breaks it.
func TestSettingsAgree(t *testing.T) {
	t.Parallel()
	l := settingsLife(t)
	refused := 0
	for _, s := range catalogue.Settings() {
		for _, v := range suspects[s.Type] {
			if !s.Writable || s.Check(v) == nil {
				continue
			}
			refused++
			l.declare(fmt.Sprintf("resource \"application_settings\" \"it\" {\n  %s = %s\n}\n", s.Key, asJSON(v)))
			code, _, stderr := l.try("validate")
			require.Equal(t, 1, code, "hew validate takes %s = %.80v", s.Key, v)
			require.Contains(t, stderr, s.Key)
			reply := l.server.Do(t, l.server.RootToken, "PUT", "/application/settings", map[string]any{s.Key: v})
			require.Equal(t, http.StatusBadRequest, reply.Status, "the server takes %s = %.80v", s.Key, v)
			require.Contains(t, string(reply.Body), cmp.Or(s.Alias, s.Key))
			break
		}
	}
	require.Greater(t, refused, 220, "settings with a rule")
}

// Hosts add their own name to the domains that their proxy lets through. That is not drift, whether
// the configuration names the host or not; any other name is.
func TestOwnHostIsNoDrift(t *testing.T) {
	t.Parallel()
	l := settingsLife(t)
	for _, domains := range []string{`["a.example", "b.example"]`, `["a.example", "127.0.0.1"]`, `["127.0.0.1"]`} {
		l.declare("resource \"application_settings\" \"it\" {\n  asset_proxy_allowlist = " + domains + "\n}\n")
		l.hew(0, "apply", "-auto-approve")
		reply := l.server.Do(t, l.server.RootToken, "GET", "/application/settings", nil)
		require.Regexp(t, `"asset_proxy_allowlist":[^]]*"127.0.0.1"`, string(reply.Body))
		l.hew(0, "plan", "-detailed-exitcode")
		l.hew(0, "drift")
	}
	l.server.Do(t, l.server.RootToken, "PUT", "/application/settings",
		map[string]any{"asset_proxy_allowlist": []string{"c.example"}})
	require.Contains(t, strings.ReplaceAll(l.hew(2, "drift"), "\n", " "), "c.example")
}

// settingsLife is the life of the settings of a server.
func settingsLife(t *testing.T) *life {
	known, stage := kinds(t), newStage(t)
	return &life{T: t, stage: stage, kind: known["application_settings"], known: known, dir: t.TempDir(),
		proxy: newProxy(t, stage.server)}
}
