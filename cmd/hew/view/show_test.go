package view

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/provider"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
	"hew/schema"
)

// fixtureKind knows the kinds of the fixtures by name, as a provider does.
func fixtureKind(name string) *schema.Kind {
	return map[string]*schema.Kind{"group": reporttest.GroupKind, "group_member": reporttest.MemberKind, "project_hook": reporttest.HookKind, "integration": reporttest.SettingsKind,
		"project_approval_rule": reporttest.RuleKind}[name]
}

// kindsOf knows the kinds that a plan has as it has them.
func kindsOf(p *plan.Plan) func(string) *schema.Kind {
	return func(name string) *schema.Kind {
		for _, c := range p.Changes {
			if c.Kind.Name == name {
				return c.Kind
			}
		}
		return fixtureKind(name)
	}
}

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
			written := program(t, p)
			d, err := readOne(written)
			require.NoError(t, err)
			again, err := (&report.Reread{Kinds: kindsOf(p)}).Plan(d)
			require.NoError(t, err)
			for _, width := range []int{0, 60, 80, 120, 200} {
				for _, v := range []Text{{}, {Compact: true}, {Console: Console{Paint: true}}} {
					v.Width = width
					require.Equal(t, rendered(p, v), rendered(again, v), "%d columns", width)
				}
			}
			require.Equal(t, reviewedIn(p, DefaultBudget, false), reviewedIn(again, DefaultBudget, false))
			var b bytes.Buffer
			v := NewRecorder(&b, "", "dev")
			v.Show(d, nil, nil)
			require.NoError(t, v.Close())
			require.Equal(t, string(written), b.String())
		})
	}
}

// TestShowOfAnApply: what was done, and what was not, is read as well.
func TestShowOfAnApply(t *testing.T) {
	t.Parallel()
	for _, o := range []struct {
		name string
		file func(v View)
	}{
		{"failed", func(v View) { v.Plan(reporttest.Plans["sample"]); v.Outcome(reporttest.Outcome) }},
		{"interrupted", func(v View) { v.Plan(reporttest.Plans["trouble"]); v.Outcome(reporttest.Interrupted) }},
		{"diagnosed", func(v View) {
			diags, files := reporttest.Diagnosed(t)
			v.Diagnostics(report.Diagnostics{Diagnostics: diags, Sources: files})
		}},
	} {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			var written, first, second bytes.Buffer
			j := NewRecorder(&written, "apply", "dev")
			o.file(j)
			require.NoError(t, j.Close())
			reporttest.Conforms(t, report.Schema, "report", written.Bytes())
			people := Console{Writer: &first}
			o.file(&Text{Console: people, Err: people, Command: "apply"})

			again := report.Reread{Kinds: fixtureKind}
			d, err := readOne(written.Bytes())
			require.NoError(t, err)
			p, err := again.Plan(d)
			require.NoError(t, err)
			out, err := again.Outcome(d.Outcome)
			require.NoError(t, err)
			people.Writer = &second
			(&Text{Console: people, Err: people, Command: d.Command}).Show(d, p, out)
			require.Equal(t, first.String(), second.String())
		})
	}
}

// TestShowOfWhatIsUnknown: kinds, attributes and actions of another hew.
func TestShowOfWhatIsUnknown(t *testing.T) {
	t.Parallel()
	d, err := readOne([]byte(`{"format_version": "1.9", "command": "plan", "planned": true, "later": [], "changes": [
		{"address": "teapot.t", "action": "create", "sends": true, "kind": "teapot", "title": "t", "cause": "config", "defaults": {"lid": "on"},
		 "paths": [{"path": "spout", "before": null, "after": {"mm": 12.50}, "cause": "config"}, {"path": "key", "before": null, "after": null, "secret": true, "cause": "config"}]},
		{"address": "group_members.m[\"bob\"]", "element": "bob", "action": "update", "sends": true, "kind": "group_member", "cause": "config",
		 "paths": [{"path": "mood", "before": "sad", "after": "glad", "cause": "drift"}]}],
		"outputs": {}, "notes": ["By another."], "requests": 3, "seconds": 0.25}`))
	require.NoError(t, err)
	p, err := (&report.Reread{Kinds: provider.Kinds().Named}).Plan(d)
	require.NoError(t, err)
	require.Equal(t, `  + teapot.t                                        t
      spout             { mm = 12.5 }
      key               (secret)
      (not stated)      lid = "on"                  the host's defaults
  ~ group_members.m                                 1 of 1 member
      ~ bob             mood "sad" -> "glad"        drift: set by hand since the last apply

Note: By another.
Note: This hew has no kind teapot; what the plan says of it is shown as it stands.
Note: This hew knows no attribute mood of a group_member; what the plan says of it is shown as it stands.

Plan: 1 to create, 1 to update, 0 to adopt, 0 to delete.  Drift in 1 of these.  3 requests, 0.2 s.
`, rendered(p, Text{}))
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
		{"a plan for people", rendered(reporttest.Plans["sample"], Text{}), "does not hold the JSON that hew plan -json writes"},
		{"a list", "[]", "does not hold the JSON"},
		{"other JSON", `{"version": 4, "serial": 1}`, "is JSON, but no plan"},
		{"what validate says", `{"format_version": "1.0", "valid": true}`, "is JSON, but no plan"},
		{"cut off", whole[:len(whole)/2], "ends in the middle"},
		{"cut off in a text", `{"format_version": "1.0", "command": "pl`, "ends in the middle"},
		{"cut off at the end", strings.TrimRight(whole, "}\n"), "ends in the middle"},
		{"two of them", whole + whole, "is damaged: invalid character '{' after top-level value, at byte"},
		{"not quite JSON", `{"format_version": "1.0",}`, "is damaged: invalid character '}'"},
		{"of a newer hew", strings.Replace(whole, `"1.0"`, `"2.0"`, 1), "has format_version 2.0, and this hew (dev) reads 1.x"},
		{"of an older hew", strings.Replace(whole, `"1.0"`, `"0.9"`, 1), "Show it with the hew that wrote it"},
		{"of no version", strings.Replace(whole, `"1.0"`, `"one"`, 1), "has format_version one"},
		{"another type", strings.Replace(whole, `"requests": 38`, `"requests": "38"`, 1), "is damaged: json: cannot unmarshal string into"},
		{"what somebody has edited", strings.Replace(whole, `"acme/platform"`, `"acme/another"`, 1), "was changed after hew wrote it"},
		{"an address that is none", strings.Replace(bare, `"group.platform"`, `"group"`, 1), `is damaged: changes[0]: "group" is not an address`},
		{"an action that is none", strings.Replace(bare, `"update"`, `"smash"`, 2), `there is no action "smash"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, err := readOne([]byte(c.file))
			if err == nil {
				_, err = (&report.Reread{Kinds: fixtureKind}).Plan(d)
				if err != nil {
					err = report.Damaged("plan.json", err)
				}
			}
			require.ErrorContains(t, err, "plan.json")
			require.ErrorContains(t, err, c.says)
		})
	}
}

// FuzzShow: whatever is in a file, it is refused or shown, and does not move a
// cursor.
func FuzzShow(f *testing.F) {
	for name := range reporttest.Plans {
		var b bytes.Buffer
		v := NewRecorder(&b, "plan", "dev")
		v.Plan(reporttest.Plans[name])
		require.NoError(f, v.Close())
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		d, err := readOne(file)
		if err != nil {
			return
		}
		again := report.Reread{Kinds: provider.Kinds().Named}
		p, err := again.Plan(d)
		if err != nil {
			return
		}
		o, err := again.Outcome(d.Outcome)
		if err != nil {
			return
		}
		var b bytes.Buffer
		people := Console{Writer: &b, Width: 80}
		(&Text{Console: people, Err: people, Command: d.Command}).Show(d, p, o)
		reporttest.Harmless(t, b.String())
		_, err = json.Marshal(d)
		require.NoError(t, err)
	})
}
