package main

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"hew/reconcile"
	"hew/reconcile/golden"
	"hew/reconcile/plan"
)

// colours are the escapes that paint writes.
var colours = regexp.MustCompile(`\x1b\[[0-9]+m`)

// sums are what moves with all else.
var sums = regexp.MustCompile(`"checksum": "sha256:[0-9a-f]{64}"`)

// wanted compares sections with testdata/NAME.txtar.
func wanted(t *testing.T, name string, files ...txtar.File) {
	t.Helper()
	got := sums.ReplaceAll(txtar.Format(&txtar.Archive{Files: files}), []byte(`"checksum": "of all else"`))
	golden.Equal(t, filepath.Join("testdata", name+".txtar"), string(got))
}

// rendered is what a view writes of a plan.
func rendered(p *plan.Plan, v text) string {
	var b bytes.Buffer
	v.console.Writer, v.err.Writer, v.command = &b, io.Discard, commandOf(p)
	v.Plan(p)
	return b.String()
}

func commandOf(p *plan.Plan) string {
	if p.Ledgerless || len(p.Strays) > 0 {
		return "drift"
	}
	return "plan"
}

// program is the document of a plan.
func program(t *testing.T, p *plan.Plan) []byte {
	var b bytes.Buffer
	v := newPrograms(&b, commandOf(p))
	v.Plan(p)
	require.NoError(t, v.Close())
	return b.Bytes()
}

// reviewedIn is the Markdown of a plan within a budget.
func reviewedIn(p *plan.Plan, budget int, compact bool) string {
	m := &markdown{err: console{Writer: io.Discard}, command: commandOf(p), budget: budget, compact: compact}
	m.Plan(p)
	return m.document()
}

// harmless makes sure that nothing in a text moves a terminal's cursor.
func harmless(t *testing.T, shown string) {
	t.Helper()
	require.True(t, utf8.ValidString(shown), "%q", shown)
	require.False(t, strings.ContainsFunc(shown, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }), "%q", shown)
}

// TestPlanViews renders every plan for people, on a narrow terminal, in short,
// and for programs; the last must be as the schema says.
func TestPlanViews(t *testing.T) {
	t.Parallel()
	for name, p := range plans {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := program(t, p)
			conforms(t, "report", document)
			files := []txtar.File{
				{Name: "text", Data: []byte(rendered(p, text{}))},
				{Name: "text of 72 columns", Data: []byte(rendered(p, text{console: console{width: 72}}))},
				{Name: "text -compact", Data: []byte(rendered(p, text{compact: true}))},
				{Name: "markdown", Data: []byte(reviewedIn(p, defaultBudget, false))},
				{Name: "json", Data: document},
			}
			for _, f := range files {
				require.NotContains(t, string(f.Data), leak)
				harmless(t, string(f.Data))
			}
			wanted(t, "plan-"+name, files...)
		})
	}
}

func TestOutcomeViews(t *testing.T) {
	t.Parallel()
	events := []reconcile.Event{
		{Phase: reconcile.PhaseApply, Addr: outcome.Done[0].Addr, Action: plan.Update, Ended: true},
		{Phase: reconcile.PhaseApply, Addr: outcome.Failed[0].Change.Addr, Action: plan.Create, Ended: true, Err: errors.New("no")},
	}
	var people, stopped, programs bytes.Buffer
	v := &text{console: console{Writer: &people}, command: "apply", left: 2}
	j := newPrograms(&programs, "apply")
	for _, e := range events {
		v.Changed(e)
		j.Changed(e)
	}
	v.Outcome(outcome)
	(&text{console: console{Writer: &stopped}, command: "destroy"}).Outcome(interrupted)
	j.Outcome(outcome)
	require.NoError(t, j.Close())
	conforms(t, "report", programs.Bytes())
	wanted(t, "outcome", txtar.File{Name: "text", Data: people.Bytes()}, txtar.File{Name: "text, interrupted", Data: stopped.Bytes()},
		txtar.File{Name: "json", Data: programs.Bytes()})
}

// TestOutcomesAreHarmless: errors and names of the host reach the terminal as
// text, also while an apply goes on.
func TestOutcomesAreHarmless(t *testing.T) {
	t.Parallel()
	p := hostile()
	o := &reconcile.Outcome{Notes: p.Notes, Checks: p.Checks, Failed: []reconcile.Failure{{Change: p.Changes[0], Err: errors.New(p.Notes[0])}},
		Skipped: []reconcile.Failure{{Change: p.Changes[3], Err: errors.New(p.Notes[0])}}}
	var b bytes.Buffer
	v := &text{console: console{Writer: &b, width: 60}, command: "apply"}
	v.Plan(p)
	v.Changed(reconcile.Event{Addr: p.Changes[0].Addr, Action: plan.Update, Err: o.Failed[0].Err})
	v.Outcome(o)
	o.Failed, o.Skipped, o.Outputs = nil, nil, p.Outputs
	v.Outcome(o)
	harmless(t, b.String())
}

// TestColourVariables: who decides about colour, and who wins.
func TestColourVariables(t *testing.T) {
	t.Parallel()
	for env, want := range map[string][2]bool{ // in a pipe, on a terminal
		"":                            {false, true},
		"NO_COLOR=1":                  {false, false},
		"TERM=dumb":                   {false, false},
		"CLICOLOR=0":                  {false, false},
		"CLICOLOR=1":                  {false, true},
		"CLICOLOR_FORCE=1":            {true, true},
		"CLICOLOR_FORCE=0":            {false, true},
		"CLICOLOR_FORCE=1 CLICOLOR=0": {true, true},
		"CLICOLOR_FORCE=1 NO_COLOR=1": {false, false},
	} {
		vars := environment(strings.Fields(env))
		require.Equal(t, want, [2]bool{coloured(vars, false), coloured(vars, true)}, env)
	}
}

// TestColours: what is coloured differs from what is plain by colours alone.
func TestColours(t *testing.T) {
	t.Parallel()
	for name, p := range plans {
		plain, painted := rendered(p, text{}), rendered(p, text{console: console{paint: true}})
		require.Contains(t, painted, "\x1b[", name)
		require.Equal(t, plain, colours.ReplaceAllString(painted, ""), name)
	}
}

// conforms checks a document against the schema that hew publishes, as one of
// its kind.
func conforms(t *testing.T, kind string, document []byte) {
	t.Helper()
	published, err := jsonschema.UnmarshalJSON(bytes.NewReader(documentSchema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("report.schema.json", published))
	s, err := c.Compile("report.schema.json#/$defs/" + kind)
	require.NoError(t, err)
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	require.NoError(t, err)
	require.NoError(t, s.Validate(instance))
}
