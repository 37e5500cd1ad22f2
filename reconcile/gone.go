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
		return a.Ref
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
	going := r.world.going()
	for _, a := range r.led.Sorted() {
		o := r.world.orphans[a]
		if o == nil || r.world.nodes[a] != nil {
			continue
		}
		block := r.world.block(a.Block)
		c := about(a, o.kind, o.coll, block)
		c.Title, c.Owner, c.Entry, c.Before, c.Why = o.entry.Key, r.world.ownerOf(o.kind, o.coll), &o.entry, o.live, o.why
		c.InBlock = block != nil
		if o.kind == nil {
			p.Notes = append(p.Notes, fmt.Sprintf("The ledger has %s of a kind this hew does not know (%s); it is left alone.", a, o.entry.Kind))
			continue
		}
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
		switch o.fate {
		case unsure:
			if o.err != "" {
				p.Blocked = append(p.Blocked, config.Blocked{Addr: a, Why: o.err})
			}
			continue
		case taken:
			continue // its node carries the entry on
		case release, vanish:
			c.Action, c.Gone = plan.Release, o.fate == vanish
		case remove, reset:
			if r.world.frozen(o) {
				continue
			}
			if r.world.ends(o) {
				c.Action, c.Gone, c.Why = plan.Release, true, "goes with what it is in, which is marked for deletion"
				break
			}
			c.Why = waiting(o.live, c.Why)
			c.Action, c.Cause = plan.Delete, plan.ByConfig
			if owner, goes := going[byID(ownerKind(o.kind), ownerID(o.kind, o.coll))]; goes && o.kind.Tree == nil {
				c.Within, c.Why = owner, "goes with "+owner.String()
			} else if o.fate == reset {
				r.reset(&c)
			} else if o.kind.Tree != nil {
				c.Takes(r.world.along(o.kind, o.entry.ID, o.entry.Key))
			}
		}
		p.Changes = append(p.Changes, c)
	}
}
