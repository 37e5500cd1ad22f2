package match

import (
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/schema"
)

// Instances of one block are known by their natural keys rather than by their positions: when an
// element is inserted into the list behind a count, the objects after it keep their keys and change
// their addresses. Such instances are peers. Where the key of an object cannot be changed in place,
// all blocks of the kind are peers, because an object with the declared key is the declared object.
//
// Peers exchange ledger entries before anything is matched by a ledger id. Only the entries of
// objects whose key differs from the declared one are looked at, so an unchanged configuration
// reads nothing more than without this file. Like a moved block, an exchange reaches addresses
// outside the plan's scope: it sends nothing, and an object must not be deleted for the address
// that it had.

// readdress gives n the ledger entry of the live object that has its key, if a peer has that entry,
// and gives n's own entry to a peer that declares its key. It returns false while it needs
// readings, and when it blocks n.
func (w *World) readdress(n *Node, depth int) bool {
	if n.readdressed || !isReaddressable(n) || !w.hasPeers(n) || w.drift && n.keepsKey() {
		return true
	}
	if !n.knowsKey() {
		return !w.peerDeferral.Wait() // it may come from an object that is matched first
	}
	for {
		object, ok := w.entryObject(n)
		if !ok {
			return false
		}
		done, ok := w.takeFromHolder(n, object, depth)
		if !ok {
			return false
		}
		if done {
			break
		}
		entry := n.entryID()
		if p := w.peerWithKeyOf(n, object); p != nil && !w.readdress(p, depth+1) {
			return false
		}
		if n.entryID() == entry {
			if !w.takeUnclaimedEntry(n, object) {
				return false
			}
			break
		}
		// the peer has exchanged its entry for that of n, which is another one now
	}
	n.readdressed = true
	return true
}

// takeFromHolder gives n the ledger entry of the live object that has its key, if a peer has that
// entry. It returns done if n has its entry then, because object, that of its own entry, has its
// key, or because of the exchange. ok is false while it needs readings, and when it blocks n.
func (w *World) takeFromHolder(n *Node, object schema.Object, depth int) (done, ok bool) {
	if object.ID != "" && w.hasKey(n, object) {
		return true, true
	}
	if !w.locatePeers(n, depth) {
		return false, false
	}
	holder, ok := w.liveObjectWithKey(n)
	if !ok {
		return false, false
	}
	at, managed := w.Ledger.Find(n.coll.String(), holder.ID)
	if !managed || at == n.want.Addr || !w.canExchange(n, at) {
		return false, true
	}
	for _, x := range []*Node{n, w.nodes[at]} {
		if x != nil && x.keepsKey() {
			x.note = "renamed by hand on the host since the last apply"
		}
	}
	w.exchange(n, at)
	return true, true
}

// takeUnclaimedEntry gives n an entry that no peer needs, if there is one. It returns false until
// the collection is read.
func (w *World) takeUnclaimedEntry(n *Node, object schema.Object) (ok bool) {
	at, read := w.unclaimedEntryHere(n, object)
	if at != nil {
		w.exchange(n, *at)
	}
	return read
}

// keepsKey reports whether n declares the key that it was applied with. If its object has another
// key, somebody renamed the object by hand, which drift must tell.
func (n *Node) keepsKey() bool {
	switch {
	case n.entry == nil:
		return false
	case n.Kind().Tree != nil:
		return strings.EqualFold(n.entry.Key, n.Path())
	}
	title := KeyTitle(n.want.Object)
	return n.entry.Key == title && showsWholeKey(n.want.Object) && collectionOf(n.entry.Collection).Path == n.coll.Path
}

// isReaddressable reports whether n's object can be recognized by its key. An import selects the
// object of a node without an entry.
func isReaddressable(n *Node) bool {
	k := n.Kind()
	return k.Holds == schema.Many && !k.Match.Alike && (n.imports == nil || n.entry != nil)
}

// knowsKey reports whether the natural key is known.
func (n *Node) knowsKey() bool {
	_, _, known := Key(n.want.Object)
	return known
}

// unclaimedEntryHere returns the address of a peer's entry in n's collection, or nil, for a node
// whose own entry is in another one: owners exchange their children along with their addresses. No
// peer must need the object: it has another key than the declared ones, and its peer has another
// owner. read is false until the collection is read.
func (w *World) unclaimedEntryHere(n *Node, object schema.Object) (at *addr.Instance, read bool) {
	isHere := object.ID != "" && w.entryLocation(n, object) == n.coll
	if isHere || n.Kind().Tree != nil || n.want.Addr.Elem != "" || n.coll.Path == "" || n.entry == nil {
		return nil, true
	}
	c := w.List(n.Kind(), n.coll)
	if c == nil {
		return nil, false
	}
	for _, o := range c.objs {
		at, managed := w.Ledger.Find(n.coll.String(), o.ID)
		if !managed || at == n.want.Addr || !w.canExchange(n, at) {
			continue
		}
		if p := w.nodes[at]; p != nil && p.coll.Path == n.coll.Path {
			continue // it stays in this owner
		}
		needed := slices.ContainsFunc(liveKeys(o, n.coll), func(k naturalKey) bool { return w.keys[k] != nil })
		if !needed {
			return &at, true
		}
	}
	return nil, true
}

// entryObject returns the live object of n's ledger entry, without an id if there is none. It
// returns false until that is read.
func (w *World) entryObject(n *Node) (o schema.Object, ok bool) {
	if n.entryID() == "" {
		return o, true
	}
	in := collectionOf(n.entry.Collection)
	if n.Kind().Tree != nil && (n.coll.Path == "" || n.coll.Path == n.Kind().Root) {
		return w.lookupObject(schema.Ask{Kind: n.Kind(), ID: n.entryID()})
	}
	if n.Kind().Tree != nil {
		in = n.coll
	}
	c := w.List(n.Kind(), in)
	if c == nil {
		return o, false
	}
	if o, found := c.Find(n.entryID()); found || n.Kind().Tree == nil {
		return o, true
	}
	return w.lookupObject(schema.Ask{Kind: n.Kind(), ID: n.entryID()}) // it is in another owner
}

// lookupObject returns the object of a lookup, without an id if it does not exist, is marked for
// deletion or was found by a former path.
func (w *World) lookupObject(a schema.Ask) (o schema.Object, ok bool) {
	r, ok := w.Lookup(a)
	if ok && len(r.Objects) > 0 && r.State != schema.PendingDeletion && r.State != schema.Moved {
		o = r.Objects[0]
	}
	return o, ok
}

// liveObjectWithKey returns the live object that has n's key in its collection, without an id if
// there is none. It returns false until that is read.
func (w *World) liveObjectWithKey(n *Node) (o schema.Object, ok bool) {
	switch n.coll.Path {
	case "":
		return o, true // its owner does not exist
	case n.Kind().Root:
		if n.Path() == "" {
			return o, true
		}
		return w.lookupObject(schema.Ask{Kind: n.Kind(), Key: n.Path()})
	}
	c := w.List(n.Kind(), n.coll)
	if c == nil {
		return o, false
	}
	a, v, _ := Key(n.want.Object)
	for _, i := range c.Fitting(n.want.Object, a, v) {
		at, managed := w.Ledger.Find(n.coll.String(), c.objs[i].ID)
		if !managed || at == n.want.Addr || w.canExchange(n, at) {
			return c.objs[i], true
		}
	}
	return o, true
}

// hasKey reports whether a live object is in n's collection and has its key.
func (w *World) hasKey(n *Node, o schema.Object) bool {
	return w.entryLocation(n, o).Path == n.coll.Path && declaresKeyOf(n, o)
}

// peerWithKeyOf returns the peer of n that declares the key of n's live object, or nil.
func (w *World) peerWithKeyOf(n *Node, object schema.Object) *Node {
	if object.ID == "" {
		return nil
	}
	for _, k := range liveKeys(object, w.entryLocation(n, object)) {
		if p := w.keys[k]; p != nil && p != n && p.status == Pending && w.arePeers(n, p.want.Addr) {
			return p
		}
	}
	return nil
}

// canExchange reports whether n can take the ledger entry at an address in exchange for its own: a
// peer has it that is not matched yet, or that is no longer declared. A removed block is about the
// object of another block, or about an address of the same one.
func (w *World) canExchange(n *Node, at addr.Instance) bool {
	if !w.arePeers(n, at) {
		return false
	}
	if p := w.nodes[at]; p != nil {
		return p.status == Pending && !p.readdressed
	}
	if n.entry == nil {
		return false // claimEntry moves the entry
	}
	return at.WithoutKeys() == n.want.Addr.WithoutKeys() || w.removalOf(at) == nil
}
