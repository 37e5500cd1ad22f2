package match

import (
	"path"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/schema"
)

// The ledger has the key that each object was applied with. It tells the object from all others
// even if somebody renamed it by hand, so peers ask for it before they ask for the live keys. A
// name in a key, such as a user's, is no identity: these keys are not looked at.

// appliedKey is the key that an object was applied with, or would be: for a group or project, the
// last segment of its path.
type appliedKey struct{ kind, collection, text string }

// appliedKeyOf returns the key that the ledger has for an object. It returns false for one that is
// not known to exist.
func appliedKeyOf(k *schema.Kind, e *ledger.Entry) (key appliedKey, ok bool) {
	if e == nil || e.ID == "" || e.Key == "" {
		return key, false
	}
	key = appliedKey{kind: k.Name, collection: collectionOf(e.Collection).Path, text: e.Key}
	if k.Tree != nil {
		key.text = strings.ToLower(path.Base(e.Key))
	}
	return key, true
}

// declaredAppliedKey returns the key that n would be applied with. It returns false while that or
// the collection is unknown, and for a key that the ledger does not have in full.
func (n *Node) declaredAppliedKey() (key appliedKey, ok bool) {
	a, v, ok := Key(n.want.Object)
	if !ok || n.coll.Path == "" {
		return key, false
	}
	key = appliedKey{kind: n.Kind().Name, collection: n.coll.Path}
	switch {
	case n.Kind().Tree != nil:
		key.text = strings.ToLower(schema.Text(v))
		return key, key.text != ""
	case schema.IsSecret(v) || !showsWholeKey(n.want.Object):
		return key, false
	}
	key.text = KeyTitle(n.want.Object)
	return key, a != nil
}

// keepsKey reports whether n declares the key that it was applied with. If its object has another
// key, somebody renamed the object by hand.
func (n *Node) keepsKey() bool {
	was, ok := appliedKeyOf(n.Kind(), n.entry)
	if !ok {
		return false
	}
	is, ok := n.declaredAppliedKey()
	return ok && was == is
}

// keepsEntry reports whether n keeps its ledger entry whatever key its object has now.
func (w *World) keepsEntry(n *Node) bool { return (w.drift || n.hasLastingKey()) && n.keepsKey() }

// hasLastingKey reports whether the key is a text of the object's own, rather than the name of a
// user or group, which can come to mean another one.
func (n *Node) hasLastingKey() bool {
	a, _, ok := Key(n.want.Object)
	return ok && a.RefKind() == ""
}

// identityInLedger identifies an entry while its address changes.
type identityInLedger struct{ collection, id string }

// indexApplied indexes the ledger entries by the keys that they were applied with.
func (w *World) indexApplied() {
	w.applied = map[appliedKey][]identityInLedger{}
	for _, at := range w.Ledger.Sorted() {
		e := w.Ledger.Entries[at]
		k := w.Kinds.Resource(e.Kind)
		if k == nil || at.Deposed() {
			continue
		}
		if key, ok := appliedKeyOf(k, &e); ok {
			w.applied[key] = append(w.applied[key], identityInLedger{e.Collection, e.ID})
		}
	}
}

// betterEntry returns the address of the peer's entry that n takes in exchange for its own. fits is
// whether n's own object has its key. It returns false for ok while it needs readings.
func (w *World) betterEntry(n *Node, fits bool) (at addr.Instance, found, ok bool) {
	if at, applied := w.appliedAt(n); applied {
		accepts, ok := w.acceptsExchange(n, fits, at)
		return at, !accepts, ok
	}
	if fits {
		return at, false, true
	}
	holder, ok := w.liveObjectWithKey(n)
	if !ok {
		return at, false, false
	}
	at, managed := w.Ledger.Find(n.coll.String(), holder.ID)
	if !managed || at == n.want.Addr || !w.canExchange(n, at) {
		return at, false, true
	}
	for _, x := range []*Node{n, w.nodes[at]} {
		if x != nil && x.keepsKey() {
			x.note = "renamed by hand on the host since the last apply"
		}
	}
	return at, true, true
}

// appliedAt returns the address of a peer whose object was applied with the key that n declares.
// That object is n's, whatever its key is now.
func (w *World) appliedAt(n *Node) (at addr.Instance, ok bool) {
	key, known := n.declaredAppliedKey()
	if !known || !n.hasLastingKey() {
		return at, false
	}
	for _, id := range w.applied[key] {
		at, managed := w.Ledger.Find(id.collection, id.id)
		if managed && at != n.want.Addr && (w.canExchange(n, at) || w.canInherit(n, at)) {
			return at, true
		}
	}
	return at, false
}

// canInherit reports whether n, which has no ledger entry, can take that of a peer that is no
// longer declared.
func (w *World) canInherit(n *Node, at addr.Instance) bool {
	return n.entry == nil && w.nodes[at] == nil && w.arePeers(n, at) && w.removalOf(at) == nil
}

// declarerOf returns the peer of n that declares the key with which the entry at an address was
// applied, or nil. A peer whose entry is decided needs no other.
func (w *World) declarerOf(n *Node, at addr.Instance) *Node {
	e := w.Ledger.Entries[at]
	key, ok := appliedKeyOf(n.Kind(), &e)
	if !ok {
		return nil
	}
	i := slices.IndexFunc(w.declares[key], func(p *Node) bool {
		return p.hasLastingKey() && p.status == Pending && !p.readdressed && w.arePeers(n, p.want.Addr)
	})
	if i < 0 {
		return nil
	}
	return w.declares[key][i]
}

// acceptsExchange reports whether the configuration declares the names that n's object and the one
// at an address have now, although they were applied with others: somebody exchanged the names by
// hand, and the configuration followed. fits is whether n's object has its key. It returns false
// for ok while the other object has to be read.
func (w *World) acceptsExchange(n *Node, fits bool, at addr.Instance) (accepts, ok bool) {
	p := w.nodes[at]
	if !fits || p == nil {
		return false, true
	}
	other, ok := w.entryObject(p)
	return ok && other.ID != "" && w.hasKey(p, other), ok
}
