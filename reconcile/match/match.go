package match

import (
	"cmp"
	"fmt"
	"slices"

	"hew/reconcile/guard"
	"hew/reconcile/plan"
	"hew/schema"
)

// What a node knows once it has found its live object.

// match records o as the object that n declares, once its details are read and
// so is what it inherits.
func (w *World) match(n *Node, o schema.Object) {
	id := IdentityOf(n.Kind(), n.coll, o.ID)
	if other := w.claimed[id]; other != nil && other != n {
		w.conflict(n, other, fmt.Sprintf("Both stand for %s %s.", n.Kind().Name, liveTitle(o, n)))
		return
	}
	w.claimed[id] = n
	o, ok := w.readDetails(n, o)
	if !ok {
		return
	}
	w.learnIDs(n, o)
	if !w.resolveUsers(n) || !w.checkInheritedWeight(n, n.Kind().Weight(o)) {
		return
	}
	n.live, n.status, n.gone = o, Matched, false
	if n.entry == nil {
		w.readdress(n, o.ID)
	}
	if w.isReferredTo(n.Kind()) {
		n.ref.ID = o.ID
	}
	if n.Kind().Tree != nil {
		n.ref.ID = o.ID
		w.byThing[ByID(n.Kind().Name, o.ID)] = n
	}
	w.news[n.want.Addr.Block] = true
	w.checkState(n)
}

// checkState acts on the state of a live object, and on where it is: what states no
// owner is at the top, and goes there if the ledger says why.
func (w *World) checkState(n *Node) {
	if in := plan.Nested(&n.want, n.live); in != nil && !plan.Rises(n.Kind(), n.entry) {
		owner := n.Kind().Owner().Name
		n.Block(fmt.Sprintf("it is in %s on the host, and a %s without %s is at the top. State %s = %q, transfer it "+
			"by hand if it shall be there, or put lifecycle { ignore_changes = [%s] } on %s",
			in, n.Kind().Name, owner, owner, in, owner, n.want.Addr.Block))
		return
	}
	switch n.live.State {
	case schema.PendingDeletion:
		if !slices.Contains(n.want.Block.Lifecycle.Allow, guard.Restore) {
			n.Block(fmt.Sprintf(`%s %s is marked for deletion; to restore it put lifecycle { allow = ["restore"] } on %s`,
				n.Kind().Name, n.Title(), n.want.Addr))
		}
	case schema.Archived:
		if frozen := n.Kind().Frozen; frozen == "" || !schema.Stated(n.want.Object, frozen) {
			n.status, n.why = Skipped, fmt.Sprintf("%s %s is archived", n.Kind().Name, n.Title())
			if n.outside {
				return
			}
			w.Note("%s is left alone: %s. State archived = false to bring it back.", n.want.Addr, n.why)
		}
	}
}

// readDetails reads an object by itself where its list leaves out attributes that
// are stated, owned or referred to. ok is false until then.
func (w *World) readDetails(n *Node, o schema.Object) (_ schema.Object, ok bool) {
	if !w.lacksDetails(n, o) {
		return o, true
	}
	ask := schema.Ask{Kind: n.Kind(), ID: o.ID}
	if n.Kind().Tree == nil && n.owner != nil { // the instance owns what nobody does
		ask.Owner = n.owner.ID
	}
	r, ok := w.Look(ask)
	if !ok {
		return o, false
	}
	if len(r.Objects) == 0 {
		n.Block(Unreadable(n.Kind(), n.ref, r.State, r.Err))
		return o, false
	}
	n.detailed = true
	return r.Objects[0], true
}

// lacksDetails reports whether a detail that matters is missing from what a list said.
func (w *World) lacksDetails(n *Node, o schema.Object) bool {
	for i := range n.Kind().Attrs {
		a := &n.Kind().Attrs[i]
		if !a.Detail || a.IsSecret() || a.SentOnce() {
			continue
		}
		if _, there := o.Value.Get(a.Name); there {
			continue
		}
		if schema.Stated(n.want.Object, a.Name) || n.want.Block.Mentions(a.Name) {
			return true
		}
		if n.entry != nil {
			if _, owned := n.entry.Owned[a.Name]; owned {
				return true
			}
		}
	}
	return false
}

// learnIDs learns the ids of users and groups named in the configuration from
// the live object, so that nobody has to look them up.
func (w *World) learnIDs(n *Node, o schema.Object) {
	for a, v := range o.Value.All() {
		if a.RefKind() == "" {
			continue
		}
		have := schema.Refs(v)
		for _, want := range schema.Refs(n.want.Object.Get(a.Name)) {
			i := slices.IndexFunc(have, want.Same)
			if want.Addr != "" || i < 0 {
				continue
			}
			want.ID = cmp.Or(want.ID, have[i].ID)
			want.Path = cmp.Or(want.Path, have[i].Path)
		}
	}
}

// readdress gives a node the ledger entry of its live object, wherever that
// entry was: a block was renamed, or an object went from one kind of block
// into another.
func (w *World) readdress(n *Node, id string) {
	at, ok := w.Ledger.Find(n.coll.String(), id)
	if !ok || at == n.want.Addr {
		return
	}
	if other := w.nodes[at]; other != nil && other.entry != nil && other.status == Matched && other.live.ID == id {
		return
	}
	e := w.Ledger.Entries[at]
	n.entry, n.from = &e, at
}
