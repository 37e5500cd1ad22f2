package hook

import (
	"context"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// flagsOf are the columns of a struct of flags.
func flagsOf(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		names = append(names, t.Field(i).Tag.Get("db"))
	}
	return names
}

// eventless are the flags that stand for no event of a group or project.
var eventless = []string{
	"repository_update_events", "enable_ssl_verification", "service_access_tokens_expiration_enforced",
}

// Every flag has its event, and those of groups alone are the ones that only groups have a flag
// for.
func TestEventsAreFlags(t *testing.T) {
	t.Parallel()
	both, groups := flagsOf(reflect.TypeFor[Flags[bool]]()), flagsOf(reflect.TypeFor[GroupFlags[bool]]())
	var flags []string
	for _, e := range hookEvents {
		if e.only == instanceOnly { // sent to all hooks of the instance
			continue
		}
		flags = append(flags, e.flag)
		require.Equal(t, e.only == groupOnly, slices.Contains(groups, e.flag), e.flag)
	}
	require.ElementsMatch(t, append(both, groups...), append(flags, eventless...))
}

// The name of an event in the list of deliveries identifies the event.
func TestTriggers(t *testing.T) {
	t.Parallel()
	triggers, system := map[string]string{}, map[string]string{}
	for _, e := range hookEvents {
		if e.only == instanceOnly {
			system[e.trigger()] = e.flag
			require.Equal(t, "System Hook", e.header())
		} else {
			triggers[e.trigger()] = e.flag
			require.Equal(t, e.name, e.header())
		}
	}
	require.Len(t, hookEvents, len(triggers)+len(system))
	require.Equal(t, "system_push_events", system["push_hooks"])
	require.Equal(t, "push_events", triggers["push_hooks"])
	require.Equal(t, "resource_access_token_events", triggers["resource_access_token_hooks"])
	require.Equal(t, "confidential_issues_events", triggers["confidential_issue_hooks"])
}

// The triggers that the specification names have tests (gaps §3.3, §4.4).
func TestTestable(t *testing.T) {
	t.Parallel()
	want := map[string]bool{}
	for _, flag := range []string{
		"push_events", "tag_push_events", "issues_events", "confidential_issues_events", "note_events",
		"merge_requests_events",
		"job_events", "pipeline_events", "wiki_page_events", "releases_events", "milestone_events", "emoji_events",
		"resource_access_token_events", "subgroup_events", "member_events", "project_events", "system_events",
	} {
		want[flag] = true
	}
	got := map[string]bool{}
	for _, e := range hookEvents {
		if e.sample != nil {
			got[e.flag] = true
		}
	}
	require.True(t, maps.Equal(want, got), "%v", got)
}

func TestHears(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		strategy, filter, branch string
		want                     bool
	}{
		{"wildcard", "", "main", true},
		{"wildcard", "main", "main", true},
		{"wildcard", "main", "main2", false},
		{"wildcard", "m.in", "main", false},
		{"wildcard", "*-stable", "8-stable", true},
		{"wildcard", "*-stable", "stable", false},
		{"wildcard", "release/*", "release/1/2", true},
		{"regex", "^(main|dev)", "develop", true},
		{"regex", "^main$", "domain", false},
		{"regex", "main", "domain", true},
		{"all_branches", "main", "other", true},
		{"wildcard", "main", "", true}, // a tag, or nothing of git
	} {
		h := Hook{BranchFilterStrategy: tt.strategy, PushEventsBranchFilter: tt.filter}
		require.Equal(t, tt.want, acceptsBranch(h, tt.branch), "%+v", tt)
	}
}

func TestChains(t *testing.T) {
	t.Parallel()
	const uuid = "7a2d4a44-6c0a-4d8e-9f2c-1d9a3f0c5b11"
	for given, want := range map[string]string{
		"": "", uuid: uuid, "7A2D4A44-6C0A-4D8E-9F2C-1D9A3F0C5B11": uuid, "x" + uuid: "", "' or true --": "",
	} {
		require.Equal(t, want, chainOf(InChain(context.Background(), given)), given)
	}
	require.Regexp(t, uuidForm, NewUUID())
	require.NotEqual(t, NewUUID(), NewUUID())
}

func TestFillTemplate(t *testing.T) {
	t.Parallel()
	const payload = `{"kind":"push","n":12345678901234567890,"project":{"name":"a \"b\" <c>","tags":["x","y"],"none":null}}`
	for _, tt := range []struct{ template, want string }{
		{`{"event":"{{kind}}"}`, `{"event":"push"}`},
		{`{"event":"{{ kind }} of {{project.name}}"}`, `{"event":"push of a \"b\" <c>"}`},
		{`{"n":{{n}},"all":{{project.tags}},"second":"{{project.tags.1}}"}`,
			`{"n":12345678901234567890,"all":["x","y"],"second":"y"}`},
		{`{"none":{{project.none}},"missing":{{a.b.c}},"far":{{project.tags.7}}}`,
			`{"none":null,"missing":null,"far":null}`},
		{`{"plain":"{kind}"}`, `{"plain":"{kind}"}`},
		{`{"event":{{kind}}}`, ``},
		{`{{{`, ``},
	} {
		got, err := fillTemplate(tt.template, []byte(payload))
		if tt.want == "" {
			require.ErrorContains(t, err, "does not make valid JSON", tt.template)
			continue
		}
		require.NoError(t, err, tt.template)
		require.Equal(t, tt.want, string(got))
	}
}

// A template is short, but what it asks for need not be: it is cut off before there is much of it.
// It is not run beside others, for what they take is counted as well.
func TestFillTemplateStops(t *testing.T) {
	payload := []byte(`{"all":"` + strings.Repeat("x", 1<<20) + `"}`)
	for n, want := range map[int]string{24: "", 25: "more than 25 MB", 500: "more than 25 MB"} {
		template := `["` + strings.Repeat("{{all}}", n) + `"]`
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := fillTemplate(template, payload)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(500<<20), "%d: less than the longest would be", n)
		if want != "" {
			require.ErrorContains(t, err, want, n)
			continue
		}
		require.NoError(t, err, n)
		require.Len(t, got, n<<20+4)
	}
}

func TestRedactor(t *testing.T) {
	t.Parallel()
	r := NewRedactor([]string{`s3cr3t`, `s3cr3t+more`, `a "quoted" one`, `1`, `ü/+&?`})
	for text, want := range map[string]string{
		`token s3cr3t!`:             `token [REDACTED]!`,
		`s3cr3t+more`:               `[REDACTED]`,
		`?a=s3cr3t%2Bmore`:          `?a=[REDACTED]`,
		`{"x":"a \"quoted\" one"}`:  `{"x":"[REDACTED]"}`,
		`/a%20%22quoted%22%20one/1`: `/[REDACTED]/1`,
		`/%C3%BC/+&%3F/1`:           `/[REDACTED]/1`,
	} {
		require.Equal(t, want, r.Replace(text))
	}
	require.Equal(t, "so s3cr3t ", r.cutPartialSecret("so s3cr3t s3cr3t+mo"))
	require.Equal(t, "so", r.cutPartialSecret("so"))
	require.Equal(t, []string{"pw", "YW5uOnB3"}, credentialsOf("https://ann:pw@example.com"))
	require.Equal(t, []string{"token", "dG9rZW46"}, credentialsOf("https://token@example.com"))
	require.Empty(t, credentialsOf("https://example.com"))
}

func TestJoined(t *testing.T) {
	t.Parallel()
	for _, tt := range [][3]string{{`{}`, `{}`, `{}`}, {`{"a":1}`, `{}`, `{"a":1}`}, {`{}`, `{"b":2}`, `{"b":2}`},
		{`{"a":1}`, `{"b":2}`, `{"a":1,"b":2}`}} {
		require.Equal(t, tt[2], string(joinObjects([]byte(tt[0]), []byte(tt[1]))))
	}
}
