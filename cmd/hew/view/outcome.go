package view

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

var past = map[plan.Action]string{
	plan.Create: "created", plan.Update: "updated", plan.Replace: "replaced", plan.Delete: "deleted",
	plan.Adopt: "adopted", plan.Move: "moved", plan.Release: "released",
}

// Changed prints a change as it ends. The reason of a failure comes with the outcome.
func (t *Text) Changed(e reconcile.Event) {
	if !t.begun {
		t.begun = true
		t.Gap()
	}
	sign, what := t.Paint.sign(rune(e.Action)), past[e.Action]
	if e.Err != nil {
		sign, what = t.Paint.In(red, "!"), "failed"
	}
	t.Printf("  %s ", sign)
	t.cells(nameAt, max(t.stop, causeAt), prose.Clean(e.Addr.String()), what, "", prose.Clean(e.Addr.String()))
}

// changeStop returns the column at which results are printed, after the addresses of the plan.
func changeStop(d *report.Document) int {
	stop := causeAt
	for i := range d.Changes {
		stop = max(stop, nameAt+prose.Columns(prose.Clean(d.Changes[i].Address))+2)
	}
	return min(stop, maxCause)
}

// Outcome prints what failed or was skipped, and why, and a summary.
func (t *Text) Outcome(d *report.Document) {
	o := d.Outcome
	t.failed(o.Failed)
	t.skipped(o.Skipped)
	if len(o.Failed)+len(o.Skipped) == 0 { // else they tell of what is not there
		t.outputs(d.Outputs)
	}
	t.checks(o.Checks)
	t.Notes(o.Notes)
	t.Gap()
	t.headline(prose.WithCost(sum(d), o.Requests, o.Seconds))
	switch {
	case o.Interrupted:
		t.Paragraph(0, fmt.Sprintf(
			"Requests in flight were finished and recorded. Run hew %s again for the rest.", t.Command,
		))
	case len(o.Failed)+len(o.Skipped) > 0:
		t.Paragraph(
			0, fmt.Sprintf("Completed changes are recorded. Fix the errors above, then run hew %s again.", t.Command),
		)
	}
	if left := len(d.Blocked); left > 0 {
		t.Paragraph(0, prose.Count(left, "object was not planned, so it was", "objects were not planned, so they were")+
			" not changed. See \"Not planned\" in the plan.")
	}
}

// failed prints every change that the host refused, with its place and reason.
func (t *Text) failed(all []report.Done) {
	t.heading("Failed", len(all))
	for _, f := range all {
		t.Printf("  %s ", t.Paint.sign(rune(f.Sign())))
		t.cells(nameAt, causeAt, prose.Clean(f.Address), f.Declared, "", prose.Clean(f.Address))
		t.Paragraph(attrAt, prose.Sentence(f.Error))
	}
}

// skipped prints the first changes that were not started. Nothing is wrong with these, and there
// are many where a tree waits for its root.
func (t *Text) skipped(all []report.Done) {
	t.heading("Not started", len(all))
	for _, f := range all[:min(len(all), prose.MaxListed)] {
		t.Printf("  %s ", t.Paint.sign(rune(f.Sign())))
		why := strings.TrimPrefix(f.Error, "not started ") // the heading says it
		t.cells(nameAt, causeAt, prose.Clean(f.Address), prose.Clean(why), "", prose.Clean(f.Address))
	}
	if more := len(all) - prose.MaxListed; more > 0 {
		t.Printf("    … %d more\n", more)
	}
}

func (t *Text) heading(title string, n int) {
	if n > 0 {
		t.Gap()
		t.Printf("%s\n", t.Paint.In(red, fmt.Sprintf("%s, %s:", title, prose.Count(n, "change"))))
	}
}

// sum returns the summary of an apply.
func sum(d *report.Document) string {
	o := d.Outcome
	done := map[plan.Action]int{}
	for _, c := range slices.Concat(o.Done, o.Recorded) {
		done[c.Sign()]++
	}
	for _, f := range o.Failed {
		if f.Made {
			done[f.Sign()]++
		}
	}
	var parts []string
	for _, a := range []plan.Action{plan.Create, plan.Update, plan.Replace, plan.Adopt, plan.Delete, plan.Move,
		plan.Release} {
		if n := done[a]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, past[a]))
		}
	}
	var undone []string
	for _, part := range []struct {
		n    int
		text string
	}{{len(o.Failed), "failed"}, {len(o.Skipped), "not started"}, {len(d.Blocked), "not planned"}} {
		if part.n > 0 {
			undone = append(undone, fmt.Sprintf("%d %s", part.n, part.text))
		}
	}
	state := "Done"
	switch {
	case o.Interrupted:
		state = commandTitle(d.Command) + " interrupted"
	case len(undone) > 0:
		state = commandTitle(d.Command) + " incomplete"
	}
	switch {
	case len(parts) == 0 && state == "Done":
		parts = []string{"nothing to do"}
	case len(parts) == 0:
		parts = []string{"0 applied"}
	}
	return state + ": " + strings.Join(append(parts, undone...), ", ") + "."
}

// commandTitle returns the name of a command at the beginning of a sentence.
func commandTitle(command string) string {
	if command == "destroy" {
		return "Destroy"
	}
	return "Apply"
}
