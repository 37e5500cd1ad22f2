package change

import (
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// Declared returns what is to be done about the declared objects of the plan. It
// reports changed where an object turned out to be made anew or to be blocked:
// what is made anew has no id yet, so whatever is made of that has to be
// evaluated again, and may have to be made anew in turn.
func (b *Builder) Declared() (changes []plan.Change, changed bool) {
	w := b.World
	w.NameRefs()
	for _, n := range w.Planned() {
		if c, ok := b.change(n); ok {
			changes = append(changes, c)
		}
	}
	b.applyTriggers(changes)
	changed = w.PublishBlocked()
	if b.Drift {
		return changes, changed || b.blockSpent(changes)
	}
	first := b.createdFirst(changes)
	for i := range changes {
		if changes[i].Action == plan.Replace && b.replace(&changes[i], first) {
			w.Announce(changes[i].Addr.Block)
			changed = true
		}
	}
	return changes, changed || b.blockSpent(changes)
}

// replace has an object made anew, or blocks it where that cannot be. first
// comes from createdFirst. It reports false where the object is made anew already.
func (b *Builder) replace(c *plan.Change, first map[addr.Instance]addr.Instance) bool {
	n := b.World.Node(c.Addr)
	by, ahead := first[c.Addr]
	why := ""
	switch {
	case n.Kind().Soft:
		why = fmt.Sprintf("it would have to be made anew (%s), and %s", replaceReason(c), KeepsPath(n.Kind()))
	case n.Kind().Holds == schema.One:
		why = fmt.Sprintf("it would have to be made anew (%s), and it is always there", replaceReason(c))
	case ahead:
		why = n.KeyConflict(by)
	case n.Renewed():
		return false
	}
	switch {
	case why != "":
		n.Block(why)
	case ahead:
		b.World.Supersede(n, replaceReason(c))
	default:
		n.Renew()
	}
	return true
}

// KeepsPath says why a thing that is marked for deletion cannot be made anew.
func KeepsPath(k *schema.Kind) string {
	return fmt.Sprintf("the host only marks a %s for deletion and keeps its path until it is gone for good, so a new "+
		"one could not be created there. Give it another path in the configuration, or change what is to be changed "+
		"in place.", k.Name)
}

// replaceReason says why a change is a replacement.
func replaceReason(c *plan.Change) string {
	for _, p := range c.Paths {
		if p.Attr.ForceNew {
			return c.Desired().Written(p.Attr.Name) + " cannot be changed in place"
		}
	}
	return c.Why
}

// applyTriggers turns what replace_triggered_by concerns into replacements, until
// none of them sets off another.
func (b *Builder) applyTriggers(changes []plan.Change) {
	triggers := plan.NewTriggers(changes)
	var waiting []*plan.Change
	for i := range changes {
		c := &changes[i]
		if len(c.Desired().Triggers) > 0 && c.Action != plan.Create &&
			b.World.Node(c.Addr).Superseded() == (addr.Instance{}) {
			waiting = append(waiting, c)
		}
	}
	for more := true; more; {
		more = false
		for _, c := range waiting {
			if c.Action == plan.Replace {
				continue
			}
			t, _ := triggers.Find(c.Desired())
			since := ""
			if t == nil {
				t, since = c.Overdue(), ", changed in an earlier apply"
			}
			if t != nil {
				why := "replace_triggered_by " + t.String() + since
				b.World.Node(c.Addr).RequireReplacement(why)
				c.Action, c.Why, more = plan.Replace, why, true
			}
		}
	}
}

// createdFirst returns the replacements that create the new object before the old
// one goes, each with the one whose block says so: that itself, and those that
// such an object needs, for the old one cannot go while its user is there.
func (b *Builder) createdFirst(changes []plan.Change) map[addr.Instance]addr.Instance {
	w := b.World
	first := map[addr.Instance]addr.Instance{}
	replaced := map[addr.Instance]bool{}
	var mark func(n *match.Node, by addr.Instance)
	mark = func(n *match.Node, by addr.Instance) {
		for _, need := range w.Dependencies(&n.Seeker) {
			if _, seen := first[need]; !seen && replaced[need] {
				first[need] = by
				mark(w.Node(need), by)
			}
		}
	}
	for i := range changes {
		replaced[changes[i].Addr] = changes[i].Action == plan.Replace
	}
	for i := range changes {
		n := w.Node(changes[i].Addr)
		if replaced[n.Addr()] && n.CreatesBeforeDestroy() || n.Superseded() != (addr.Instance{}) {
			first[n.Addr()] = n.Addr()
			mark(n, n.Addr())
		}
	}
	return first
}

// What the host shows once, in answer to a creation (an access token), is there
// in the apply that creates it and may feed other attributes. Later nobody can
// read it: what was made of it then is left as it is, and nothing new can be made
// of it.

// blockSpent blocks what takes a value that nobody can read any more, unless
// something is still made anew: that would show it again. It reports whether
// there was any.
func (b *Builder) blockSpent(changes []plan.Change) (any bool) {
	for i := range changes {
		if n := b.World.Node(changes[i].Addr); takesSpent(n, &changes[i]) {
			any = true
			b.World.Announce(n.Addr().Block)
		}
	}
	return any
}

// takesSpent blocks a node that takes a value nobody can read any more: one that
// was not sent while it could be, or that has to be sent again. It reports whether
// it did.
func takesSpent(n *match.Node, c *plan.Change) bool {
	for a, v := range n.Desired().Object.Value.All() {
		if !schema.IsSpent(v) ||
			n.Status() == match.Matched && c.Action != plan.Replace && n.WasSent(a) &&
				!a.Triggers(plan.Names(c.Paths)) {
			continue
		}
		n.Block(fmt.Sprintf("its %s is made of a value that the host shows only when it is made, and nobody can read "+
			"any more; make what it comes from anew in the same apply (-replace), or state another "+
			"value", n.Desired().Written(a.Name)))
		return true
	}
	return false
}
