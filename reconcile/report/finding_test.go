package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"net/url"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/provider"
	"hew/reconcile/guard"
	"hew/reconcile/plan"
	"hew/reconcile/report/reporttest"
)

// reported returns plans in a format, each in a directory of its own. A single plan has no
// directory.
func reported(t *testing.T, format string, plans ...*plan.Plan) string {
	t.Helper()
	var parts []Part
	for i, p := range plans {
		one := Part{Document: recorded(p)}
		if len(plans) > 1 {
			one.Command, one.Name = recorded(plans[0]).Command, "infra/"+string(rune('a'+i))
		}
		parts = append(parts, one)
	}
	return formatted(t, format, parts...)
}

// recorded returns the document of a plan.
func recorded(p *plan.Plan) *Document {
	command := "plan"
	if p.Ledgerless || len(p.Undeclared) > 0 {
		command = "drift"
	}
	d := NewDocument(command, "dev")
	d.RecordPlan(p, provider.Kinds())
	return d
}

func formatted(t *testing.T, format string, parts ...Part) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Writers[format](&b, parts))
	return b.String()
}

// TestReports renders the reports that hosts show in a merge request.
func TestReports(t *testing.T) {
	t.Parallel()
	failing := Part{Document: NewDocument("plan", "dev")}
	diags, sources := reporttest.Diagnosed(t)
	failing.Directory, failing.Diagnostics = "infra/groups", DiagnosticsOf(Diagnostics{diags, sources})
	files := []txtar.File{
		{Name: "widget", Data: []byte(reported(t, "widget", reporttest.Plans["sample"]))},
		{Name: "widget of two",
			Data: []byte(reported(t, "widget", reporttest.Plans["sample"], reporttest.Plans["estate"]))},
		{Name: "junit", Data: []byte(reported(t, "junit", reporttest.Plans["trouble"]))},
		{Name: "junit of two",
			Data: []byte(reported(t, "junit", reporttest.Plans["nothing"], reporttest.Plans["opened"]))},
		{Name: "junit of drift", Data: []byte(reported(t, "junit", reporttest.Plans["night"]))},
		{Name: "junit of errors", Data: []byte(formatted(t, "junit", failing))},
		{Name: "sarif", Data: []byte(reported(t, "sarif", reporttest.Plans["trouble"]))},
		{Name: "sarif of errors", Data: []byte(formatted(t, "sarif", failing))},
	}
	reporttest.Wanted(t, "reports", files...)
}

// TestWidgetCounts: what each action counts as.
func TestWidgetCounts(t *testing.T) {
	t.Parallel()
	for action, want := range map[plan.Action]widget{
		plan.Create: {Create: 1}, plan.Update: {Update: 1}, plan.Delete: {Delete: 1},
		plan.Replace: {Create: 1, Delete: 1}, plan.Adopt: {Update: 1},
	} {
		var w widget
		w.count(Change{Action: action.Name(), Sends: true})
		require.Equal(t, want, w, action.Name())
	}
	var w widget
	for _, action := range []plan.Action{plan.Adopt, plan.Move, plan.Release} {
		w.count(Change{Action: action.Name()})
	}
	require.Zero(t, w)
}

// TestSARIF checks the report of every plan against the standard and the rules of code scanning.
func TestSARIF(t *testing.T) {
	t.Parallel()
	for name, p := range reporttest.Plans {
		text := reported(t, "sarif", p, reporttest.DangerousPlan("[x](https://evil.example.com) {0}\n\x1b[2J"))
		require.NotContains(t, text, reporttest.Leak)
		reporttest.Harmless(t, text)
		var log sarifLog
		require.NoError(t, json.Unmarshal([]byte(text), &log), name)
		require.Equal(t, "2.1.0", log.Version)
		require.Len(t, log.Runs, 1)
		run := log.Runs[0]
		require.True(t, strings.HasSuffix(run.Automation.ID, "/"), "what is before the last / is the category")
		ids := map[string]bool{}
		for _, r := range run.Tool.Driver.Rules {
			require.False(t, ids[r.ID], r.ID)
			ids[r.ID] = true
			require.NotEmpty(t, r.Short.Text)
			require.NotEmpty(t, r.Help.Text)
			require.Contains(t, []string{"error", "warning"}, r.Default.Level)
		}
		for _, rule := range guard.Rules() {
			require.True(t, ids[rule.Code], rule.Code)
		}
		found := len(run.Results)
		require.GreaterOrEqual(t, found, len(p.Guards)+len(p.Blocked))
		for _, r := range run.Results {
			require.Equal(t, r.Rule, run.Tool.Driver.Rules[r.Index].ID)
			require.Contains(t, []string{"error", "warning"}, r.Level)
			require.NotEmpty(t, r.Message.Text)
			require.NotContains(t, r.Message.Text, "](")
			require.Len(t, r.Locations, 1)
			u, err := url.Parse(r.Locations[0].Physical.Artifact.URI)
			require.NoError(t, err)
			require.False(t, u.IsAbs())
			require.False(t, strings.HasPrefix(u.Path, "/"))
			region := r.Locations[0].Physical.Region
			require.Positive(t, region.StartLine)
			require.True(
				t, region.EndLine == 0 || region.EndLine > region.StartLine || region.EndColumn > region.StartColumn,
			)
			require.Len(t, r.Fingerprints[fingerprint], 32)
		}
	}
}

// TestSARIFOutside: hosts silently drop findings in files outside of the
// repository, such as a module next to it. They are shown in a file of the
// repository, and their text says where they are.
func TestSARIFOutside(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ directory, file, uri, says string }{
		"a module beside the repository": {"", "../modules/main.hcl", "main.hcl",
			"It is in ../modules/main.hcl, line 3, which is outside of the repository."},
		"one further up": {
			"infra", "../../modules/[x](y).hcl", "infra/main.hcl", "It is in ../modules/[x] (y).hcl, line 3, which",
		},
		"one within it":           {"infra", "../modules/main.hcl", "modules/main.hcl", ""},
		"a name like one outside": {"", "..modules/main.hcl", "..modules/main.hcl", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := NewDocument("plan", "dev")
			d.Directory = c.directory
			d.Changes = []Change{{Declared: c.file + ":1:1"}}
			d.Diagnostics = []Diagnostic{{Severity: "error", Summary: "Unsupported argument",
				Range: &Range{Filename: c.file, Start: Pos{Line: 3, Column: 1}}}}
			var b bytes.Buffer
			require.NoError(t, writeSARIF(&b, []Part{{Document: d}}))
			var log sarifLog
			require.NoError(t, json.Unmarshal(b.Bytes(), &log))
			found := log.Runs[0].Results[0]
			require.Equal(t, c.uri, found.Locations[0].Physical.Artifact.URI)
			if c.says == "" {
				require.NotContains(t, found.Message.Text, "outside")
			}
			require.Contains(t, found.Message.Text, c.says)
		})
	}
}

// TestFingerprints: a fingerprint does not depend on line numbers and is unique for each finding.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	prints := func(line int) (all []string) {
		p := *reporttest.Plans["trouble"]
		p.Blocked = append(p.Blocked[:0:0], p.Blocked...)
		for i := range p.Blocked {
			p.Blocked[i].DeclRange.Start.Line = line
		}
		var log sarifLog
		require.NoError(t, json.Unmarshal([]byte(reported(t, "sarif", &p)), &log))
		for _, r := range log.Runs[0].Results {
			require.NotContains(t, all, r.Fingerprints[fingerprint])
			all = append(all, r.Fingerprints[fingerprint])
		}
		return all
	}
	require.NotEmpty(t, prints(3))
	require.Equal(t, prints(3), prints(44))
}

// TestJUnit checks the report of every plan against the rules of hosts.
func TestJUnit(t *testing.T) {
	t.Parallel()
	for name, p := range reporttest.Plans {
		text := reported(t, "junit", p, reporttest.DangerousPlan("]]> <x>&amp;\n\x1b[2J"))
		require.NotContains(t, text, reporttest.Leak)
		reporttest.Harmless(t, text)
		var all testsuites
		require.NoError(t, xml.Unmarshal([]byte(text), &all), name)
		require.Len(t, all.Suites, 2)
		guards := map[string]bool{}
		for _, f := range p.Guards {
			guards[f.Code] = true
		}
		seen, failures := map[[2]string]bool{}, 0
		for _, c := range all.Suites[0].Cases {
			at := [2]string{c.Class, c.Name}
			require.False(t, seen[at], at)
			seen[at] = true
			require.NotEmpty(t, c.Class)
			require.NotEmpty(t, c.Name)
			require.False(t, c.Failure != nil && c.Skipped != nil)
			if c.Failure != nil {
				failures++
				require.NotEmpty(t, c.Failure.Text)
			}
			if c.Class == "guard" {
				require.Equal(t, guards[c.Name], c.Failure != nil, c.Name)
			}
		}
		for _, rule := range guard.Rules() {
			require.True(t, seen[[2]string{"guard", rule.Code}], rule.Code)
		}
		s := all.Suites[0]
		require.Equal(t, len(s.Cases), s.Tests)
		require.Equal(t, failures, s.Failures)
	}
}

// TestShowReportsWhatPlanReports: the document has everything that the reports need.
func TestShowReportsWhatPlanReports(t *testing.T) {
	t.Parallel()
	for name, p := range reporttest.Plans {
		for format := range Writers {
			parts, err := Read("plan.json", "dev", []byte(reported(t, "json", p)))
			require.NoError(t, err)
			require.Equal(t, reported(t, format, p), formatted(t, format, parts...), "%s as %s", name, format)
		}
	}
}
