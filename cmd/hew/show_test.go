package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"

	"hew/provider"
	"hew/reconcile/plan"
	"hew/schema"
)

// fixtureKind knows the kinds of the fixtures by name, as a provider does.
func fixtureKind(name string) *schema.Kind {
	return map[string]*schema.Kind{"group": groupKind, "group_member": memberKind, "project_hook": hookKind, "integration": settingsKind,
		"project_approval_rule": ruleKind}[name]
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
func readOne(raw []byte) (*document, error) {
	parts, err := readDocuments("plan.json", raw)
	if err != nil {
		return nil, err
	}
	return parts[0].document, nil
}

// TestShowSaysWhatPlanSaid: a plan that was written down and read again is the
// same to people, however they look at it, and the same to programs.
func TestShowSaysWhatPlanSaid(t *testing.T) {
	t.Parallel()
	for name, p := range plans {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			written := program(t, p)
			d, err := readOne(written)
			require.NoError(t, err)
			again, err := (&reread{kinds: kindsOf(p)}).plan(d)
			require.NoError(t, err)
			for _, width := range []int{0, 60, 80, 120, 200} {
				for _, v := range []text{{}, {compact: true}, {console: console{paint: true}}} {
					v.width = width
					require.Equal(t, rendered(p, v), rendered(again, v), "%d columns", width)
				}
			}
			require.Equal(t, reviewedIn(p, defaultBudget, false), reviewedIn(again, defaultBudget, false))
			var b bytes.Buffer
			v := newPrograms(&b, "")
			v.Show(d, nil, nil)
			require.NoError(t, v.Close())
			require.Equal(t, string(written), b.String())
		})
	}
}

// TestSavedPlanHasItsWarnings: what was said when a plan was made is told by every
// report of it, of a plan that -out saved as well.
func TestSavedPlanHasItsWarnings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	odd := hcl.Diagnostics{{Severity: hcl.DiagWarning, Summary: "Unused lift", Detail: "Nothing would trip.", Subject: declared(3)}}
	code, _, errs := with(t.Context(), &fake{plan: plans["sample"], diags: odd}, false, "", "plan", "-out=plan.json", "-chdir="+dir)
	require.Zero(t, code, errs)
	code, out, errs := with(t.Context(), nil, false, "", "show", "-format=sarif", filepath.Join(dir, "plan.json"))
	require.Zero(t, code, errs)
	require.Contains(t, out, `"ruleId": "unused-lift"`)
	code, out, errs = with(t.Context(), nil, false, "", "show", filepath.Join(dir, "plan.json"))
	require.Zero(t, code, errs)
	require.Contains(t, errs, "Warning: Unused lift")
	require.Contains(t, out, "Plan: 1 to create")
}

// TestShowOfAnApply: what was done, and what was not, is read as well.
func TestShowOfAnApply(t *testing.T) {
	t.Parallel()
	for _, o := range []struct {
		name string
		file func(v view)
	}{
		{"failed", func(v view) { v.Plan(plans["sample"]); v.Outcome(outcome) }},
		{"interrupted", func(v view) { v.Plan(plans["trouble"]); v.Outcome(interrupted) }},
		{"diagnosed", func(v view) { v.Diagnostics(diagnosed(t)) }},
	} {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			var written, first, second bytes.Buffer
			j := newPrograms(&written, "apply")
			o.file(j)
			require.NoError(t, j.Close())
			conforms(t, "report", written.Bytes())
			people := console{Writer: &first}
			o.file(&text{console: people, err: people, command: "apply"})

			file := filepath.Join(t.TempDir(), "apply.json")
			require.NoError(t, os.WriteFile(file, written.Bytes(), 0o600))
			again := reread{kinds: fixtureKind}
			d, err := (&app{}).document(file)
			require.NoError(t, err)
			p, err := again.plan(d)
			require.NoError(t, err)
			out, err := again.outcome(d.Outcome)
			require.NoError(t, err)
			people.Writer = &second
			(&text{console: people, err: people, command: d.Command}).Show(d, p, out)
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
	p, err := (&reread{kinds: provider.Kinds().Named}).plan(d)
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
`, rendered(p, text{}))
}

// TestShowRefuses: nothing that is no plan, or not a whole one, is shown as if
// it were.
func TestShowRefuses(t *testing.T) {
	t.Parallel()
	whole := string(program(t, plans["sample"]))
	bare := regexp.MustCompile(`"checksum": "[^"]*",`).ReplaceAllString(whole, "")
	for _, c := range []struct{ name, file, says string }{
		{"nothing", "", "is empty"},
		{"blank", " \n", "is empty"},
		{"a plan for people", rendered(plans["sample"], text{}), "does not hold the JSON that hew plan -json writes"},
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
				_, err = (&reread{kinds: fixtureKind}).plan(d)
				if err != nil {
					err = damaged("plan.json", err)
				}
			}
			require.ErrorContains(t, err, "plan.json")
			require.ErrorContains(t, err, c.says)
		})
	}
}

// TestChecksum: it is the same however a document is laid out, and another where
// anything in it is.
func TestChecksum(t *testing.T) {
	t.Parallel()
	sum := func(document string) string {
		s, err := checksum([]byte(document))
		require.NoError(t, err)
		return s
	}
	of := sum(`{"a": 1.0, "later": {"b": "<é>", "c": [null]}, "checksum": "x"}`)
	require.Equal(t, of, sum("{\"later\":{\"c\":[ null ],\"b\":\"\\u003c\\u00e9>\"},\n\"a\":1.0}"))
	for _, other := range []string{`{"a": 1, "later": {"b": "<é>", "c": [null]}}`, `{"a": 1.0, "later": {"b": "<e>", "c": [null]}}`, `{"a": 1.0, "later": {"b": "<é>", "c": []}}`,
		`{"a": 1.0, "later": {"b": "<é>", "c": [null], "checksum": "x"}}`} {
		require.NotEqual(t, of, sum(other))
	}
}

// FuzzShow: whatever is in a file, it is refused or shown, and does not move a
// cursor.
func FuzzShow(f *testing.F) {
	for name := range plans {
		var b bytes.Buffer
		v := newPrograms(&b, "plan")
		v.Plan(plans[name])
		require.NoError(f, v.Close())
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		d, err := readOne(file)
		if err != nil {
			return
		}
		again := reread{kinds: provider.Kinds().Named}
		p, err := again.plan(d)
		if err != nil {
			return
		}
		o, err := again.outcome(d.Outcome)
		if err != nil {
			return
		}
		var b bytes.Buffer
		people := console{Writer: &b, width: 80}
		(&text{console: people, err: people, command: d.Command}).Show(d, p, o)
		harmless(t, b.String())
		_, err = json.Marshal(d)
		require.NoError(t, err)
	})
}
