package view

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/provider"
	"hew/reconcile"
	"hew/reconcile/apply"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
)

// colours are the escapes that paint writes.
var colours = regexp.MustCompile(`\x1b\[[0-9]+m`)

// rendered is what a view writes of a plan.
func rendered(p *plan.Plan, v Text) string { return shown(recorded(p), v) }

// shown is what a view writes of a document.
func shown(d *report.Document, v Text) string {
	var b bytes.Buffer
	v.Console.Writer, v.Err.Writer, v.Command = &b, io.Discard, d.Command
	v.Plan(d)
	return b.String()
}

// recorded is the document of a plan.
func recorded(p *plan.Plan) *report.Document { return recordedAs(commandOf(p), p) }

func recordedAs(command string, p *plan.Plan) *report.Document {
	d := report.NewDocument(command, "dev")
	d.RecordPlan(p, provider.Kinds())
	return d
}

// applied is the document of an apply, of a plan if there is one.
func applied(command string, p *plan.Plan, o *apply.Outcome) *report.Document {
	d := report.NewDocument(command, "dev")
	if p != nil {
		d.RecordPlan(p, provider.Kinds())
	}
	d.RecordOutcome(o)
	return d
}

func commandOf(p *plan.Plan) string {
	if p.Ledgerless || len(p.Undeclared) > 0 {
		return "drift"
	}
	return "plan"
}

// program is the document of a plan as it is written.
func program(t testing.TB, p *plan.Plan) []byte { return encoded(t, recorded(p)) }

func encoded(t testing.TB, d *report.Document) []byte {
	var b bytes.Buffer
	require.NoError(t, report.Write(&b, []report.Part{{Document: d}}))
	return b.Bytes()
}

// reviewedIn is the Markdown of a plan within a budget.
func reviewedIn(p *plan.Plan, budget int, compact bool) string {
	return reviewed(recorded(p), budget, compact)
}

func reviewed(d *report.Document, budget int, compact bool) string {
	m := &Markdown{Err: Console{Writer: io.Discard}, Command: d.Command, Budget: budget, Compact: compact}
	m.Plan(d)
	return m.Document()
}

// TestPlanViews renders every plan for people, on a narrow terminal, in short,
// and for programs; the last must be as the schema says.
func TestPlanViews(t *testing.T) {
	t.Parallel()
	for name, p := range reporttest.Plans {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := program(t, p)
			reporttest.Conforms(t, report.Schema, "report", document)
			files := []txtar.File{
				{Name: "text", Data: []byte(rendered(p, Text{}))},
				{Name: "text of 72 columns", Data: []byte(rendered(p, Text{Console: Console{Width: 72}}))},
				{Name: "text -compact", Data: []byte(rendered(p, Text{Compact: true}))},
				{Name: "markdown", Data: []byte(reviewedIn(p, DefaultBudget, false))},
				{Name: "json", Data: document},
			}
			for _, f := range files {
				require.NotContains(t, string(f.Data), reporttest.Leak)
				reporttest.Harmless(t, string(f.Data))
			}
			reporttest.Wanted(t, "plan-"+name, files...)
		})
	}
}

func TestOutcomeViews(t *testing.T) {
	t.Parallel()
	events := []reconcile.Event{
		{Phase: reconcile.PhaseApply, Addr: reporttest.Outcome.Done[0].Addr, Action: plan.Update, Ended: true},
		{Phase: reconcile.PhaseApply, Addr: reporttest.Outcome.Failed[0].Change.Addr, Action: plan.Create, Ended: true,
			Err: errors.New("no")},
	}
	var people, stopped bytes.Buffer
	v := &Text{Console: Console{Writer: &people}, Command: "apply"}
	for _, e := range events {
		v.Changed(e)
	}
	d := applied("apply", nil, reporttest.Outcome)
	programs := encoded(t, d)
	d.Blocked = make([]report.Blocked, 2)
	v.Outcome(d)
	(&Text{Console: Console{Writer: &stopped}, Command: "destroy"}).Outcome(
		applied("destroy", nil, reporttest.Interrupted),
	)
	reporttest.Conforms(t, report.Schema, "report", programs)
	reporttest.Wanted(t, "outcome", txtar.File{Name: "text", Data: people.Bytes()},
		txtar.File{Name: "text, interrupted", Data: stopped.Bytes()},
		txtar.File{Name: "json", Data: programs})
}

// TestOutcomesAreHarmless: errors and names of the host reach the terminal as
// text, also while an apply goes on.
func TestOutcomesAreHarmless(t *testing.T) {
	t.Parallel()
	p := reporttest.Hostile()
	o := &apply.Outcome{Notes: p.Notes, Checks: p.Checks,
		Failed:  []apply.Failure{{Change: p.Changes[0], Err: errors.New(p.Notes[0])}},
		Skipped: []apply.Failure{{Change: p.Changes[3], Err: errors.New(p.Notes[0])}}}
	var b bytes.Buffer
	v := &Text{Console: Console{Writer: &b, Width: 60}, Command: "apply"}
	v.Plan(recordedAs("apply", p))
	v.Changed(reconcile.Event{Addr: p.Changes[0].Addr, Action: plan.Update, Err: o.Failed[0].Err})
	v.Outcome(applied("apply", p, o))
	o.Failed, o.Skipped, o.Outputs = nil, nil, p.Outputs
	v.Outcome(applied("apply", p, o))
	reporttest.Harmless(t, b.String())
}

// TestColored: which variables enable and disable color, and which of them win.
func TestColored(t *testing.T) {
	t.Parallel()
	for env, want := range map[string][3]bool{ // in a pipe, on a terminal, in a file
		"":                            {false, true, false},
		"NO_COLOR=1":                  {false, false, false},
		"TERM=dumb":                   {false, false, false},
		"CLICOLOR=0":                  {false, false, false},
		"CLICOLOR=1":                  {false, true, false},
		"CLICOLOR_FORCE=1":            {true, true, true},
		"CLICOLOR_FORCE=0":            {false, true, false},
		"CLICOLOR_FORCE=1 CLICOLOR=0": {true, true, true},
		"CLICOLOR_FORCE=1 TERM=dumb":  {true, true, true},
		"CLICOLOR_FORCE=1 NO_COLOR=1": {false, false, false},
		"FORCE_COLOR=1":               {true, true, true},
		"FORCE_COLOR=3":               {true, true, true},
		"FORCE_COLOR=0":               {false, true, false},
		"FORCE_COLOR=false":           {false, true, false},
		"FORCE_COLOR=1 NO_COLOR=1":    {false, false, false},
		"GITLAB_CI=true":              {true, true, false},
		"GITLAB_CI=false":             {false, true, false},
		"GITLAB_CI=true NO_COLOR=1":   {false, false, false},
		"GITLAB_CI=true TERM=dumb":    {false, false, false},
		"GITLAB_CI=true CLICOLOR=0":   {false, false, false},
	} {
		vars := map[string]string{}
		for _, v := range strings.Fields(env) {
			name, value, _ := strings.Cut(v, "=")
			vars[name] = value
		}
		require.Equal(t, want, [3]bool{Colored(vars, Pipe), Colored(vars, Terminal), Colored(vars, File)}, env)
	}
}

// TestColours: what is coloured differs from what is plain by colours alone.
func TestColours(t *testing.T) {
	t.Parallel()
	for name, p := range reporttest.Plans {
		plain, painted := rendered(p, Text{}), rendered(p, Text{Console: Console{Paint: true}})
		require.Contains(t, painted, "\x1b[", name)
		require.Equal(t, plain, colours.ReplaceAllString(painted, ""), name)
	}
}
