package main

import (
	"fmt"
	"strings"

	"hew/reconcile"
	"hew/reconcile/plan"
)

var past = map[plan.Action]string{
	plan.Create: "created", plan.Update: "updated", plan.Replace: "replaced", plan.Delete: "deleted",
	plan.Adopt: "adopted", plan.Move: "moved", plan.Release: "released",
}

// Changed prints a change as it ends. Why one failed is told in the outcome,
// where it can be found again.
func (t *text) Changed(e reconcile.Event) {
	sign, what := t.paint.sign(rune(e.Action)), past[e.Action]
	if e.Err != nil {
		sign, what = t.paint.in(red, "!"), "failed"
	}
	t.printf("  %s ", sign)
	t.cells(nameAt, 52, e.Addr.String(), what, "", e.Addr.String())
}

// Outcome prints what was left undone and why, and a line that sums up.
func (t *text) Outcome(o *reconcile.Outcome) {
	t.failures("Failed", o.Failed)
	t.failures("Not begun", o.Skipped)
	t.outputs(o.Outputs)
	t.notes(o.Notes)
	t.printf("\n%s\n", t.paint.in(bold, sum(o)))
	switch {
	case o.Interrupted:
		t.printf("Interrupted: what was in flight is finished and recorded. Run hew apply again for the rest.\n")
	case len(o.Failed)+len(o.Skipped) > 0:
		t.printf("What was done is recorded. Mend what failed and run hew apply again for the rest.\n")
	}
}

func (t *text) failures(title string, all []reconcile.Failure) {
	if len(all) == 0 {
		return
	}
	t.printf("\n%s\n", t.paint.in(red, fmt.Sprintf("%s, %s:", title, count(len(all), "change"))))
	for _, f := range all {
		t.printf("  %s ", t.paint.sign(rune(f.Change.Action)))
		t.cells(nameAt, 52, f.Change.Addr.String(), where(f.Change.Decl), "", f.Change.Addr.String())
		if f.Err != nil {
			t.paragraph(attrAt, f.Err.Error())
		}
	}
}

// sum is the last line of an apply.
func sum(o *reconcile.Outcome) string {
	done := map[plan.Action]int{}
	for i := range o.Done {
		done[o.Done[i].Action]++
	}
	var parts []string
	for _, a := range []plan.Action{plan.Create, plan.Update, plan.Replace, plan.Adopt, plan.Delete, plan.Move, plan.Release} {
		if n := done[a]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, past[a]))
		}
	}
	switch {
	case len(parts) == 0 && len(o.Failed)+len(o.Skipped) == 0:
		parts = []string{"nothing to do"}
	case len(parts) == 0:
		parts = []string{"nothing"}
	}
	line := "Done: " + strings.Join(parts, ", ") + "."
	if n := len(o.Failed); n > 0 {
		line += fmt.Sprintf("  %d failed.", n)
	}
	if n := len(o.Skipped); n > 0 {
		line += fmt.Sprintf("  %d not begun.", n)
	}
	return fmt.Sprintf("%s  %s, %.1f s.", line, count(o.Requests, "request"), o.Seconds)
}
