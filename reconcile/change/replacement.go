package change

import (
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// DeclaredChanges returns the changes of the declared objects in scope. It reports changed if an
// object turned out to be replaced or blocked: expressions over it have to be evaluated again, and
// the caller repeats the call.
func (b *Builder) DeclaredChanges() (changes []plan.Change, changed bool) {
	w := b.World
	w.NameRefs()
	for _, n := range w.Planned() {
		if c, ok := b.declaredChange(n); ok {
			changes = append(changes, c)
		}
	}
	b.applyTriggers(changes)
	changed = w.PublishBlocked()
	if b.Drift {
		return changes, changed || b.blockSpentValues(changes)
	}
	first := b.replacedBefore(changes)
	for i := range changes {
		if changes[i].Action == plan.Replace && b.replaceObject(&changes[i], first) {
			w.MarkStale(changes[i].Addr.Block)
			changed = true
		}
	}
	return changes, changed || b.blockSpentValues(changes)
}

// replaceObject marks an object as replaced, or blocks it if it cannot be replaced. first is the
// result of replacedBefore. It returns false if the object was marked before.
func (b *Builder) replaceObject(c *plan.Change, first map[addr.Instance]addr.Instance) bool {
	n := b.World.Node(c.Addr)
	by, ahead := first[c.Addr]
	why := ""
	switch {
	case n.Kind().Soft:
		why = fmt.Sprintf("it would have to be replaced (%s), but %s", replaceReason(c), SoftDeleteReason(n.Kind()))
	case n.Kind().Holds == schema.One:
		why = fmt.Sprintf("it would have to be replaced (%s), but it always exists and cannot be replaced",
			replaceReason(c))
	case ahead:
		why = n.KeyConflict(by)
	case n.IsReplaced():
		return false
	}
	switch {
	case why != "":
		n.Block(why)
	case ahead:
		b.World.Supersede(n, replaceReason(c))
	default:
		n.MarkReplaced()
	}
	return true
}

// SoftDeleteReason returns why an object that the host only marks for deletion cannot be replaced.
func SoftDeleteReason(k *schema.Kind) string {
	return fmt.Sprintf("the host only marks a %s for deletion and keeps its path until it is permanently deleted, "+
		"so a new one cannot be created there. Set another path, or make the change in place.", k.Name)
}

// replaceReason returns why a change is a replacement.
func replaceReason(c *plan.Change) string {
	for _, p := range c.Paths {
		if p.Attr.ForceNew {
			return c.Desired().WrittenName(p.Attr.Name) + " cannot be changed in place"
		}
	}
	return c.Why
}

// applyTriggers turns changes into replacements according to replace_triggered_by, until no
// replacement triggers another.
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
				t, since = c.PendingTrigger(), ", changed in an earlier apply"
			}
			if t != nil {
				why := "replace_triggered_by " + t.String() + since
				b.World.Node(c.Addr).RequireReplacement(why)
				c.Action, c.Why, more = plan.Replace, why, true
			}
		}
	}
}

// replacedBefore returns the objects that are created before the old one is deleted, each with the
// address whose block sets create_before_destroy. These include the replaced dependencies of such
// an object, because the old dependency cannot be deleted while the old object exists.
func (b *Builder) replacedBefore(changes []plan.Change) map[addr.Instance]addr.Instance {
	w := b.World
	first := map[addr.Instance]addr.Instance{}
	replaced := map[addr.Instance]bool{}
	var mark func(n *match.Node, by addr.Instance)
	mark = func(n *match.Node, by addr.Instance) {
		for _, need := range w.Dependencies(&n.Declaration) {
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

// The host shows some values, such as access tokens, only in the response to a creation. Other
// attributes can use such a value in the apply that creates the object. Later it can no longer be
// read: values computed from it stay as they are, and nothing new can be computed from it.

// blockSpentValues blocks objects that use a value that can no longer be read, unless a replacement
// will show it again. It reports whether there were any.
func (b *Builder) blockSpentValues(changes []plan.Change) (any bool) {
	for i := range changes {
		if n := b.World.Node(changes[i].Addr); blockSpentValue(n, &changes[i]) {
			any = true
			b.World.MarkStale(n.Addr().Block)
		}
	}
	return any
}

// blockSpentValue blocks a node that would have to send a value that can no longer be read. It
// reports whether it did.
func blockSpentValue(n *match.Node, c *plan.Change) bool {
	for a, v := range n.Desired().Object.Value.All() {
		if !schema.IsSpent(v) ||
			n.Status() == match.Matched && c.Action != plan.Replace && n.WasSent(a) &&
				!a.Triggers(plan.Names(c.Paths)) {
			continue
		}
		n.Block(fmt.Sprintf("its %s uses a value that the host shows only on creation and that can no longer be read; "+
			"replace the object that it comes from in the same apply (-replace), or use another value",
			n.Desired().WrittenName(a.Name)))
		return true
	}
	return false
}
