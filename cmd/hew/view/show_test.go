package view

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
)

// readOne reads the one document of a file.
func readOne(raw []byte) (*report.Document, error) {
	parts, err := report.Read("plan.json", "dev", raw)
	if err != nil {
		return nil, err
	}
	return parts[0].Document, nil
}

// TestShowSaysWhatPlanSaid: a plan that was written down and read again is the
// same to people, however they look at it, and the same to programs.
func TestShowSaysWhatPlanSaid(t *testing.T) {
	t.Parallel()
	for name, p := range reporttest.Plans {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := program(t, p)
			d, err := readOne(text)
			require.NoError(t, err)
			for _, width := range []int{0, 60, 80, 120, 200} {
				for _, v := range []Text{{}, {Compact: true}, {Console: Console{Paint: true}}} {
					v.Width = width
					require.Equal(t, rendered(p, v), shown(d, v), "%d columns", width)
				}
			}
			require.Equal(t, reviewedIn(p, DefaultBudget, false), reviewed(d, DefaultBudget, false))
			var page bytes.Buffer
			v := NewHTML(&page, Console{Writer: io.Discard}, HTMLOptions{Command: d.Command, Version: "dev"})
			v.Plan(d)
			require.NoError(t, v.Close())
			require.Equal(t, browsed(t, p), page.String())
			require.Equal(t, string(text), string(encoded(t, d)))
		})
	}
}

// TestShowOfAnApply: what was done, and what was not, is read as well.
func TestShowOfAnApply(t *testing.T) {
	t.Parallel()
	diags, files := reporttest.Diagnosed(t)
	diagnosed := report.NewDocument("apply", "dev")
	diagnosed.Diagnostics = report.DiagnosticsOf(report.Diagnostics{Diagnostics: diags, Sources: files})
	for name, d := range map[string]*report.Document{
		"failed":      applied("apply", reporttest.Plans["sample"], reporttest.Outcome),
		"interrupted": applied("apply", reporttest.Plans["trouble"], reporttest.Interrupted),
		"diagnosed":   diagnosed,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := encoded(t, d)
			reporttest.Conforms(t, report.Schema, "report", text)
			read, err := readOne(text)
			require.NoError(t, err)
			told := func(d *report.Document) string {
				var b bytes.Buffer
				people := Console{Writer: &b}
				(&Text{Console: people, Err: people, Command: d.Command}).Show(d)
				return b.String()
			}
			require.Equal(t, told(d), told(read))
		})
	}
}

// TestShowOfWhatIsUnknown: kinds and attributes of another hew are shown as the document has them.
func TestShowOfWhatIsUnknown(t *testing.T) {
	t.Parallel()
	d, err := readOne([]byte(`{"format_version": "1.9", "command": "plan", "planned": true, "later": [], "changes": [
		{"address": "teapot.t", "action": "create", "sends": true, "kind": "teapot", "title": "t", "cause": "config", "defaults": {"lid": "on"},
		 "paths": [{"path": "spout", "before": null, "after": {"mm": 12.50}, "cause": "config"}, {"path": "key", "before": null, "after": null, "secret": true, "cause": "config"}]},
		{"address": "group_members.m[\"bob\"]", "element": "bob", "action": "update", "sends": true, "kind": "group_member", "noun": "member", "cause": "config",
		 "paths": [{"path": "mood", "before": "sad", "after": "glad", "cause": "drift"}]}],
		"outputs": {}, "notes": ["By another."], "requests": 3, "seconds": 0.25}`))
	require.NoError(t, err)
	require.Equal(t, `+ create  ~ update

  + teapot.t                                        t
      spout             { mm = 12.5 }
      key               (secret)
      (not set)         lid = "on"                  host defaults
  ~ group_members.m                                 1 of 1 member
      ~ bob             mood "sad" -> "glad"        drift: set by hand since the last apply

Note: By another.

Plan: 1 to create, 1 to update, 0 to adopt, 0 to delete.  1 of these undoes drift.  3 requests, 0.2 s.
`, shown(d, Text{}))
}

// TestShowRefuses: nothing that is no plan, or not a whole one, is shown as if
// it were.
func TestShowRefuses(t *testing.T) {
	t.Parallel()
	whole := string(program(t, reporttest.Plans["sample"]))
	bare := regexp.MustCompile(`"checksum": "[^"]*",`).ReplaceAllString(whole, "")
	for _, c := range []struct{ name, file, says string }{
		{"nothing", "", "is empty"},
		{"blank", " \n", "is empty"},
		{"a plan for people", rendered(reporttest.Plans["sample"], Text{}),
			"is not a saved plan. Name a file"},
		{"a list", "[]", "is not a saved plan"},
		{"other JSON", `{"version": 4, "serial": 1}`, "is JSON, but not a saved plan"},
		{"what validate says", `{"format_version": "1.0", "valid": true}`, "is JSON, but not a saved plan"},
		{"cut off", whole[:len(whole)/2], "ends in the middle"},
		{"cut off in a text", `{"format_version": "1.0", "command": "pl`, "ends in the middle"},
		{"cut off at the end", strings.TrimRight(whole, "}\n"), "ends in the middle"},
		{"two of them", whole + whole, "is damaged: invalid character '{' after top-level value, at byte"},
		{"not quite JSON", `{"format_version": "1.0",}`, "is damaged: invalid character '}'"},
		{"of a newer hew", strings.Replace(whole, `"1.0"`, `"2.0"`, 1),
			"has format_version 2.0, and this hew (dev) reads 1.x"},
		{"of an older hew", strings.Replace(whole, `"1.0"`, `"0.9"`, 1), "Show it with the hew that wrote it"},
		{"of no version", strings.Replace(whole, `"1.0"`, `"one"`, 1), "has format_version one"},
		{"another type", strings.Replace(whole, `"requests": 38`, `"requests": "38"`, 1),
			"is damaged: json: cannot unmarshal string into"},
		{"what somebody has edited", strings.Replace(whole, `"acme/platform"`, `"acme/another"`, 1),
			"was changed after hew wrote it"},
		{"an address that is none", strings.Replace(bare, `"group.platform"`, `"group"`, 1),
			`is damaged: changes[0]: "group" is not an address`},
		{"an action that is none", strings.Replace(bare, `"update"`, `"smash"`, 2), `there is no action "smash"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := readOne([]byte(c.file))
			require.ErrorContains(t, err, "plan.json")
			require.ErrorContains(t, err, c.says)
		})
	}
}

// FuzzShow: whatever is in a file, it is refused or shown, and does not move a
// cursor.
func FuzzShow(f *testing.F) {
	for name := range reporttest.Plans {
		f.Add(program(f, reporttest.Plans[name]))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		d, err := readOne(file)
		if err != nil {
			return
		}
		var b bytes.Buffer
		people := Console{Writer: &b, Width: 80}
		(&Text{Console: people, Err: people, Command: d.Command}).Show(d)
		reporttest.Harmless(t, b.String())
		_, err = json.Marshal(d)
		require.NoError(t, err)
	})
}
