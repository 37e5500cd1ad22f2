package report

import (
	"fmt"
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

// Total sums a plan up.
func Total(p *plan.Plan, drift bool) string {
	end := ""
	if n := len(p.Guards); n > 0 {
		end = fmt.Sprintf("  Stopped by %s.", prose.Count(n, "guard"))
	}
	if n := len(p.Strays); n > 0 {
		end = fmt.Sprintf("  %s.", prose.Count(n, "stray")) + end
	}
	quiet := p.Count(plan.Adopt) + p.Count(plan.Move) + p.Count(plan.Release)
	switch {
	case !p.Empty() || quiet > 0 && !drift:
		return headline(p, drift) + end
	case len(p.Blocked) > 0 && drift:
		return "No drift in what could be looked at." + end
	case len(p.Blocked) > 0:
		return "No changes among what could be planned." + end
	case len(p.Guards) > 0:
		return "Nothing would be done." + end
	case drift:
		return "No drift." + end
	}
	return "No changes." + end
}

func headline(p *plan.Plan, drift bool) string {
	counts := Tally(p)
	drifted := 0
	for i := range p.Changes {
		if p.Changes[i].Drifted() {
			drifted++
		}
	}
	switch {
	case drift && p.Ledgerless:
		return fmt.Sprintf("Differences, drift or not. To undo them: %s.", counts)
	case drift:
		return fmt.Sprintf("Drift in %s. To undo it: %s.", prose.Count(drifted, "object"), counts)
	case drifted > 0:
		return fmt.Sprintf("Plan: %s.  Drift in %d of these.", counts, drifted)
	}
	return fmt.Sprintf("Plan: %s.", counts)
}

// Tally counts the actions of a plan; the rare ones only where there are
// any.
func Tally(p *plan.Plan) string {
	counts := []string{}
	for _, a := range []plan.Action{plan.Create, plan.Update, plan.Adopt, plan.Delete, plan.Replace, plan.Move, plan.Release} {
		n := p.Count(a)
		if rare := a == plan.Replace || a == plan.Move || a == plan.Release; n > 0 || !rare {
			counts = append(counts, fmt.Sprintf("%d to %s", n, a.Name()))
		}
	}
	if n := p.TakenBack(); n > 0 {
		counts = append(counts, fmt.Sprintf("%d to take back", n))
	}
	return strings.Join(counts, ", ")
}
