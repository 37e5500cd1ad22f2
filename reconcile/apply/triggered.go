package apply

import (
	"hew/reconcile/addr"
	"hew/reconcile/graph"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
)

// markTriggered records in the ledger which objects the plan's changes trigger a replacement of, in
// scope or not. If an object cannot be replaced now, a later plan replaces it.
func (j *Job) markTriggered() (deltas []ledger.Delta) {
	triggers := plan.NewTriggers(j.Plan.Changes)
	j.previousDue = map[addr.Instance]addr.Instance{}
	for _, n := range j.World.Declared() {
		e, known := j.Ledger.Entries[n.Addr()]
		if _, by := triggers.Find(n.Desired()); by != nil && known && e.ReplacedFor != by.Addr {
			j.previousDue[n.Addr()], e.ReplacedFor = e.ReplacedFor, by.Addr
			deltas = append(deltas, j.Ledger.Set(n.Addr(), e))
		}
	}
	return deltas
}

// clearTriggered restores the marks whose triggering change was not started. A failed change may
// have been applied in part, so its marks stay.
func (j *Job) clearTriggered(rep graph.Report[addr.Instance]) (deltas []ledger.Delta) {
	idle := map[addr.Instance]bool{}
	for _, s := range rep.Skipped {
		idle[s.Node] = true
	}
	for _, k := range rep.Unstarted {
		idle[k] = true
	}
	for _, n := range j.World.Declared() {
		e := j.Ledger.Entries[n.Addr()]
		if was, marked := j.previousDue[n.Addr()]; marked && idle[e.ReplacedFor] {
			e.ReplacedFor = was
			deltas = append(deltas, j.Ledger.Set(n.Addr(), e))
		}
	}
	return deltas
}
