// Package view shows plans and runs: as text, Markdown and HTML, and, through a Recorder, as any
// form that is made of the document. Nothing below it prints.
package view

import (
	"slices"

	"hew/reconcile"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// ledgerless is added to drift when causes are unknown.
const ledgerless = "This configuration has no ledger, so hew cannot tell drift from your own changes and shows every " +
	"difference."

// View presents a run: as text for people, JSON for programs, Markdown for reviews. It decides
// nothing but form.
type View interface {
	// Directory begins one of several directories, whose run ended with a code.
	Directory(name string, code int)
	// Plan shows what would be done.
	Plan(*report.Document)
	// Changed shows one change of an apply as it ends.
	Changed(reconcile.Event)
	// Outcome shows what an apply did.
	Outcome(*report.Document)
	// Adopted shows what was written of a drift, and what was left.
	Adopted(*report.Adoption)
	// Note adds a sentence beside the answer.
	Note(string)
	// Diagnostics shows errors and warnings of the configuration or the run.
	Diagnostics([]report.Diagnostic)
	// Show shows a saved run.
	Show(*report.Document)
	// Close writes what is not written yet.
	Close() error
}

// Text is the view for people.
type Text struct {
	Console
	Err     Console // for diagnostics
	Command string
	Compact bool
	Detail  report.Detail

	stop     int  // the column of results
	begun    bool // a change has been told
	printed  bool // something stands above
	sections int  // that were begun
}

// Gap separates the next section from what stands above it.
func (t *Text) Gap() {
	if t.printed {
		t.Printf("\n")
	}
	t.printed = true
	t.sections++
}

// Close does nothing: text is written at once.
func (t *Text) Close() error { return nil }

// Directory prints the heading of a directory.
func (t *Text) Directory(name string, _ int) {
	t.Gap()
	t.Printf("%s\n", t.Paint.In(Bold, "── "+prose.Clean(name)+" ──"))
	t.printed = false
}

// Note prints a sentence.
func (t *Text) Note(text string) {
	t.Gap()
	t.Paragraph(0, text)
}

// Diagnostics prints errors and warnings.
func (t *Text) Diagnostics(all []report.Diagnostic) { printDiagnostics(t.Err, all) }

// Show shows a saved run.
func (t *Text) Show(d *report.Document) {
	t.Diagnostics(report.BySeverity(d.Diagnostics))
	showParts(t, d)
}

// Plan prints the changes, then what stops them, and last the summary.
func (t *Text) Plan(d *report.Document) {
	t.stop = changeStop(d)
	drift := t.Command == "drift"
	var outputs map[string]report.Output
	if t.Command == "plan" && !d.Empty() { // an apply tells them at its end, when they are known
		outputs = d.Outputs
	}
	notes := d.Shown().OtherNotes()
	if d.Ledgerless && drift {
		notes = append(slices.Clone(notes), ledgerless)
	}
	groups := report.Groups(d.Shown(), t.Detail)
	t.head(d, groups)
	t.table(report.TableOf(d.Shown()))
	t.groups(groups)
	above := t.sections
	t.blocked(d.Blocked)
	t.guards(d.Guards)
	t.undeclared(d.Undeclared)
	t.checks(d.Checks)
	t.outputs(outputs)
	t.Notes(notes)
	if t.sections > above {
		t.Gap()
	}
	switch sum := d.Total(); {
	case drift: // the same drift is the same text, so the cost goes to Err
		t.headline(sum)
		if d.Stats.Requests > 0 {
			t.Err.Printf("%s.\n", prose.Cost(d.Stats.Requests, d.Stats.Seconds))
		}
	default:
		t.headline(report.WithCost(sum, d.Stats))
	}
	t.printed = true
	if len(d.Guards) > 0 && t.Command != "plan" && !drift {
		t.Printf("Nothing was changed.\n")
	}
}
