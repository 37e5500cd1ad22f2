package reconcile

import (
	"cmp"
	"fmt"
	"slices"

	"hew/reconcile/plan"
	"hew/schema"
)

// What a node knows once it has found its live object.

// match: o is the object that n declares, once its details are read and what
// it inherits is heard.
func (w *world) match(n *node, o schema.Object) {
	id := identityOf(n.kind(), n.coll, o.ID)
	if other := w.claims[id]; other != nil && other != n {
		w.conflict(n, other, fmt.Sprintf("Both stand for %s %s.", n.kind().Name, titleOf(o, n)))
		return
	}
	w.claims[id] = n
	o, ok := w.detailed(n, o)
	if !ok {
		return
	}
	w.adoptRefs(n, o)
	if !w.resolveUsers(n) || !w.checkInheritedWeight(n, n.kind().Weight(o)) {
		return
	}
	n.live, n.status, n.gone = o, matched, false
	if n.entry == nil {
		w.readdress(n, o.ID)
	}
	if w.referred(n.kind()) {
		n.ref.ID = o.ID
	}
	if n.kind().Tree != nil {
		n.ref.ID = o.ID
		w.byThing[byID(n.kind().Name, o.ID)] = n
	}
	w.news[n.want.Addr.Block] = true
	w.judge(n)
}

// judge acts on the state of a live object, and on where it is: what states no
// owner is at the top, and goes there if the ledger says why.
func (w *world) judge(n *node) {
	if in := plan.Nested(&n.want, n.live); in != nil && !plan.Rises(n.kind(), n.entry) {
		owner := n.kind().Owner().Name
		n.block(fmt.Sprintf("it is in %s on the host, and a %s without %s is at the top. State %s = %q, transfer it by hand if it shall be there, or put lifecycle { ignore_changes = [%s] } on %s",
			in, n.kind().Name, owner, owner, in, owner, n.want.Addr.Block))
		return
	}
	switch n.live.State {
	case schema.PendingDeletion:
		if !slices.Contains(n.want.Block.Lifecycle.Allow, plan.Restore) {
			n.block(fmt.Sprintf(`%s %s is marked for deletion; to restore it put lifecycle { allow = ["restore"] } on %s`, n.kind().Name, n.title(), n.want.Addr))
		}
	case schema.Archived:
		if frozen := n.kind().Frozen; frozen == "" || !schema.Stated(n.want.Object, frozen) {
			n.status, n.why = skipped, fmt.Sprintf("%s %s is archived", n.kind().Name, n.title())
			if n.witness {
				return
			}
			w.note("%s is left alone: %s. State archived = false to bring it back.", n.want.Addr, n.why)
		}
	}
}

// detailed reads an object by itself where its list leaves out attributes that
// are stated, owned or referred to. ok is false until then.
func (w *world) detailed(n *node, o schema.Object) (_ schema.Object, ok bool) {
	if !w.lacks(n, o) {
		return o, true
	}
	ask := schema.Ask{Kind: n.kind(), ID: o.ID}
	if n.kind().Tree == nil && n.owner != nil { // the instance owns what nobody does
		ask.Owner = n.owner.ID
	}
	r, ok := w.look(ask)
	if !ok {
		return o, false
	}
	if len(r.Objects) == 0 {
		n.block(unreadable(n.kind(), n.ref, r.State, r.Err))
		return o, false
	}
	n.detailed = true
	return r.Objects[0], true
}

// lacks tells whether a detail that matters is missing from what a list said.
func (w *world) lacks(n *node, o schema.Object) bool {
	for i := range n.kind().Attrs {
		a := &n.kind().Attrs[i]
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

// adoptRefs learns the ids of users and groups named in the configuration from
// the live object, so that nobody has to look them up.
func (w *world) adoptRefs(n *node, o schema.Object) {
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
func (w *world) readdress(n *node, id string) {
	at, ok := w.led.Find(n.coll.String(), id)
	if !ok || at == n.want.Addr {
		return
	}
	if other := w.nodes[at]; other != nil && other.entry != nil && other.status == matched && other.live.ID == id {
		return
	}
	e := w.led.Entries[at]
	n.entry, n.from = &e, at
}
