// Package view shows plans and runs: as text, Markdown and HTML, and, through a Recorder, as any form that is made of
// the document. Nothing below it prints.
package view

import (
	"slices"

	"hew/reconcile"
	"hew/reconcile/apply"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// ledgerless is said of drift that may be none.
const ledgerless = "There is no ledger of this configuration, so hew cannot tell drift from change: every difference is shown."

// View speaks: to people in text, to programs in JSON, to reviews in Markdown. What it is given is
// computed before; it decides nothing but form.
type View interface {
	// Directory begins what there is to say of one of several directories, whose
	// run ended with a code.
	Directory(name string, code int)
	// Plan shows what would be done.
	Plan(*plan.Plan)
	// Changed tells of one change as it ends, in an apply.
	Changed(reconcile.Event)
	// Outcome shows what an apply did.
	Outcome(*apply.Outcome)
	// Adopted shows what was written of a drift, and what was left.
	Adopted(*report.Adoption)
	// Note tells in a sentence what was done beside the answer.
	Note(string)
	// Diagnostics shows errors and warnings of the configuration or the run.
	Diagnostics(report.Diagnostics)
	// Show shows a run that was written down, with what was read of it: a plan,
	// and an outcome if there was one.
	Show(*report.Document, *plan.Plan, *apply.Outcome)
	// Close writes what is still unwritten.
	Close() error
}

// Text is the view for people.
type Text struct {
	Console
	Err     Console // for diagnostics
	Command string
	Compact bool

	left     int  // objects that could not be planned
	stop     int  // where what became of a change is told
	begun    bool // a change has been told
	said     bool // something stands above
	sections int  // that were begun
}

// Gap sets the next section apart from what stands above it.
func (t *Text) Gap() {
	if t.said {
		t.Printf("\n")
	}
	t.said = true
	t.sections++
}

func (t *Text) Close() error { return nil }

func (t *Text) Directory(name string, _ int) {
	t.Gap()
	t.Printf("%s\n", t.Paint.In(Bold, "── "+prose.Clean(name)+" ──"))
	t.said, t.left = false, 0
}

func (t *Text) Note(said string) {
	t.Gap()
	t.Paragraph(0, said)
}

func (t *Text) Diagnostics(r report.Diagnostics) { WriteDiagnostics(r, t.Err) }

func (t *Text) Show(d *report.Document, p *plan.Plan, o *apply.Outcome) {
	printDiagnostics(t.Err, d.Diagnostics)
	if d.Planned {
		t.Plan(p)
	}
	if d.Adoption != nil {
		t.Adopted(d.Adoption)
	}
	if o != nil {
		o.Outputs = p.Outputs
		t.Outcome(o)
	}
}

// Plan prints the changes, then everything that keeps them from being done,
// and last the one line that sums them up.
func (t *Text) Plan(p *plan.Plan) {
	t.left = len(p.Blocked)
	t.stop = changeStop(p)
	drift := t.Command == "drift"
	var outputs []config.Output
	if t.Command == "plan" && !p.Empty() { // an apply tells them at its end, when they are known
		outputs = p.Outputs
	}
	notes := p.Notes
	if p.Ledgerless && drift {
		notes = append(slices.Clone(notes), ledgerless)
	}
	t.items(report.Items(p))
	above := t.sections
	t.strays(p.Strays)
	t.blocked(p.Blocked)
	t.guards(p.Guards)
	t.checks(p.Checks)
	t.outputs(outputs)
	t.Notes(notes)
	if t.sections > above {
		t.Gap()
	}
	switch sum := report.Total(p, drift); {
	case drift: // the same drift is the same text; what it took is told aside
		t.headline(sum)
		if p.Stats.Requests > 0 {
			t.Err.Printf("%s.\n", prose.Cost(p.Stats.Requests, p.Stats.Seconds))
		}
	default:
		t.headline(report.WithCost(sum, p.Stats))
	}
	t.said = true
	if len(p.Guards) > 0 && t.Command != "plan" && !drift {
		t.Printf("Nothing was changed.\n")
	}
}
