package send_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
	"hew/server/hook"
	"hew/server/integration/send"
	"hew/server/servertest"
)

// pretty indents JSON, and leaves everything else as it is.
func pretty(body []byte) string {
	var b bytes.Buffer
	if !bytes.HasPrefix(body, []byte("{")) || bytes.Contains(bytes.TrimSpace(body), []byte("\n")) {
		return string(body)
	}
	if json.Indent(&b, body, "", "  ") != nil {
		return string(body)
	}
	return b.String()
}

// event returns the event of a file in testdata/events.
func event(t testing.TB, name string) send.Event {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", "events", name+".json"))
	require.NoError(t, err)
	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, body))
	kind, _, _ := strings.Cut(name, "-")
	e := send.Event{
		Kind: kind, Header: hook.Header(kind), ID: "0c6e5a3e-0000-4000-8000-000000000001",
		Base: "https://git.example.com", Body: compact.Bytes(),
	}
	if kind == send.PushEvents || kind == send.PipelineEvents {
		e.Branch = "main"
	}
	e, err = send.New(e)
	require.NoError(t, err)
	return e
}

// settingsOf returns settings of an integration: a value for each parameter that is required, the
// defaults, and what the test says.
func settingsOf(i catalogue.Integration, more map[string]any) send.Settings {
	s := send.Settings{}
	for _, p := range i.Parameters {
		switch {
		case p.Default != nil:
			s[p.Name] = p.Default
		case p.Required && p.IsAddress():
			s[p.Name] = "https://service.example.com/" + p.Name
		case p.Required:
			s[p.Name] = "my-" + p.Name
		}
	}
	for name, value := range more {
		s[name] = value
	}
	return s
}

// more is what the recorded integrations have beyond what is required.
var more = map[string]map[string]any{
	"campfire":        {"subdomain": "acme", "room": "Ops"},
	"assembla":        {"subdomain": "acme"},
	"datadog":         {"datadog_site": "datadoghq.eu", "datadog_env": "prod", "datadog_tags": "a:b\nc:d"},
	"emails-on-push":  {"recipients": "dev@example.com ops@example.com"},
	"pipelines-email": {"recipients": "dev@example.com,ops@example.com"},
	"github":          {"repository_url": "https://github.com/acme/web"},
	"hangouts-chat":   {"webhook": "https://service.example.com/v1/spaces/1?key=a&token=b"},
	"irker":           {"recipients": "irc://irc.example.net/#all dev", "default_irc_uri": "irc://irc.example.net/"},
	"jenkins":         {"project_name": "folder/my job", "username": "ann", "password": "s3cret-password"},
	"jira": {
		"url": "https://service.example.com", "username": "ann", "jira_issue_transition_automatic": true,
	},
	"matrix":   {"room": "!room:example.com"},
	"pushover": {"priority": "0", "device": "phone"},
	"slack": {
		"channel": "general", "username": "hewd", "issue_channel": "issues, #bugs",
		"webhook": "https://service.example.com/services/T/B/X",
	},
	"telegram": {"room": "@ops", "token": "1:tele-token"},
	"discord":  {"issue_channel": "https://other.example.com/issues"},
}

// TestRequests records what each integration sends for each kind of event, in a file for each.
func TestRequests(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/events/*.json")
	require.NoError(t, err)
	for _, i := range catalogue.Integrations() {
		action := send.Of(i.Slug)
		if len(action.Kinds()) == 0 {
			continue
		}
		t.Run(i.Slug, func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t)
			r.answers["/rooms.json"] = `{"rooms":[{"id":1,"name":"All"},{"id":7,"name":"Ops"}]}`
			r.answers["/transitions"] = `{"transitions":[{"id":"11","to":{"statusCategory":{"key":"new"}}},
				{"id":"31","to":{"statusCategory":{"key":"done"}}}]}`
			var all strings.Builder
			for _, file := range files {
				name := strings.TrimSuffix(filepath.Base(file), ".json")
				require.NoError(t, action.Run(t.Context(), event(t, name), settingsOf(i, more[i.Slug]), r.call), name)
				if got := r.take(); got != "" {
					all.WriteString("# " + name + "\n" + got)
				}
			}
			require.NotEmpty(t, all.String())
			servertest.Golden(t, filepath.Join("testdata", i.Slug+".txt"), all.String())
		})
	}
}

// TestCatalogue holds the table of actions to the catalogue: every integration has a row and there
// are no others, its class is that of the catalogue, and its flags are flags of the integration.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, i := range catalogue.Integrations() {
		seen[i.Slug] = true
		action := send.Of(i.Slug)
		require.Equal(t, i.Action, string(action.Class), i.Slug)
		acts := action.Class == send.Sends || action.Class == send.Triggers
		require.Equal(t, acts, len(action.Kinds()) > 0, i.Slug)
		for _, kind := range action.Kinds() {
			flag := action.Flag(kind)
			require.True(t, i.Has(flag), "%s has no flag %s", i.Slug, flag)
		}
	}
	for _, slug := range send.All() {
		require.True(t, seen[slug], "%s is not in the catalogue", slug)
	}
}
