package config_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
)

// H02: whatever is declared in two files is an error that names both places, in
// whichever syntax, and never the last one's win.
func TestTwoFilesDeclareOneThing(t *testing.T) {
	t.Parallel()
	for name, twice := range map[string]struct{ native, json string }{
		"resource":  {`resource "group" "x" { path = "x" }`, `{"resource": {"group": {"x": {"path": "y"}}}}`},
		"data":      {`data "projects" "x" { group = "x" }`, `{"data": {"projects": {"x": {"group": "y"}}}}`},
		"exclusive": {`exclusive "project_hook" "x" { of = 1 }`, `{"exclusive": {"project_hook": {"x": {"of": 2}}}}`},
		"variable":  {`variable "x" { default = 1 }`, `{"variable": {"x": {"default": 2}}}`},
		"local":     {`locals { x = 1 }`, `{"locals": {"x": 2}}`},
		"output":    {`output "x" { value = 1 }`, `{"output": {"x": {"value": 2}}}`},
		"hew":       {`hew {}`, `{"hew": {}}`},
		"provider":  {`provider {}`, `{"provider": {}}`},
		"moved": {
			"moved {\n  from = group.old\n  to = group.x\n}", `{"moved": {"from": "group.old", "to": "group.y"}}`,
		},
		"removed": {
			"removed { from = group.old }", `{"removed": {"from": "group.old", "lifecycle": {"destroy": false}}}`,
		},
	} {
		for second, src := range map[string]string{"b.hcl": twice.native, "b.hcl.json": twice.json} {
			t.Run(name+" in "+second, func(t *testing.T) {
				t.Parallel()
				diags := check(fstest.MapFS{"a.hcl": {Data: []byte("\n" + twice.native)},
					second: {Data: []byte("\n\n" + src)}}, config.Vars{})
				require.True(t, diags.HasErrors(), "one of two was taken")
				var said []string
				for _, d := range diags {
					require.NotNil(t, d.Subject)
					said = append(said, fmt.Sprintf("%s %s: %s", d.Subject, d.Summary, d.Detail))
				}
				text := strings.Join(said, "\n")
				require.Contains(t, text, "a.hcl:")
				require.Contains(t, text, second+":")
			})
		}
	}
}

// H03: the message about an unquoted key shows it with quotes.
func TestUnquotedKeysAreQuotedInTheMessage(t *testing.T) {
	t.Parallel()
	for _, key := range []string{
		"acme/app", "acme/app/api", "acme-inc/a_b", "acme/1app", "acme/app.js", "john.doe", "john.m.doe", "john.doe-2",
		"john@acme.org", "@all", "feature/*", "*", "10.0.0.0/8", "team one", "a+b", "~ops", "v1.2",
	} {
		for form, src := range map[string]string{
			"in one line": `locals { m = { before = 1, %s = "x" } }`,
			"by colon":    `locals { m = { %s : "x" } }`,
			"in lines":    "locals {\n  m = {\n    %s = {\n      a = 1\n    }\n  }\n}",
			"of members": "resource \"group_members\" \"m\" {\n  group = \"acme\"\n  members = {\n    %s = { " +
				"access_level = 30 }\n  }\n}",
		} {
			diags := check(fstest.MapFS{"main.hcl": {Data: fmt.Appendf(nil, src, key)}}, config.Vars{})
			require.True(t, diags.HasErrors(), "%s %s", key, form)
			require.Contains(t, diags[0].Detail, "Quote keys that contain", "%s %s: %s", key, form, diags.Error())
			require.Contains(t, diags[0].Detail, fmt.Sprintf("%q", key), "%s %s: %s", key, form, diags.Error())
		}
	}
}

// H04: the message about a regular expression that is not a valid string shows the escapes.
func TestExpressionsInTexts(t *testing.T) {
	t.Parallel()
	for text, fix := range map[string]string{
		`"Fixes \d+"`: `\\d`, `"\w\s*"`: `\\w`, `"a\.b"`: `\\.`, `"[\/]"`: `\\/`, `"\p{L}"`: `\\p`, `"\$"`: `\\$`,
		`"^v${1,3}"`: `$${`, `"${"`: `$${`, `"a${}"`: `$${`, "<<EOT\nv${1,3}\nEOT\n": `$${`,
		`"%{2}"`: `%%{`, `"100%{x}"`: `%%{`, "<<EOT\n%{2}\nEOT\n": `%%{`,
	} {
		diags := check(fstest.MapFS{"main.hcl": {Data: []byte("locals {\n  text = " + text + "\n}\n")}}, config.Vars{})
		require.True(t, diags.HasErrors(), text)
		require.Contains(t, diags[0].Detail, fix, "%s: %s", text, diags.Error())
		require.Contains(t, diags[0].Subject.String(), "main.hcl:", text)
	}
}
