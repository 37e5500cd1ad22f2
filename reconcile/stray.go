package reconcile

import (
	"context"
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// claim reads the collection that an exclusive block claims.
func (w *world) claim(x *config.Exclusive) {
	s := w.claimants[x.Addr]
	if !w.narrowing.has(x.Addr) || !w.resolve(s) || s.status != pending || !w.findOwner(s, x.Kind.Owner(), 0) || s.owner.ID == "" {
		return
	}
	s.coll = x.Kind.In(s.owner.ID)
	if c := w.list(x.Kind, s.coll); c != nil && c.state != schema.Present {
		s.block(unreadable(x.Kind, s.owner, c.state, c.err))
	}
}

// strange lists what the collection of an exclusive block holds and nobody
// declares; why says what keeps anybody from telling.
func (w *world) strange(x *config.Exclusive, unplaced []*node) (objs []schema.Object, why string) {
	s := w.claimants[x.Addr]
	c := w.colls[s.coll]
	if !w.narrowing.has(x.Addr) || s.status != pending || c == nil || c.state != schema.Present {
		return nil, ""
	}
	if why = w.uncertain(x.Kind, s.coll, unplaced); why != "" {
		return nil, why
	}
	for _, o := range c.objs {
		id := identityOf(x.Kind, s.coll, o.ID)
		if w.claims[id] == nil && !w.leaves[id] && w.narrowing.finds(strayAddr(x, o)) && !w.leftOut(s.coll, o) {
			objs = append(objs, o)
		}
	}
	return objs, ""
}

// vet reads what has the last word on strays, for a list may not tell bots, which
// nobody removes, from people; what goes along with whatever is deleted; and who
// stays with what goes to the top.
func (r *Run) vet(ctx context.Context) error {
	w := r.world
	for {
		w.wave.clear()
		w.lookInside()
		if !w.self.Admin || len(r.cfg.Hew().Guards.RequiredOwners) > 0 {
			w.readRising()
		}
		unplaced := w.unplaced()
		for i := range w.res.Exclusives {
			x := &w.res.Exclusives[i]
			objs, _ := w.strange(x, unplaced)
			if o, ok := w.founder(x); ok {
				objs = append(objs, o)
			}
			for _, o := range objs {
				if w.spared(x.Kind, o) == "" {
					w.along(x.Kind, o.ID, keyTitle(o))
				}
			}
		}
		if w.wave.empty() {
			return nil
		}
		if err := r.read(ctx); err != nil {
			return err
		}
	}
}

// spared tells why a stray is left alone, "" where it is not. What cannot be
// read is no proof that nobody needs it.
func (w *world) spared(k *schema.Kind, o schema.Object) string {
	if o.Note != "" || !k.SparesNoted() || o.State == schema.Invited {
		return o.Note
	}
	a := k.Attr(k.Admits())
	of := w.kind(a.RefKind())
	ref := schema.AsRef(o.Get(a.Name))
	if ref == nil || ref.ID == "" {
		return "nobody can tell which " + of.Name + " it is"
	}
	reading, _ := w.look(schema.Ask{Kind: of, ID: ref.ID, Keep: []string{}}) // by id, for a list of users may not tell either
	found, why := there(of, ref, reading)
	if why != "" {
		return why
	}
	return found.Note
}

// strays adds the deletion of whatever an exclusive block's collection holds
// and nobody declares.
func (r *Run) strays(p *plan.Plan) {
	w := r.world
	unplaced := w.unplaced()
	cause := plan.ByDrift // hew has not made it, and no ledger tells since when it is claimed
	if p.Ledgerless {
		cause = plan.Unknown
	}
	for i := range w.res.Exclusives {
		x := &w.res.Exclusives[i]
		s := w.claimants[x.Addr]
		objs, why := w.strange(x, unplaced)
		if why != "" {
			p.Notes = append(p.Notes, fmt.Sprintf("%s deletes nothing in %s this time: %s, and what it declares may be there.", x.Addr, s.ownerTitle(), why))
			continue
		}
		for _, o := range objs {
			stray := about(strayAddr(x, o), x.Kind, s.coll, x.Block)
			stray.Action, stray.Cause, stray.Stray, stray.Before = plan.Delete, cause, true, o
			stray.Title, stray.Owner, stray.Why = keyTitle(o), s.ownerTitle(), waiting(o, "not in the configuration (exclusive)")
			if why := w.spared(x.Kind, o); why != "" {
				p.Notes = append(p.Notes, fmt.Sprintf("%s is not declared and left alone: %s.", stray.Addr, why))
				continue
			}
			stray.Takes(w.along(x.Kind, o.ID, keyTitle(o)))
			p.Changes = append(p.Changes, stray)
		}
	}
}

// leftOut tells whether an object that nobody declares is in the ledger under an
// address that the plan leaves out.
func (w *world) leftOut(coll schema.Collection, o schema.Object) bool {
	at, ok := w.led.Find(coll.String(), o.ID)
	return ok && w.nodes[at] == nil && !w.narrowing.had(at)
}

// unplaced are the nodes of which nobody knows yet which live object they are.
func (w *world) unplaced() (nodes []*node) {
	for _, n := range w.all {
		if n.status == blocked || n.keyless || n.witness && n.status == pending {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// uncertain tells why a collection may hold something that is declared and that
// the plan cannot recognise.
func (w *world) uncertain(kind *schema.Kind, coll schema.Collection, unplaced []*node) string {
	for _, n := range unplaced {
		if n.kind() == kind && (n.coll == coll || n.coll == schema.Collection{}) {
			return n.want.Addr.String() + " cannot be placed"
		}
	}
	for _, b := range w.res.Blocked {
		if b.Addr.Mode != addr.Resource {
			continue
		}
		k := w.kinds.Resource(b.Addr.Kind)
		if b.Addr.IsCall() || k == kind || k != nil && k.Set != nil && k.Set.Element == kind.Name {
			return b.Addr.String() + " is blocked"
		}
	}
	return ""
}

// strayAddr names a stray: by its key in a set, by its id under an exclusive
// block.
func strayAddr(x *config.Exclusive, o schema.Object) addr.Instance {
	a := x.Addr
	a.Elem = keyTitle(o)
	if a.Mode == addr.Exclusive {
		a.Elem = o.ID
	}
	return a
}
