package reconcile

import (
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// going are the things with a path that this plan deletes: the host deletes what
// is in them, so nobody has to ask for that.
func (w *world) going() map[thing]addr.Instance {
	m := map[thing]addr.Instance{}
	for a, o := range w.orphans {
		if o.fate == remove && o.kind.Tree != nil {
			m[byID(o.kind.Name, o.entry.ID)] = a
		}
	}
	return m
}

func ownerKind(k *schema.Kind) string {
	if a := k.Owner(); a != nil {
		return a.RefKind()
	}
	return ""
}

// reset turns the going of what stays on the host into an update of what hew has
// set there.
func (r *Run) reset(c *plan.Change) {
	c.Paths = r.differ.Reset(c.Before, c.Entry)
	c.Action, c.Why = plan.Update, "nobody declares it any more, and hew did not make it"
	if len(c.Paths) == 0 {
		c.Action, c.Cause = plan.Release, ""
		c.Why += "; nothing of it has to be taken back"
		return
	}
	c.After = c.Before
	c.After.Value = c.Before.Value.Clone()
	for _, p := range c.Paths {
		c.After.Value.Set(p.Attr, p.After)
	}
}

// orphans adds what happens to things nobody declares any more.
func (r *Run) orphans(p *plan.Plan) {
	w, going := r.world, r.world.going()
	for _, a := range r.led.Sorted() {
		o := w.orphans[a]
		if o == nil || w.nodes[a] != nil || o.fate == taken { // its node carries the entry on
			continue
		}
		if o.kind == nil {
			p.Notes = append(p.Notes, fmt.Sprintf("The ledger has %s of a kind this hew does not know (%s); it is left alone.", a, o.entry.Kind))
			continue
		}
		c := r.orphaned(a, o)
		switch {
		case o.fate != unsure:
			if r.end(&c, o, going) {
				p.Changes = append(p.Changes, c)
			}
		case o.err != "":
			p.Blocked = append(p.Blocked, config.Blocked{Addr: a, Why: o.err})
		}
	}
}

// orphaned is the change of an orphan, before it is decided which one. Nothing can
// be decided of what waits for another in its place, while that cannot be planned.
func (r *Run) orphaned(a addr.Instance, o *orphan) plan.Change {
	block := r.world.block(a.Block)
	c := about(a, o.kind, o.coll, block)
	c.Title, c.Owner, c.Entry, c.Before, c.Why = o.entry.Key, r.world.ownerOf(o.kind, o.coll), &o.entry, o.live, o.why
	c.InBlock = block != nil
	if a.Deposed() && c.Why == "" {
		c.Why = "its " + o.kind.Owner().Name + " has changed"
	}
	if n := r.world.nodes[a.Declared()]; a.Deposed() && n != nil && (n.ahead() || n.superseded == a) {
		c.Successor, c.Why = n.want.Addr, n.want.Addr.String()+" takes its place"
		if o.fate == remove && n.status != matched && n.status != missing {
			o.fate, o.err = unsure, n.want.Addr.String()+", which takes its place, cannot be planned"
		}
	}
	if o.removal != nil {
		c.Allow, c.AllowAt, c.Decl, c.Meant = o.removal.Allow, o.removal.AllowAt, &o.removal.Decl, o.removal.Destroy
	}
	return c
}

// end makes the change be what the orphan's fate is; false where it is left alone.
func (r *Run) end(c *plan.Change, o *orphan, going map[thing]addr.Instance) bool {
	w := r.world
	owner, goes := going[byID(ownerKind(o.kind), ownerID(o.kind, o.coll))]
	switch {
	case o.fate == release || o.fate == vanish:
		c.Action, c.Gone = plan.Release, o.fate == vanish
		return true
	case w.frozen(o):
		return false
	case w.ends(o):
		c.Action, c.Gone, c.Why = plan.Release, true, "goes with what it is in, which is marked for deletion"
		return true
	}
	c.Action, c.Cause, c.Why = plan.Delete, plan.ByConfig, waiting(o.live, c.Why)
	switch {
	case goes && o.kind.Tree == nil:
		c.Within, c.Why = owner, "goes with "+owner.String()
	case o.fate == reset:
		r.reset(c)
	case o.kind.Tree != nil:
		c.Takes(w.along(o.kind, o.entry.ID, o.entry.Key))
	}
	return true
}
