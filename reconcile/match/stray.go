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

// Strays returns the strays in the collection of an exclusive block, or why hew cannot tell which
// objects are strays. unmatched is the result of World.Unmatched.
func (w *World) Strays(x *config.Exclusive, unmatched []*Node) (objs []schema.Object, why string) {
	s := w.claimants[x.Addr]
	c := w.colls[s.coll]
	if !w.scope.Includes(x.Addr) || s.status != Pending || c == nil || !c.Present() {
		return nil, ""
	}
	if why = w.Unrecognizable(x.Kind, s.coll, unmatched); why != "" {
		return nil, why
	}
	for _, o := range c.objs {
		id := IdentityOf(x.Kind, s.coll, o.ID)
		if w.claimed[id] == nil && !w.deletes[id] && w.scope.IncludesStray(StrayAddr(x, o)) &&
			!w.outOfScope(s.coll, o) {
			objs = append(objs, o)
		}
	}
	return objs, ""
}

// KeepReason returns why a stray is kept, or "". A stray is also kept if its user cannot be read,
// because it may be a bot.
func (w *World) KeepReason(k *schema.Kind, o schema.Object) string {
	if o.Note != "" || !k.SparesNoted() || o.State == schema.Invited {
		return o.Note
	}
	a := k.Attr(k.Admits())
	of := w.Kind(a.RefKind())
	ref := schema.AsRef(o.Get(a.Name))
	if ref == nil || ref.ID == "" {
		return "its " + of.Name + " is unknown"
	}
	// By id, because a list of users may omit the note too.
	reading, _ := w.Lookup(schema.Ask{Kind: of, ID: ref.ID, Keep: []string{}})
	found, why := ObjectOf(of, ref, reading)
	if why != "" {
		return why
	}
	return found.Note
}

// outOfScope reports whether an object belongs to an orphan outside the plan's scope.
func (w *World) outOfScope(coll schema.Collection, o schema.Object) bool {
	at, ok := w.Ledger.Find(coll.String(), o.ID)
	return ok && w.nodes[at] == nil && !w.scope.includesEntry(at)
}

// Unmatched returns the nodes whose live object hew cannot determine.
func (w *World) Unmatched() (nodes []*Node) {
	for _, n := range w.all {
		if n.status == Blocked || n.keyUnknown || n.excluded && n.status == Pending {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// Unrecognizable returns why a collection may contain a declared object that the plan cannot
// recognize, or "".
func (w *World) Unrecognizable(kind *schema.Kind, coll schema.Collection, unmatched []*Node) string {
	for _, n := range unmatched {
		if n.Kind() == kind && w.mayBeIn(n, coll) {
			return n.want.Addr.String() + " cannot be matched"
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

// mayBeIn reports whether an unmatched node may belong to a collection: not if its owner is
// another one, or does not exist yet.
func (w *World) mayBeIn(n *Node, coll schema.Collection) bool {
	owner := n.Kind().Owner()
	switch {
	case n.coll != schema.Collection{}:
		return n.coll == coll
	case n.owner == nil || owner == nil:
		return true
	case n.owner.ID != "":
		return n.Kind().In(n.owner.ID) == coll
	}
	above := w.Target(owner.RefKind(), n.owner)
	return above == nil || above.status != Missing
}

// StrayAddr returns the address of a stray: by its key in a set, by its id under an exclusive block
// or if the key may hold a secret.
func StrayAddr(x *config.Exclusive, o schema.Object) addr.Instance {
	a := x.Addr
	a.Elem = KeyTitle(o)
	if a.Mode == addr.Exclusive || a.Elem != UndeclaredTitle(o) || !showsWholeKey(o) {
		a.Elem = o.ID
	}
	return a
}
