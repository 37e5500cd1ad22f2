package report

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/guard"
	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

// Total sums a plan up.
func (d *Document) Total() string {
	drift := d.IsDrift()
	end := ""
	if n := len(d.Guards); n > 0 {
		end = fmt.Sprintf("  Stopped by %s.", prose.Count(n, "guard"))
	}
	if n := len(d.Undeclared); n > 0 {
		end = fmt.Sprintf("  %s.", prose.Count(n, "undeclared object")) + end
	}
	count := d.counts()
	quiet := count[plan.Adopt] + count[plan.Move] + count[plan.Release]
	switch {
	case !d.Empty() || count[plan.NotFound] > 0 || quiet > 0 && !drift:
		return d.headline() + end
	case len(d.Blocked) > 0 && drift:
		return "No drift in the objects that could be read." + end
	case len(d.Blocked) > 0:
		return "No changes to the objects that could be planned." + end
	case drift:
		return "No drift." + end
	}
	return "No changes." + end
}

func (d *Document) headline() string {
	counts, drift := Tally(d), d.IsDrift()
	drifted := 0
	for i := range d.Changes {
		if d.Changes[i].drifted() {
			drifted++
		}
	}
	remedy := d.remedy()
	switch {
	case drift && d.Ledgerless:
		return fmt.Sprintf("%s: %s.%s", prose.Count(len(d.Drift), "difference"), d.happened(), remedy)
	case drift:
		return fmt.Sprintf("%s drifted: %s.%s", prose.Count(len(d.Drift), "object has", "objects have"), d.happened(),
			remedy)
	case drifted > 0:
		return fmt.Sprintf("Plan: %s.  %s drift.", counts, prose.Count(drifted, "of these undoes", "of these undo"))
	}
	return fmt.Sprintf("Plan: %s.", counts)
}

// happened counts what others did: 2 changed, 1 added.
func (d *Document) happened() string {
	var parts []string
	for _, n := range d.driftNames() {
		parts = append(parts, fmt.Sprintf("%d %s", n.n, n.name))
	}
	return strings.Join(parts, ", ")
}

// remedy tells how hew apply would undo drift, with the number of its changes.
func (d *Document) remedy() string {
	var parts []string
	n, kept := d.counts(), 0
	for i := range d.Drift {
		switch e := &d.Drift[i]; {
		case e.Obstacle != "":
			kept++
		case slices.Contains(e.Guards, guard.Restore) || e.Happened == Awaiting,
			e.Happened == Failing:
			n[plan.Update]-- // it is neither restored, nor approved, nor mended
		}
	}
	for _, a := range ActionOrder {
		if n[a] > 0 && a != plan.NotFound {
			parts = append(parts, prose.Count(n[a], a.Name()))
		}
	}
	if n := n[takenBack]; n > 0 {
		parts = append(parts, prose.Count(n, "revert"))
	}
	acts := strings.Join(parts, ", ")
	switch {
	case acts == "" && kept > 0:
		return " hew apply cannot undo this."
	case acts == "":
		return ""
	case kept > 0:
		return fmt.Sprintf(" hew apply would undo all but %d: %s.", kept, acts)
	case d.Ledgerless:
		return " hew apply would end this: " + acts + "."
	}
	return " hew apply would undo this: " + acts + "."
}

// Empty reports whether applying the plan would send nothing to the host.
func (d *Document) Empty() bool {
	for i := range d.Changes {
		if d.Changes[i].Sends {
			return false
		}
	}
	return true
}

// drifted reports whether a part of the difference was made outside of the configuration.
func (c *Change) drifted() bool {
	by := func(cause string) bool { return cause == string(plan.ByDrift) || cause == string(plan.ByBoth) }
	for _, p := range c.Paths {
		if by(p.Cause) {
			return true
		}
	}
	return by(c.Cause)
}

// takenBack stands for the deletion of a membership that the host creates in this run.
const takenBack plan.Action = 0

// counts returns how many changes there are of each action, without those that hew apply would not
// make.
func (d *Document) counts() map[plan.Action]int {
	n, obstructed := map[plan.Action]int{}, map[string]bool{}
	for i := range d.Drift {
		obstructed[d.Drift[i].Address] = d.Drift[i].Obstacle != ""
	}
	for i := range d.Changes {
		c := &d.Changes[i]
		if obstructed[c.Address] {
			continue
		}
		sign := c.Sign()
		if c.Founder && sign == plan.Delete {
			sign = takenBack
		}
		n[sign]++
	}
	return n
}

// Tally counts the actions of plans; the rare ones only where there are
// any.
func Tally(all ...*Document) string {
	counts, n := []string{}, map[plan.Action]int{}
	for _, d := range all {
		for a, more := range d.counts() {
			n[a] += more
		}
	}
	for _, a := range []plan.Action{plan.Create, plan.Update, plan.Adopt, plan.Delete, plan.Replace, plan.Move,
		plan.Release} {
		if rare := a == plan.Replace || a == plan.Move || a == plan.Release; n[a] > 0 || !rare {
			counts = append(counts, fmt.Sprintf("%d to %s", n[a], a.Name()))
		}
	}
	if n := n[takenBack]; n > 0 {
		counts = append(counts, fmt.Sprintf("%d to revert", n))
	}
	if n := n[plan.NotFound]; n > 0 {
		counts = append(counts, fmt.Sprintf("%d not found", n))
	}
	return strings.Join(counts, ", ")
}
