package match

import (
	"cmp"
	"fmt"
	"slices"

	"hew/reconcile/guard"
	"hew/reconcile/plan"
	"hew/schema"
)

// This file records what a node knows once its live object is found.

// recordMatch records o as the live object of n, after reading its details and inherited level.
func (w *World) recordMatch(n *Node, o schema.Object) {
	id := IdentityOf(n.Kind(), n.coll, o.ID)
	if other := w.claimed[id]; other != nil && other != n {
		w.reportDuplicate(n, other, fmt.Sprintf("%s %s", n.Kind().Name, liveTitle(o, n)))
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
		w.claimEntry(n, o.ID)
	}
	if w.isReferredTo(n.Kind()) {
		n.ref.ID = o.ID
	}
	if n.Kind().Tree != nil {
		n.ref.ID = o.ID
		w.byRefKey[ByID(n.Kind().Name, o.ID)] = n
	}
	w.stale[n.want.Addr.Block] = true
	w.checkState(n)
}

// checkState acts on the state and position of the live object. A node without an owner is declared
// at the top level; it moves there only if the ledger shows that this is intended.
func (w *World) checkState(n *Node) {
	if in := plan.UndeclaredOwner(&n.want, n.live); in != nil && !plan.MovesToTop(n.Kind(), n.entry) {
		owner := n.Kind().Owner().Name
		n.Block(fmt.Sprintf("its %s on the host is %s, but the configuration sets no %s; set %s = %q, transfer the "+
			"%s to the top level by hand, or put lifecycle { ignore_changes = [%s] } on %s",
			owner, in, owner, owner, in, n.Kind().Name, owner, n.want.Addr.Block))
		return
	}
	switch n.live.State {
	case schema.PendingDeletion:
		told := w.drift && n.entry != nil // somebody marked it, and that is drift
		if !told && !slices.Contains(n.want.Block.Lifecycle.Allow, guard.Restore) {
			n.Block(fmt.Sprintf("%s %s is marked for deletion; to restore it, put "+
				`lifecycle { allow = ["restore"] } on %s; to create another one, wait until the host has deleted it `+
				"permanently, or choose another path", n.Kind().Name, n.Title(), n.want.Addr.Block))
		}
	case schema.Archived:
		if frozen := n.Kind().Frozen; frozen == "" || !schema.Stated(n.want.Object, frozen) {
			n.status, n.why = Skipped, fmt.Sprintf("%s %s is archived", n.Kind().Name, n.Title())
			if n.excluded {
				return
			}
			w.Note("Skipped %s: %s. Set archived = false to unarchive it.", n.want.Addr, n.why)
		}
	}
}

// readDetails reads the object by itself if its list omits an attribute that is set, owned or
// referred to. ok is false until that is read.
func (w *World) readDetails(n *Node, o schema.Object) (_ schema.Object, ok bool) {
	if !w.lacksDetails(n, o) {
		return o, true
	}
	ask := schema.Ask{Kind: n.Kind(), ID: o.ID}
	if n.Kind().Tree == nil && n.owner != nil { // else the instance owns it
		ask.Owner = n.owner.ID
	}
	r, ok := w.Lookup(ask)
	if !ok {
		return o, false
	}
	if len(r.Objects) == 0 {
		n.Block(UnreadableObject(n.Kind(), n.ref, r.State, r.Err))
		return o, false
	}
	n.detailed = true
	return r.Objects[0], true
}

// lacksDetails reports whether a list omits an attribute of o that matters.
func (w *World) lacksDetails(n *Node, o schema.Object) bool {
	for i := range n.Kind().Attrs {
		a := &n.Kind().Attrs[i]
		if !a.Detail || a.IsSecret() && !a.Readable() || a.SentOnce() {
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

// learnIDs copies the ids of users and groups from the live object to the declared references,
// which saves looking them up.
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

// claimEntry gives n the ledger entry of its live object, whatever address the entry has: the block
// was renamed, or the object moved to another kind of block.
func (w *World) claimEntry(n *Node, id string) {
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

// entryLocation returns the collection of the live object of n's ledger entry.
func (w *World) entryLocation(n *Node, o schema.Object) schema.Collection {
	if n.Kind().Tree == nil {
		return collectionOf(n.entry.Collection)
	}
	return LiveCollection(n.Kind(), o)
}

// LiveCollection returns the collection that a live group or project is in.
func LiveCollection(k *schema.Kind, o schema.Object) schema.Collection {
	if a := k.Owner(); a != nil {
		if owner := schema.AsRef(o.Get(a.Name)); owner != nil {
			return k.In(owner.ID)
		}
	}
	return k.In("")
}
