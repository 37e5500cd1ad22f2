package main

import (
	"slices"

	"hew/reconcile"
	"hew/reconcile/config"
	"hew/reconcile/plan"
)

// ledgerless is said of drift that may be none.
const ledgerless = "There is no ledger of this configuration, so hew cannot tell drift from change: every difference is shown."

// view speaks: to people in text, to programs in JSON, to reviews in Markdown. What it is given is
// computed before; it decides nothing but form.
type view interface {
	// Directory begins what there is to say of one of several directories, whose
	// run ended with a code.
	Directory(name string, code exit)
	// Plan shows what would be done.
	Plan(*plan.Plan)
	// Changed tells of one change as it ends, in an apply.
	Changed(reconcile.Event)
	// Outcome shows what an apply did.
	Outcome(*reconcile.Outcome)
	// Adopted shows what was written of a drift, and what was left.
	Adopted(*jsonAdoption)
	// Note tells in a sentence what was done beside the answer.
	Note(string)
	// Diagnostics shows errors and warnings of the configuration or the run.
	Diagnostics(report)
	// Show shows a run that was written down, with what was read of it: a plan,
	// and an outcome if there was one.
	Show(*document, *plan.Plan, *reconcile.Outcome)
	// Close writes what is still unwritten.
	Close() error
}

// text is the view for people.
type text struct {
	console
	err     console // for diagnostics
	command string
	compact bool

	left     int  // objects that could not be planned
	stop     int  // where what became of a change is told
	begun    bool // a change has been told
	said     bool // something stands above
	sections int  // that were begun
}

// gap sets the next section apart from what stands above it.
func (t *text) gap() {
	if t.said {
		t.printf("\n")
	}
	t.said = true
	t.sections++
}

func (t *text) Close() error { return nil }

func (t *text) Directory(name string, _ exit) {
	t.gap()
	t.printf("%s\n", t.paint.in(bold, "── "+clean(name)+" ──"))
	t.said, t.left = false, 0
}

func (t *text) Note(said string) {
	t.gap()
	t.paragraph(0, said)
}

func (t *text) Diagnostics(r report) { r.write(t.err) }

func (t *text) Show(d *document, p *plan.Plan, o *reconcile.Outcome) {
	writeDiagnostics(t.err, d.Diagnostics)
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
func (t *text) Plan(p *plan.Plan) {
	t.left = len(p.Blocked)
	t.stop = changeStop(p)
	drift := t.command == "drift"
	var outputs []config.Output
	if t.command == "plan" && !p.Empty() { // an apply tells them at its end, when they are known
		outputs = p.Outputs
	}
	notes := p.Notes
	if p.Ledgerless && drift {
		notes = append(slices.Clone(notes), ledgerless)
	}
	t.items(items(p))
	above := t.sections
	t.strays(p.Strays)
	t.blocked(p.Blocked)
	t.guards(p.Guards)
	t.checks(p.Checks)
	t.outputs(outputs)
	t.notes(notes)
	if t.sections > above {
		t.gap()
	}
	switch sum := total(p, drift); {
	case drift: // the same drift is the same text; what it took is told aside
		t.headline(sum)
		if p.Stats.Requests > 0 {
			t.err.printf("%s.\n", cost(p.Stats.Requests, p.Stats.Seconds))
		}
	default:
		t.headline(costed(sum, p.Stats))
	}
	t.said = true
	if len(p.Guards) > 0 && t.command != "plan" && !drift {
		t.printf("Nothing was changed.\n")
	}
}
