package plan

import (
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/config"
)

// What triggers a replacement is seen in one plan only: once that is applied,
// nothing differs any more. So whatever a plan triggers is due from before the
// apply sends anything, and its ledger entry says because of what. The new object
// has an entry without that; and nothing is due any more once the configuration
// does not name what it was due for.

// Triggers are the changes of declared objects by their blocks, for what is
// replaced because of them.
type Triggers map[addr.Block][]*Change

// NewTriggers returns the triggers among changes, which it refers to.
func NewTriggers(changes []Change) Triggers {
	blocks := Triggers{}
	for i := range changes {
		if c := &changes[i]; c.Desired() != nil {
			blocks[c.Addr.Block] = append(blocks[c.Addr.Block], c)
		}
	}
	return blocks
}

// Find returns the first of an object's triggers that is set off, and the update
// or replacement that does; nil where there is none.
func (t Triggers) Find(d *config.Desired) (*config.Trigger, *Change) {
	for i := range d.Triggers {
		trigger := &d.Triggers[i]
		for _, by := range t[trigger.Addr.Block] {
			if by.Addr != d.Addr && trigger.Addr.Contains(by.Addr) && by.Alters(trigger.Attr) {
				return trigger, by
			}
		}
	}
	return nil, nil
}

// Overdue returns the trigger that an earlier apply set off without having
// replaced the object, nil where there is none or it is not named any more.
func (c *Change) Overdue() *config.Trigger {
	if c.Entry == nil || c.Entry.Due == (addr.Instance{}) {
		return nil
	}
	i := slices.IndexFunc(c.Desired().Triggers, func(t config.Trigger) bool { return t.Addr.Contains(c.Entry.Due) })
	if i < 0 {
		return nil
	}
	return &c.Desired().Triggers[i]
}
