package plan

import (
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/config"
)

// A trigger is visible in one plan only: once that is applied, nothing differs any more. So before
// an apply sends anything, it records every triggered replacement, with its trigger, as due in the
// ledger. The entry of the new object does not have that mark. It has no effect once the
// configuration does not name the trigger any more.

// Triggers index the changes of declared objects by block, to find those that trigger replacements.
type Triggers map[addr.Block][]*Change

// NewTriggers returns the triggers in changes. It keeps pointers into the slice.
func NewTriggers(changes []Change) Triggers {
	blocks := Triggers{}
	for i := range changes {
		if c := &changes[i]; c.Desired() != nil {
			blocks[c.Addr.Block] = append(blocks[c.Addr.Block], c)
		}
	}
	return blocks
}

// Find returns the first of an object's triggers that fires, and the change that fires it, or nil.
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

// PendingTrigger returns the trigger that fired in an earlier apply without the object being
// replaced since, or nil.
func (c *Change) PendingTrigger() *config.Trigger {
	if c.Entry == nil || c.Entry.ReplacedFor == (addr.Instance{}) {
		return nil
	}
	i := slices.IndexFunc(c.Desired().Triggers,
		func(t config.Trigger) bool { return t.Addr.Contains(c.Entry.ReplacedFor) })
	if i < 0 {
		return nil
	}
	return &c.Desired().Triggers[i]
}
