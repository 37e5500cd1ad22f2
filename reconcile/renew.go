package reconcile

import (
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
	"hew/schema"
)

// renew finds what is made anew: where an attribute cannot be changed in place,
// where the command line asks for it, and where something that it is triggered
// by changes. What is made anew has no id yet, so whatever is made of that is
// evaluated again, and may have to be made anew in turn. It returns whether
// there is something to evaluate; if not, what it found is what the plan is of.
func (r *Run) renew() (again bool) {
	w := r.world
	w.nameRefs()
	r.made = r.triggered(r.changes())
	again = w.publishBlocked()
	if r.opts.Mode == Drift {
		return again || r.spent() // what differs is told as it is; nothing is made
	}
	first := w.firsts(r.made)
	for i := range r.made {
		c := &r.made[i]
		n := w.nodes[c.Addr]
		if c.Action != plan.Replace {
			continue
		}
		by, ahead := first[c.Addr]
		why := ""
		switch {
		case n.kind().Soft:
			why = fmt.Sprintf("it would have to be made anew (%s), and %s", reason(c), keepsPath(n))
		case n.kind().Holds == schema.One:
			why = fmt.Sprintf("it would have to be made anew (%s), and it is always there", reason(c))
		case ahead:
			why = n.unable(by)
		case n.renewed:
			continue
		}
		switch {
		case why != "":
			n.block(why)
		case ahead:
			w.supersede(n, reason(c))
		default:
			n.renewed = true
		}
		w.news[n.want.Addr.Block] = true
		again = true
	}
	return again || r.spent()
}

// changes is what is to be done about the declared objects of the plan.
func (r *Run) changes() (changes []plan.Change) {
	for _, n := range r.world.order {
		if c, ok := r.change(n); ok {
			changes = append(changes, c)
		}
	}
	return changes
}

// reason says why a change is a replacement.
func reason(c *plan.Change) string {
	for _, p := range c.Paths {
		if p.Attr.ForceNew {
			return c.Desired.Written(p.Attr.Name) + " cannot be changed in place"
		}
	}
	return c.Why
}

// triggered turns what replace_triggered_by concerns into replacements, until
// none of them sets off another.
func (r *Run) triggered(changes []plan.Change) []plan.Change {
	blocks := byBlock(changes)
	var waiting []*plan.Change
	for i := range changes {
		c := &changes[i]
		if len(c.Desired.Triggers) > 0 && c.Action != plan.Create && r.world.nodes[c.Addr].superseded == (addr.Instance{}) {
			waiting = append(waiting, c)
		}
	}
	for more := true; more; {
		more = false
		for _, c := range waiting {
			if c.Action == plan.Replace {
				continue
			}
			t, _ := trigger(c.Desired, blocks)
			since := ""
			if t == nil {
				t, since = overdue(c), ", changed in an earlier apply"
			}
			if t != nil {
				n := r.world.nodes[c.Addr]
				n.replace = "replace_triggered_by " + t.String() + since
				c.Action, c.Why, more = plan.Replace, n.replace, true
			}
		}
	}
	return changes
}

// firsts finds the replacements that create the new object before the old one
// goes, and for whose sake: those whose block says so, and those that such an
// object needs, for the old one cannot go while its user is there.
func (w *world) firsts(changes []plan.Change) map[addr.Instance]addr.Instance {
	first := map[addr.Instance]addr.Instance{}
	anew := map[addr.Instance]bool{}
	var spread func(n *node, by addr.Instance)
	spread = func(n *node, by addr.Instance) {
		for _, need := range w.waits(&n.seeker) {
			if _, seen := first[need]; !seen && anew[need] {
				first[need] = by
				spread(w.nodes[need], by)
			}
		}
	}
	for i := range changes {
		anew[changes[i].Addr] = changes[i].Action == plan.Replace
	}
	for i := range changes {
		n := w.nodes[changes[i].Addr]
		if anew[n.want.Addr] && n.ahead() || n.superseded != (addr.Instance{}) {
			first[n.want.Addr] = n.want.Addr
			spread(n, n.want.Addr)
		}
	}
	return first
}

// ahead tells whether the block says that a new object comes before the old one
// goes.
func (n *node) ahead() bool { return n.want.Block != nil && n.want.Block.Lifecycle.CreateBeforeDestroy }

// unable says why a new object cannot be beside the old one, or "".
func (n *node) unable(by addr.Instance) string {
	a, v, ok := key(n.want.Object)
	if !ok || !a.Equal(v, n.live.Get(a.Name)) {
		return ""
	}
	whose := "create_before_destroy"
	if by != n.want.Addr {
		whose = fmt.Sprintf("create_before_destroy of %s, which needs it", by)
	}
	return fmt.Sprintf("the new one would be created before the old one goes (%s), and the two have the same %s, %s; give it another one, or take create_before_destroy away", whose, n.want.Written(a.Name), plain(v))
}

// supersede makes room for a new object beside the live one, which goes later
// under an address of its own. The ledger has both from the start of the apply.
func (w *world) supersede(n *node, why string) {
	e := ledger.Entry{Kind: n.kind().Name, Collection: n.coll.String(), Key: keyTitle(n.live), ID: n.live.ID}
	if n.entry != nil {
		e = *n.entry
		e.Due = addr.Instance{} // this is the replacement
	}
	at := n.want.Addr.Depose(n.live.ID)
	for _, old := range []addr.Instance{n.want.Addr, n.from} {
		if _, there := w.led.Entries[old]; there {
			w.rewrites = append(w.rewrites, w.led.Remove(old))
		}
	}
	w.rewrites = append(w.rewrites, w.led.Set(at, e))
	delete(w.claims, identityOf(n.kind(), n.coll, n.live.ID))
	n.entry, n.from, n.live, n.status = nil, addr.Instance{}, schema.Object{}, pending
	n.superseded, n.note = at, "in place of "+at.String()+": "+why
}
