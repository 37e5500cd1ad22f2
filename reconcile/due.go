package reconcile

import (
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/graph"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
)

// What sets off a replacement is seen in one plan only: once it is applied,
// nothing differs any more. So whatever a plan sets off is due from before the
// apply sends anything, and its ledger entry says for whose sake. The new object
// has an entry without that; and nothing is due any more once the configuration
// does not name what it was due for.

// byBlock sorts changes of declared objects by their blocks.
func byBlock(changes []plan.Change) map[addr.Block][]*plan.Change {
	blocks := map[addr.Block][]*plan.Change{}
	for i := range changes {
		if c := &changes[i]; c.Desired != nil {
			blocks[c.Addr.Block] = append(blocks[c.Addr.Block], c)
		}
	}
	return blocks
}

// trigger is the first of an object's triggers that is set off, and by what: by
// an update or a replacement, as people know it from Terraform.
func trigger(d *config.Desired, blocks map[addr.Block][]*plan.Change) (*config.Trigger, *plan.Change) {
	for i := range d.Triggers {
		t := &d.Triggers[i]
		for _, by := range blocks[t.Addr.Block] {
			if by.Addr != d.Addr && t.Addr.Contains(by.Addr) && by.Alters(t.Attr) {
				return t, by
			}
		}
	}
	return nil, nil
}

// overdue is the trigger that an earlier apply set off without the replacement
// having come about, nil where there is none or it is not named any more.
func overdue(c *plan.Change) *config.Trigger {
	if c.Entry == nil || c.Entry.Due == (addr.Instance{}) {
		return nil
	}
	i := slices.IndexFunc(c.Desired.Triggers, func(t config.Trigger) bool { return t.Addr.Contains(c.Entry.Due) })
	if i < 0 {
		return nil
	}
	return &c.Desired.Triggers[i]
}

// owe marks what the plan sets off, be it a part of the plan or not: something
// that is blocked or left out now is replaced by the plan that can.
func (a *apply) owe() (deltas []ledger.Delta) {
	blocks := byBlock(a.Plan.Changes)
	a.owed = map[addr.Instance]addr.Instance{}
	for _, n := range a.world.all {
		e, known := a.led.Entries[n.want.Addr]
		if _, by := trigger(&n.want, blocks); by != nil && known && e.Due != by.Addr {
			a.owed[n.want.Addr], e.Due = e.Due, by.Addr
			deltas = append(deltas, a.led.Set(n.want.Addr, e))
		}
	}
	return deltas
}

// waive takes the marks of this run away where what they are for was not even
// begun. Of what failed nobody knows how far it got.
func (a *apply) waive(rep graph.Report[addr.Instance]) (deltas []ledger.Delta) {
	idle := map[addr.Instance]bool{}
	for _, s := range rep.Skipped {
		idle[s.Node] = true
	}
	for _, k := range rep.Unstarted {
		idle[k] = true
	}
	for _, n := range a.world.all {
		e := a.led.Entries[n.want.Addr]
		if was, marked := a.owed[n.want.Addr]; marked && idle[e.Due] {
			e.Due = was
			deltas = append(deltas, a.led.Set(n.want.Addr, e))
		}
	}
	return deltas
}
