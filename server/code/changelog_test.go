package code

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

func renderTemplate(t *testing.T, template string, data any) (string, error) {
	t.Helper()
	nodes, err := parseTemplate(template)
	if err != nil {
		return "", err
	}
	var out templateOutput
	err = out.render(nodes, data)
	return out.String(), err
}

func TestTemplates(t *testing.T) {
	t.Parallel()
	data := map[string]any{
		"name": "Ada", "age": 36, "gone": false, "empty": "", "none": []any{},
		"list": []any{"a", "b"}, "users": []any{map[string]any{"name": "X"}, map[string]any{"name": "Y"}},
	}
	for _, tt := range []struct{ template, want string }{
		{"", ""},
		{"{{name}} is {{ age }}, {{missing}}{{name.x}}{{list}}", "Ada is 36, "},
		{"{{list.1}}{{users.0.name}}{{list.7}}{{list.x}}", "bX"},
		{"{% each list %}\n- {{ it }}\n{% end %}\nend", "- a\n- b\nend"},
		{"{% each users %}{{name}} {% end %}{% each name %}x{% end %}{% each missing %}x{% end %}", "X Y "},
		{"{% if name %}yes{% else %}no{% end %}{% if gone %}yes{% else %}no{% end %}", "yesno"},
		{"{% if empty %}1{% end %}{% if none %}2{% end %}{% if age %}3{% end %}{% if users %}4{% end %}", "34"},
		{"a \\\nb\\c {x} { %}", "a b\\c {x} { %}"},
		{"{% if name %}{% each list %}{% if it %}{{it}}{% end %}{% end %}{% end %}", "ab"},
	} {
		got, err := renderTemplate(t, tt.template, data)
		require.NoError(t, err, tt.template)
		require.Equal(t, tt.want, got, tt.template)
	}
	for template, why := range map[string]string{
		"{% if name %}":          "has no {% end %}",
		"{% end %}":              "closes nothing",
		"{% each a %}{% else %}": "has no {% end %}",
		"{% for x %}":            `"for" is not a statement`,
		"{{ name ":               "{{ has no }}",
		"{{ a b }}":              `"a b" is not the name of a value`,
		"{{ .a }}":               "is not the name",
		"{{ 12345678901 }}":      "is not the name",
		strings.Repeat("{% if a %}", maxDepth+2) + strings.Repeat("{% end %}", maxDepth+2): "more than 32 tags",
		strings.Repeat("{% each it %}", 5) + "x" + strings.Repeat("{% end %}", 5):          "up to 4 loops",
	} {
		_, err := renderTemplate(t, template, []any{[]any{[]any{[]any{[]any{"a"}}}}})
		require.ErrorContains(t, err, why, template)
	}
	large := strings.Repeat("x", 1<<20)
	_, err := renderTemplate(t, "{% each it %}{% each it %}{{it}}{% end %}{% end %}",
		[]any{[]any{large, large, large, large, large, large}, []any{large, large, large, large, large, large}})
	require.ErrorContains(t, err, "longer than 10 MiB")
}

func TestDefaultChangelog(t *testing.T) {
	t.Parallel()
	entry := func(title string, more map[string]any) map[string]any {
		e := map[string]any{"title": title, "commit": map[string]any{"reference": "acme/site@1"}}
		for key, value := range more {
			e[key] = value
		}
		return e
	}
	got, err := renderTemplate(t, changelogTemplate, map[string]any{"categories": []any{
		map[string]any{"title": "Features", "count": 2, "single_change": false, "entries": []any{
			entry("One", map[string]any{"author": map[string]any{"reference": "@ada", "credit": true}}),
			entry("Two", map[string]any{"author": map[string]any{"reference": "@bob", "credit": false}}),
		}},
		map[string]any{"title": "Fixes", "count": 1, "single_change": true, "entries": []any{
			entry("Three", map[string]any{"merge_request": map[string]any{"reference": "acme/site!7"}}),
		}},
	}})
	require.NoError(t, err)
	require.Equal(t, `### Features (2 changes)

- [One](acme/site@1) by @ada
- [Two](acme/site@1)

### Fixes (1 change)

- [Three](acme/site@1) ([merge request](acme/site!7))
`, strings.TrimRight(got, "\n")+"\n")
	got, err = renderTemplate(t, changelogTemplate, map[string]any{"categories": []any(nil)})
	require.NoError(t, err)
	require.Equal(t, "No changes.\n", got)
}

func TestChangelogDates(t *testing.T) {
	t.Parallel()
	at := time.Date(2021, 2, 3, 4, 5, 6, 0, time.UTC)
	for format, want := range map[string]string{
		"%Y-%m-%d": "2021-02-03", "%d %B %y, %A": "03 February 21, Wednesday", "%-d.%-m. %H:%M:%S %%": "3.2. 04:05:06 %",
		"%Q %": "%Q %", "%e": " 3", "%F %T %Z": "2021-02-03 04:05:06 UTC", "January 2": "January 2",
	} {
		require.Equal(t, want, changelogConfig{dateFormat: format}.formatDate(at), format)
	}
}

func TestChangelogConfigIsChecked(t *testing.T) {
	t.Parallel()
	for text, why := range map[string]string{
		"- a":                                    "must be a Hash",
		"date_format: [a]":                       `"date_format" configuration key must be a String`,
		"template: '{% if %}'":                   "Failed to parse the template",
		"categories: [a]":                        `"categories" configuration key must be a Hash`,
		"categories: {a: {b: c}}":                "must be a String",
		"include_groups: a":                      "must be an Array",
		"tag_regex: '('":                         "previous tag for a version is invalid",
		"tag_regex: " + strings.Repeat("x", 600): "longer than 511",
		"x: &a [b]\ncategories: *a":              `must be a Hash`,
	} {
		var doc yaml.Node
		require.NoError(t, yaml.Unmarshal([]byte(text), &doc))
		require.ErrorContains(t, (&changelogConfig{categories: map[string]string{}}).read(doc.Content[0]), why, text)
	}
}

func TestAddSection(t *testing.T) {
	t.Parallel()
	section := func(version string) string { return "## " + version + " (2021-01-01)\n\nText.\n\n" }
	text := ""
	for _, version := range []string{"1.1.0", "2.0.0", "v1.0.0", "1.10.0", "1.2.0", "2.0.0-rc1"} {
		var added bool
		text, added = addSection(text, version, section(version))
		require.True(t, added, version)
		again, added := addSection(text, version, section(version))
		require.False(t, added, version)
		require.Equal(t, text, again)
	}
	var found []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "## ") {
			found = append(found, strings.Fields(line)[1])
		}
	}
	require.Equal(t, []string{"2.0.0", "2.0.0-rc1", "1.10.0", "1.2.0", "1.1.0", "v1.0.0"}, found)
	require.NotContains(t, text, "\n\n\n")
	require.True(t, strings.HasSuffix(text, "Text.\n"))

	text, added := addSection("# Changes\n\nWords.\n\n## 1.0.0\n\nOld.\n", "1.1.0", section("1.1.0"))
	require.True(t, added)
	require.Equal(t, "# Changes\n\nWords.\n\n## 1.1.0 (2021-01-01)\n\nText.\n\n## 1.0.0\n\nOld.\n", text)
	_, added = addSection("## v1.0.0\n", "1.0.0", section("1.0.0"))
	require.False(t, added)
}
