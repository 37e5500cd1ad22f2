package match

import (
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/schema"
)

// Instances of one block are known by their natural keys rather than by their positions: when an
// element is inserted into the list behind a count, the objects after it keep their keys and change
// their addresses. Such instances are peers. Where the key of an object cannot be changed in place,
// all blocks of the kind are peers, because an object with the declared key is the declared object.
//
// Peers exchange ledger entries before anything is matched by a ledger id. Only the entries of
// objects whose key differs from the declared one are looked at, so an unchanged configuration
// reads nothing more than without this file. Like a moved block, an exchange reaches addresses outside
// the plan's scope: it sends nothing, and an object must not be deleted for the address that it had.

// peerGroup identifies a group of peers: a block without instance keys, or the blocks of a kind in
// all modules.
func peerGroup(k *schema.Kind, at addr.Instance) addr.Block {
	if key := k.Match.Keys; k.Tree == nil && len(key) > 0 && k.Attr(key[0]).ForceNew {
		return addr.Block{Mode: at.Mode, Kind: at.Kind}
	}
	return at.WithoutKeys()
}

// peersOf returns the nodes in n's group of peers, n included, in file order.
func (w *World) peersOf(n *Node) []*Node {
	if w.peers == nil {
		w.peers = map[addr.Block][]*Node{}
		for _, p := range w.all {
			b := peerGroup(p.Kind(), p.want.Addr)
			w.peers[b] = append(w.peers[b], p)
		}
	}
	return w.peers[peerGroup(n.Kind(), n.want.Addr)]
}

// readdress gives n the ledger entry of the live object that has its key, if a peer has that entry,
// and gives n's own entry to a peer that declares its key. It returns false while it needs
// readings, and when it blocks n.
func (w *World) readdress(n *Node, depth int) bool {
	if n.readdressed || !isReaddressable(n) || w.managedPeers(n) < 2 {
		return true
	}
	for {
		own, ok := w.entryObject(n)
		if !ok {
			return false
		}
		if own.ID != "" && w.hasKey(n, own) {
			break // nothing differs
		}
		if !w.locatePeers(n, depth) {
			return false
		}
		holder, ok := w.keyHolder(n)
		if !ok {
			return false
		}
		at, managed := w.Ledger.Find(n.coll.String(), holder.ID)
		if managed && at != n.want.Addr && w.canExchange(n, at) {
			w.exchange(n, at)
			break
		}
		entry := n.entryID()
		if taker := w.takerOf(n, own); taker != nil && !w.readdress(taker, depth+1) {
			return false
		}
		if n.entryID() == entry {
			break // no peer needs it
		}
	}
	n.readdressed = true
	return true
}

// isReaddressable reports whether n's object can be recognized by its key. The elements of a set
// have their key in their address.
func isReaddressable(n *Node) bool {
	k := n.Kind()
	_, _, known := Key(n.want.Object)
	return known && n.want.Addr.Elem == "" && k.Holds == schema.Many && !k.Match.Alike &&
		(n.imports == nil || n.entry != nil)
}

// managedPeers returns the number of addresses in n's group of peers that are declared or in the
// ledger, at most 2.
func (w *World) managedPeers(n *Node) int {
	peers := w.peersOf(n)
	if len(peers) > 1 {
		return 2
	}
	if w.managed == nil {
		w.managed = map[addr.Block][]addr.Instance{}
		for at, e := range w.Ledger.Entries {
			if k := w.Kinds.Resource(e.Kind); k != nil {
				b := peerGroup(k, at)
				w.managed[b] = append(w.managed[b], at)
			}
		}
	}
	for _, at := range w.managed[peerGroup(n.Kind(), n.want.Addr)] {
		if at != n.want.Addr {
			return 2
		}
	}
	return 1
}

// locatePeers locates n's peers, so that their keys are claimed. It returns false while one of them
// has to be read, unless nothing else is left to read.
func (w *World) locatePeers(n *Node, depth int) bool {
	all := true
	for _, p := range w.peersOf(n) {
		if p.located || p.status != Pending {
			continue
		}
		w.Resolve(&p.Declaration)
		if !w.locate(p, depth+1) && p.status == Pending {
			all = false
		}
	}
	if !all && !w.impatient {
		w.waiting = true
		return false
	}
	return n.status == Pending // else it turned out to be a duplicate
}

// StopWaiting matches the nodes that wait for peers that cannot be located before the apply. It
// returns false if there are none, or if nothing has to be read for them.
func (w *World) StopWaiting(advance func()) bool {
	if !w.waiting || w.HasStale() {
		return false
	}
	w.impatient, w.waiting = true, false
	advance()
	w.impatient = false
	return w.WantsReading()
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

// keyHolder returns the live object that has n's key in its collection, without an id if there is
// none. It returns false until that is read.
func (w *World) keyHolder(n *Node) (o schema.Object, ok bool) {
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

// takerOf returns the peer of n that declares the key of n's live object, or nil.
func (w *World) takerOf(n *Node, own schema.Object) *Node {
	if own.ID == "" {
		return nil
	}
	for _, k := range keysOf(own, w.entryLocation(n, own)) {
		if p := w.keys[k]; p != nil && p != n && p.status == Pending && w.arePeers(n, p.want.Addr) {
			return p
		}
	}
	return nil
}

func (w *World) arePeers(n *Node, at addr.Instance) bool {
	return !at.Deposed() && at.Elem == "" && peerGroup(n.Kind(), at) == peerGroup(n.Kind(), n.want.Addr)
}

// canExchange reports whether n can take the ledger entry at an address in exchange for its own: a
// peer has it that is not matched yet, or that is no longer declared and has no removed block.
func (w *World) canExchange(n *Node, at addr.Instance) bool {
	if !w.arePeers(n, at) {
		return false
	}
	if p := w.nodes[at]; p != nil {
		return p.status == Pending && !p.readdressed
	}
	return n.entry != nil && w.removalOf(at) == nil // else claimEntry moves the entry
}

// exchange swaps the ledger entries of n and of an address. An address that is left without an
// object of its key gets the one that is left over: its object is changed, or deleted if no block
// declares the address.
func (w *World) exchange(n *Node, at addr.Instance) {
	here, own := w.Ledger.Entries[n.want.Addr]
	theirs := w.Ledger.Entries[at]
	left := w.Ledger.Remove(at)
	taken := w.Ledger.Set(n.want.Addr, theirs)
	if own {
		left = w.Ledger.Set(at, here)
	}
	w.rewrites = append(w.rewrites, taken, left) // after a crash in between, two addresses rather than none
	w.recordExchange(n.want.Addr, at, own)
	n.entry, n.from = &theirs, w.movedFrom[n.want.Addr]
	if p := w.nodes[at]; p != nil {
		p.entry, p.from = nil, addr.Instance{}
		if own {
			p.entry, p.from = &here, w.movedFrom[at]
		}
	}
	delete(w.orphans, at) // it is another object now
	w.exchanged = true
}

// recordExchange records where two exchanged entries were before. own is whether there was one at a.
func (w *World) recordExchange(a, b addr.Instance, own bool) {
	for _, from := range []map[addr.Instance]addr.Instance{w.movedFrom, w.renumbered} {
		fromA, fromB := original(from, a), original(from, b)
		delete(from, a)
		delete(from, b)
		if fromB != a {
			from[a] = fromB
		}
		if own && fromA != b {
			from[b] = fromA
		}
	}
}

func original(from map[addr.Instance]addr.Instance, at addr.Instance) addr.Instance {
	if first, moved := from[at]; moved {
		return first
	}
	return at
}

// RenumberDependencies changes the dependencies in the ledger, which order deletions, to the
// addresses that entries have since they were exchanged.
func (w *World) RenumberDependencies() {
	if len(w.renumbered) == 0 {
		return
	}
	now := make(map[addr.Instance]addr.Instance, len(w.renumbered))
	for to, from := range w.renumbered {
		now[from] = to
	}
	for _, at := range w.Ledger.Sorted() {
		if e := w.Ledger.Entries[at]; renumber(&e, now) {
			w.rewrites = append(w.rewrites, w.Ledger.Set(at, e))
		}
	}
	for _, n := range w.all {
		if n.entry != nil {
			renumber(n.entry, now)
		}
	}
	for _, o := range w.orphans {
		renumber(&o.entry, now)
	}
	clear(w.renumbered)
}

// renumber changes the addresses in an entry, and reports whether there were any to change.
func renumber(e *ledger.Entry, now map[addr.Instance]addr.Instance) (changed bool) {
	needs := slices.Clone(e.DependsOn)
	for i, at := range needs {
		if to, moved := now[at]; moved {
			needs[i], changed = to, true
		}
	}
	e.DependsOn = needs
	if to, moved := now[e.ReplacedFor]; moved {
		e.ReplacedFor, changed = to, true
	}
	return changed
}
