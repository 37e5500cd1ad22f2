package testacc

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// rule is what hew validate and the server must agree on: a value of one argument that both refuse,
// and one at the boundary that both take. The request is that of hew apply.
type rule struct {
	kind, argument string
	refused        []any
	taken          []any
	with           map[string]any // other arguments
}

// long returns a text of n characters.
func long(n int) string { return strings.Repeat("x", n) }

// rules are the rules of values that are known beforehand. A value is written into the block as it
// is, and sent as JSON.
var rules = []rule{
	{kind: "group", argument: "path", with: map[string]any{"parent": ""},
		refused: []any{"admin", "Dashboard", "-", "api", "-x", "x.", "x.git", "x.Git", "x.atom", ".x", "a b", long(256)},
		taken:   []any{"blob", "wikis", "x.app", "_x", long(255)}},
	{kind: "group", argument: "path", refused: []any{"new", "-", "blob", "badges", "Tree", "wikis"},
		taken: []any{"admin", "dashboard", "news"}},
	{kind: "group", argument: "name", refused: []any{"!", "#1", "a/b", " ", long(256)},
		taken: []any{"Ünder_the.(sea) + more", "🚀 go", long(255)}},
	{kind: "group", argument: "description", refused: []any{long(501)}, taken: []any{long(500)}},
	{kind: "group", argument: "visibility", refused: []any{"secret"}, taken: []any{"internal"}},
	{kind: "project", argument: "path", refused: []any{"new", "-", "Blob", "badges", "create_dir", "x.git", "-x"},
		taken: []any{"admin", "newer", "_x"}},
	{kind: "project", argument: "name", refused: []any{"!", "a/b", long(256)}, taken: []any{"a (b)", long(255)}},
	{kind: "project", argument: "description", refused: []any{long(2001)}, taken: []any{long(2000)}},
	{kind: "project", argument: "topics", refused: []any{[]string{long(256)}}, taken: []any{[]string{long(255)}}},
	{kind: "project", argument: "build_timeout", refused: []any{599, 2678401}, taken: []any{600, 2678400}},
	{kind: "project", argument: "default_branch", refused: []any{"a..b", "-x", "a b"}, taken: []any{"release/1.x"}},
	{kind: "user", argument: "username", refused: []any{"admin", "a b", "-x", "x.git"}, taken: []any{"rules.one"}},
	{kind: "user", argument: "email", refused: []any{"nobody", "a@b@c", "a b@c"}, taken: []any{"rules@h.example"}},
	{kind: "group_member", argument: "access_level", refused: []any{0, 60}, taken: []any{5, 15, 50}},
	{kind: "group_member", argument: "expires_at", refused: []any{"2020-01-01", "soon"}, taken: []any{"2099-01-01", "2098-01-01"}},
	{kind: "project_member", argument: "access_level", refused: []any{0, 60}, taken: []any{10, 40}},
	{kind: "group_share", argument: "group_access", refused: []any{0, 5, 60}, taken: []any{10, 50}},
	{kind: "group_access_token", argument: "access_level", refused: []any{5, 60}, taken: []any{15}},
	{kind: "group_deploy_token", argument: "username", refused: []any{"a b", "a/b", long(256)},
		taken: []any{"a.b+c_1-2", long(255)}},
	{kind: "group_deploy_token", argument: "scopes", refused: []any{[]string{}, []string{"api"}},
		taken: []any{[]string{"read_registry", "write_virtual_registry"}}},
	{kind: "group_ldap_link", argument: "group_access", with: map[string]any{"cn": "rules"},
		refused: []any{60}, taken: []any{15}},
	{kind: "group_label", argument: "color", refused: []any{"reddish", "#12", "#ggg"}, taken: []any{"red", "#0f0"}},
	{kind: "group_label", argument: "name", refused: []any{"a,b", " ", long(256)}, taken: []any{long(255)}},
	{kind: "project_label", argument: "priority", refused: []any{-1}, taken: []any{0}},
	{kind: "group_milestone", argument: "title", refused: []any{" ", long(256)}, taken: []any{long(255)}},
	{kind: "group_milestone", argument: "due_date", with: map[string]any{"start_date": "2030-02-01"},
		refused: []any{"2030-01-31"}, taken: []any{"2030-02-02"}},
	{kind: "project_hook", argument: "url", refused: []any{"ftp://h.example", "h.example/x",
		"https://h.example/" + long(2040)}, taken: []any{"https://h.example/{x}"}},
	{kind: "project_push_rule", argument: "branch_name_regex", refused: []any{"(", long(512)}, taken: []any{long(511)}},
	{kind: "project_push_rule", argument: "max_file_size", refused: []any{-1}, taken: []any{0}},
	{kind: "project_approval_rule", argument: "approvals_required", refused: []any{-1, 101}, taken: []any{0, 100}},
	{kind: "project_variable", argument: "key", refused: []any{"A-B", "", long(256)}, taken: []any{"a_1", long(255)}},
	{kind: "project_variable", argument: "environment_scope", refused: []any{"/x", "x/", "a!b", long(256)},
		taken: []any{"review/*", "${A}-b c"}},
	{kind: "project_variable", argument: "value", with: map[string]any{"masked": true},
		refused: []any{"short12", "two words", "dollar$sign", "line\nbreak-1"}, taken: []any{"12345678", "a+b=/@:.~-"}},
	{kind: "group_variable", argument: "value", with: map[string]any{"masked": true, "raw": true},
		refused: []any{"short12", "two words"}, taken: []any{"dollar$sign"}},
	{kind: "group_runner", argument: "maximum_timeout", refused: []any{599}, taken: []any{600}},
	{kind: "group_runner", argument: "tag_list", refused: []any{numberedTags(51), []string{long(256)}},
		taken: []any{[]string{long(255)}}},
	{kind: "group_runner", argument: "maintenance_note", refused: []any{long(1025)}, taken: []any{long(1024)}},
	{kind: "pipeline_schedule", argument: "cron", refused: []any{"0 4 * *", "61 4 * * *", "@daily", "0 0 4 * * *"},
		taken: []any{"0 4 * * mon-fri", "*/20 9-17 L * *"}},
	{kind: "pipeline_schedule", argument: "cron_timezone", refused: []any{"Europe/Nowhere", "Local", ""},
		taken: []any{"America/New_York"}},
	{kind: "pipeline_schedule", argument: "description", refused: []any{"", long(256)}, taken: []any{long(255)}},
	{kind: "pipeline_trigger", argument: "description", refused: []any{"", long(256)}, taken: []any{long(255)}},
	{kind: "environment", argument: "name", refused: []any{"/x", "x/", "a*b", "", long(256)},
		taken: []any{"review/${A}-b c", long(255)}},
	{kind: "environment", argument: "external_url", refused: []any{"javascript:alert(1)", "http://h.example/" + long(255)},
		taken: []any{"https://h.example/x"}},
	{kind: "group_package_settings", argument: "nuget_duplicate_exception_regex", refused: []any{"(", "a)|(b", long(256)},
		taken: []any{long(255), `1\.\d+-.*`}},
	{kind: "package_protection_rule", argument: "package_name_pattern",
		with:    map[string]any{"minimum_access_level_for_push": "owner"},
		refused: []any{" ", long(256)}, taken: []any{"@acme/*", long(255)}},
	{kind: "package_protection_rule", argument: "package_type",
		with:    map[string]any{"minimum_access_level_for_push": "owner"},
		refused: []any{"rubygems"}, taken: []any{"terraform_module"}},
	{kind: "package_protection_rule", argument: "minimum_access_level_for_push",
		refused: []any{"developer"}, taken: []any{"maintainer", "admin"}},
	{kind: "topic", argument: "description", refused: []any{long(1025)}, taken: []any{long(1024)}},
	{kind: "alert_integration", argument: "name", refused: []any{long(256)}, taken: []any{long(255)}},
}

func numberedTags(n int) (tags []string) {
	for i := range n {
		tags = append(tags, fmt.Sprintf("tag-%d", i))
	}
	return tags
}

// TestRulesAgree checks that what hew validate refuses the server refuses too, and that both take
// the values at the boundary. The server sees a refused value in the place of a taken one, in the
// request that hew sends for that.
func TestRulesAgree(t *testing.T) {
	t.Parallel()
	known, stage := kinds(t), newStage(t)
	stage.introduce(t, "alice", "bob")
	for i, r := range rules {
		t.Run(fmt.Sprintf("%s.%s_%d", r.kind, r.argument, i), func(t *testing.T) {
			t.Parallel()
			l := &life{T: t, stage: stage, kind: known[r.kind], known: known, dir: t.TempDir(),
				proxy: newProxy(t, stage.server)}
			l.home = fmt.Sprint("rule-", i, "-")
			request := l.sends(r)
			for _, v := range r.refused {
				l.declare(l.withValue(r, v))
				code, _, stderr := l.try("validate")
				require.Equal(t, 1, code, "hew validate takes %s = %v", r.argument, v)
				require.Contains(t, stderr, r.argument)
				reply := l.ask(request, r, v)
				require.Contains(t, []int{400, 422}, reply.Status, "the server takes %s = %v: %s", r.argument, v,
					reply.Body)
			}
		})
	}
}

// sends applies every taken value, and returns the request that creates the object with the last.
func (l *life) sends(r rule) (creates request) {
	for _, v := range r.taken {
		l.declare(l.withValue(r, v))
		code, told, wrong := l.try("apply", "-auto-approve")
		require.Zero(l, code, "%s = %v\n%s%s", r.argument, v, told, wrong)
		for _, sent := range l.proxy.requests() {
			if sent.writes() && strings.Contains(string(sent.Body), string(asJSON(v))) {
				creates = sent
			}
		}
		require.NotEmpty(l, creates.Method, "nothing was sent with %s = %v", r.argument, v)
	}
	return creates
}

// names matches what must not be taken when a request is sent again.
var names = regexp.MustCompile(`"(path|name|title|key|username|email)":"[^"]*"`)

// ask sends a request with another value in the place of the last taken one, and with other names.
func (l *life) ask(sent request, r rule, v any) servertest.Reply {
	last := asJSON(r.taken[len(r.taken)-1])
	other := names.ReplaceAllStringFunc(string(sent.Body), func(pair string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(pair, `"`), `"`)
		switch name {
		case r.argument:
			return pair
		case "email":
			return `"email":"` + l.home + `@h.example"`
		}
		return fmt.Sprintf(`"%s":"%sother"`, name, strings.ReplaceAll(l.home, "-", "_"))
	})
	body := strings.Replace(other, ":"+string(last), ":"+string(asJSON(v)), 1)
	require.NotEqual(l, other, body)
	return l.server.Do(l, l.server.RootToken, sent.Method, sent.target(), json.RawMessage(body))
}

// withValue returns the block with one value of an argument.
func (l *life) withValue(r rule, v any) string {
	values := map[string]string{r.argument: string(asJSON(v))}
	for name, other := range r.with {
		values[name] = string(asJSON(other))
	}
	lines := []string{fmt.Sprintf("resource %q \"it\" {", r.kind)}
	for _, a := range l.kind.Attributes {
		switch value, ok := values[a.Name]; {
		case value == `""` && a.Reference != "": // it is left out
		case ok:
			lines = append(lines, fmt.Sprintf("  %s = %s", a.Name, strings.ReplaceAll(value, "${", "$${")))
		case a.Mode == "required" || a.Name == "parent" || a.Name == "user":
			lines = append(lines, fmt.Sprintf("  %s = %s", a.Name, l.value(a, 0)))
		}
	}
	return strings.Join(append(lines, "}", ""), "\n")
}

func asJSON(v any) []byte {
	var text strings.Builder
	encode := json.NewEncoder(&text)
	encode.SetEscapeHTML(false)
	if err := encode.Encode(v); err != nil {
		panic(err)
	}
	return []byte(strings.TrimSpace(text.String()))
}
