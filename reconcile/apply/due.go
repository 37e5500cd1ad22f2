package apply

import (
	"hew/reconcile/addr"
	"hew/reconcile/graph"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
)

// markDue marks as due what the plan triggers, part of the plan or not: something
// that is blocked or left out now is replaced by the plan that can.
func (j *Job) markDue() (deltas []ledger.Delta) {
	triggers := plan.NewTriggers(j.Plan.Changes)
	j.owed = map[addr.Instance]addr.Instance{}
	for _, n := range j.World.Declared() {
		e, known := j.Ledger.Entries[n.Addr()]
		if _, by := triggers.Find(n.Desired()); by != nil && known && e.Due != by.Addr {
			j.owed[n.Addr()], e.Due = e.Due, by.Addr
			deltas = append(deltas, j.Ledger.Set(n.Addr(), e))
		}
	}
	return deltas
}

// clearDue takes the marks of this run away where what they are for was not even
// begun. Of what failed nobody knows how far it got.
func (j *Job) clearDue(rep graph.Report[addr.Instance]) (deltas []ledger.Delta) {
	idle := map[addr.Instance]bool{}
	for _, s := range rep.Skipped {
		idle[s.Node] = true
	}
	for _, k := range rep.Unstarted {
		idle[k] = true
	}
	for _, n := range j.World.Declared() {
		e := j.Ledger.Entries[n.Addr()]
		if was, marked := j.owed[n.Addr()]; marked && idle[e.Due] {
			e.Due = was
			deltas = append(deltas, j.Ledger.Set(n.Addr(), e))
		}
	}
	return deltas
}
