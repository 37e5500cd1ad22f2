package match

import (
	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/schema"
)

// readClaim reads the collection that an exclusive block claims.
func (w *World) readClaim(x *config.Exclusive) {
	s := w.claimants[x.Addr]
	if !w.scope.Includes(x.Addr) || !w.Resolve(s) || s.status != Pending || !w.FindOwner(s, x.Kind.Owner(), 0) ||
		s.owner.ID == "" {
		return
	}
	s.coll = x.Kind.In(s.owner.ID)
	if c := w.List(x.Kind, s.coll); c != nil && !c.Present() {
		s.Block(c.Unreadable(s.owner))
	}
}

// Strays returns what the collection of an exclusive block holds and nobody
// declares; why says what keeps hew from telling. unplaced comes from the method
// of that name.
func (w *World) Strays(x *config.Exclusive, unplaced []*Node) (objs []schema.Object, why string) {
	s := w.claimants[x.Addr]
	c := w.colls[s.coll]
	if !w.scope.Includes(x.Addr) || s.status != Pending || c == nil || !c.Present() {
		return nil, ""
	}
	if why = w.Unrecognizable(x.Kind, s.coll, unplaced); why != "" {
		return nil, why
	}
	for _, o := range c.objs {
		id := IdentityOf(x.Kind, s.coll, o.ID)
		if w.claimed[id] == nil && !w.leaves[id] && w.scope.IncludesStray(StrayAddr(x, o)) && !w.outOfScope(s.coll, o) {
			objs = append(objs, o)
		}
	}
	return objs, ""
}

// KeptBecause returns why a stray is left alone, "" where it is not. What cannot
// be read is no proof that nobody needs it.
func (w *World) KeptBecause(k *schema.Kind, o schema.Object) string {
	if o.Note != "" || !k.SparesNoted() || o.State == schema.Invited {
		return o.Note
	}
	a := k.Attr(k.Admits())
	of := w.Kind(a.RefKind())
	ref := schema.AsRef(o.Get(a.Name))
	if ref == nil || ref.ID == "" {
		return "nobody can tell which " + of.Name + " it is"
	}
	// By id, for a list of users may not tell either.
	reading, _ := w.Look(schema.Ask{Kind: of, ID: ref.ID, Keep: []string{}})
	found, why := ObjectOf(of, ref, reading)
	if why != "" {
		return why
	}
	return found.Note
}

// outOfScope reports whether an object that nobody declares is in the ledger under an
// address that the plan leaves out.
func (w *World) outOfScope(coll schema.Collection, o schema.Object) bool {
	at, ok := w.Ledger.Find(coll.String(), o.ID)
	return ok && w.nodes[at] == nil && !w.scope.includesEntry(at)
}

// Unplaced returns the nodes of which hew cannot tell which live object they are.
func (w *World) Unplaced() (nodes []*Node) {
	for _, n := range w.all {
		if n.status == Blocked || n.keyless || n.outside && n.status == Pending {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// Unrecognizable returns why a collection may hold something that is declared and that
// the plan cannot recognise.
func (w *World) Unrecognizable(kind *schema.Kind, coll schema.Collection, unplaced []*Node) string {
	for _, n := range unplaced {
		if n.Kind() == kind && (n.coll == coll || n.coll == schema.Collection{}) {
			return n.want.Addr.String() + " cannot be placed"
		}
	}
	for _, b := range w.res.Blocked {
		if b.Addr.Mode != addr.Resource {
			continue
		}
		k := w.Kinds.Resource(b.Addr.Kind)
		if b.Addr.IsCall() || k == kind || k != nil && k.Set != nil && k.Set.Element == kind.Name {
			return b.Addr.String() + " is blocked"
		}
	}
	return ""
}

// StrayAddr names a stray: by its key in a set, by its id under an exclusive
// block.
func StrayAddr(x *config.Exclusive, o schema.Object) addr.Instance {
	a := x.Addr
	a.Elem = KeyTitle(o)
	if a.Mode == addr.Exclusive {
		a.Elem = o.ID
	}
	return a
}
