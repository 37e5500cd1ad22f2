package match

import (
	"fmt"
	"slices"
	"strings"

	"hew/schema"
)

// matchNode matches a node to its live object, or finds that it has none. It tries, in order: the
// id in the ledger, the import block, the natural key. If all fail, the object will be created.
func (w *World) matchNode(n *Node, depth int) {
	resolved := w.Resolve(&n.Declaration)
	if n.status == Matched || n.status == Missing {
		w.resolveSiblings(n) // the configuration may have been evaluated again
		n.omitOutsiders()
	}
	if n.status != Pending || depth > maxDepth || !w.locate(n, depth) || !w.readdress(n, depth) {
		return
	}
	w.deposeEntry(n)
	switch {
	case n.coll == schema.Collection{} && n.Kind().Tree != nil && (n.imports != nil || n.entryID() != ""):
		w.lookupPath(n) // it exists elsewhere and moves there
		return
	case n.coll == schema.Collection{} && n.imports != nil:
		n.Block(fmt.Sprintf("%s %s cannot be imported: its %s does not exist yet", n.Kind().Name, n.imports.ID,
			n.Kind().Owner().Name))
		return
	case n.coll == schema.Collection{}:
		w.planCreation(n) // an owner that does not exist contains nothing
		return
	case n.coll.Path == n.Kind().Root:
		w.lookupPath(n) // the collection may be all of the instance
		return
	}
	c := w.List(n.Kind(), n.coll)
	if c == nil {
		return
	}
	if !c.Present() {
		n.Block(c.Unreadable(n.owner))
		return
	}
	if n.entryID() != "" {
		if o, ok := c.Find(n.entryID()); ok {
			w.recordMatch(n, o)
			return
		}
		if n.Kind().Tree != nil && w.matchElsewhere(n) {
			return
		}
	}
	switch {
	case n.imports != nil && n.Kind().Tree != nil:
		w.lookupPath(n)
	case resolved && !w.matchByImport(n, c):
		w.matchByKey(n, c)
	}
}

// matchElsewhere looks up an object by its ledger id outside its declared owner, from where it will
// move. An object with the same key in the declared owner is another one, which may be about to be
// deleted. It also returns true while the lookup is pending.
func (w *World) matchElsewhere(n *Node) bool {
	r, ok := w.Lookup(schema.Ask{Kind: n.Kind(), ID: n.entryID()})
	if !ok {
		return true
	}
	gone := r.State == schema.Absent || len(r.Objects) > 0 && r.Objects[0].State == schema.PendingDeletion
	if !gone { // else it was deleted by hand, and another may take its place
		w.matchReading(n, r)
	}
	return !gone
}

// deposeEntry makes the node's ledger entry a deposed one if its owner has changed: the object in
// the old owner becomes an orphan. Groups and projects move instead.
func (w *World) deposeEntry(n *Node) {
	if n.entry == nil || n.entry.ID == "" || n.excluded || n.Kind().Tree != nil || w.ownerGone(n) {
		return
	}
	if path, _, _ := strings.Cut(n.entry.Collection, "?"); path == n.coll.Path {
		return // another query lists the same objects
	}
	at := n.want.Addr.Depose(n.entry.ID)
	w.rewrites = append(w.rewrites, w.Ledger.Remove(n.want.Addr), w.Ledger.Set(at, *n.entry))
	n.meant = n.entry.Meant
	n.entry, n.note = nil, "its "+n.Kind().Owner().Name+" has changed"
}

// ownerGone reports whether an object is gone because its owner is gone.
func (w *World) ownerGone(n *Node) bool {
	if n.owner == nil {
		return false
	}
	above := w.Target(n.Kind().Owner().RefKind(), n.owner)
	return above != nil && above.gone
}

// matchByKey matches the object by its natural key within its collection.
func (w *World) matchByKey(n *Node, c *Collection) {
	if n.Kind().Holds == schema.One {
		w.recordMatch(n, c.objs[0])
		return
	}
	if n.Kind().Match.Alike {
		w.matchOldest(n, c)
		return
	}
	a, v, ok := Key(n.want.Object)
	if !ok {
		return // known after apply
	}
	if !w.claimKey(n) {
		return
	}
	found := slices.DeleteFunc(c.Fitting(n.want.Object, a, v),
		func(i int) bool { return w.claimedElsewhere(n, n.coll, c.objs[i]) })
	switch {
	case len(found) == 0 && n.Kind().Tree != nil:
		w.lookupPath(n)
	case len(found) == 0 && n.Kind().Invites(a):
		w.matchByInvitee(n, c, a, v)
	case len(found) == 0 && n.Kind().Requested() && !w.noteAccessRequest(n, v):
		w.resolveUsers(n) // in the same wave
	case len(found) == 0:
		w.planCreation(n)
	case len(found) == 1:
		w.recordMatch(n, c.objs[found[0]])
	case n.Kind().Match.Twins == schema.Ambiguous:
		n.Block(fmt.Sprintf("%d live objects have %s %s (ids %s); delete all but one, or import one by its id",
			len(found), n.want.WrittenName(a.Name), showKey(a, v), joinIDs(c, found)))
	default:
		slices.SortFunc(found, func(i, j int) int { return compareIDs(c.objs[i].ID, c.objs[j].ID) })
		n.note = fmt.Sprintf("%d live objects have %s %s (ids %s); hew uses the lowest id", len(found),
			n.want.WrittenName(a.Name), showKey(a, v), joinIDs(c, found))
		w.recordMatch(n, c.objs[found[0]])
	}
}

// matchOldest matches the first unclaimed object of a kind whose objects have no distinguishing
// attribute.
func (w *World) matchOldest(n *Node, c *Collection) {
	free := slices.DeleteFunc(c.AllIndexes(), func(i int) bool { return w.claimedElsewhere(n, n.coll, c.objs[i]) })
	if len(free) == 0 {
		w.planCreation(n)
		return
	}
	w.recordMatch(n, c.objs[slices.MinFunc(free, func(i, j int) int { return compareIDs(c.objs[i].ID, c.objs[j].ID) })])
}

// claimedElsewhere reports whether an object with the declared key belongs to another node, which
// was matched to it or has it in the ledger. If objects of the kind cannot have the same key, that
// node must be about to change the key: else both manage the object, which recordMatch reports.
func (w *World) claimedElsewhere(n *Node, in schema.Collection, o schema.Object) bool {
	other := w.claimed[IdentityOf(n.Kind(), in, o.ID)]
	if other == nil {
		at, _ := w.Ledger.Find(in.String(), o.ID)
		other = w.nodes[at]
	}
	return other != nil && other != n && (n.Kind().Match.Twins == schema.Lowest || !declaresKeyOf(other, o))
}

// declaresKeyOf reports whether n declares the natural key of a live object.
func declaresKeyOf(n *Node, o schema.Object) bool {
	if t := o.Kind.Tree; t != nil {
		return strings.EqualFold(n.Path(), schema.Text(o.Get(t.Full)))
	}
	a, v, ok := Key(n.want.Object)
	return ok && a.Equal(v, o.Get(a.Name)) && o.Kind.Match.Fits(n.want.Object, o)
}

// planCreation records that the object does not exist, after the users and groups that it names are
// looked up. Their ids may show that another block declares the same object.
func (w *World) planCreation(n *Node) {
	if !w.resolveUsers(n) {
		return
	}
	if w.claimKey(n) {
		w.markMissing(n)
	}
}

// lookupPath looks up a group or project by its ledger id or path: at the top level, and when it is
// not in its declared owner. It may have been moved or renamed, or be hidden while its deletion is
// pending; creating it without this lookup would create a duplicate.
func (w *World) lookupPath(n *Node) {
	if n.entry != nil && n.entry.ID != "" {
		r, ok := w.Lookup(schema.Ask{Kind: n.Kind(), ID: n.entry.ID})
		if !ok {
			return
		}
		if r.State != schema.Absent {
			w.matchReading(n, r)
			return
		}
	}
	if w.matchByImport(n, nil) || n.Path() == "" {
		return
	}
	if r, ok := w.Lookup(schema.Ask{Kind: n.Kind(), Key: n.Path()}); ok {
		w.matchReading(n, r)
	}
}

// matchReading matches a node to the result of a lookup.
func (w *World) matchReading(n *Node, r schema.Reading) {
	o, why := ObjectOf(n.Kind(), n.ref, r)
	switch {
	case r.State == schema.Absent:
		w.markMissing(n)
	case why != "":
		n.Block(why)
	case w.isTaken(n, o, r.State):
		w.planCreation(n)
	case r.State == schema.Moved && (n.entry == nil || o.ID != n.entry.ID):
		n.Block(fmt.Sprintf("%s %s was renamed to %s; declare the new path, or rename it back", n.Kind().Name,
			n.Path(), o.Note))
	default:
		w.recordMatch(n, o)
	}
}

// isTaken reports whether the group or project that was found by n's path belongs to another node,
// which is about to leave the path or left it before. A path is free once the host only redirects
// from it.
func (w *World) isTaken(n *Node, o schema.Object, s schema.State) bool {
	if o.ID == n.entryID() {
		return false
	}
	if w.claimedElsewhere(n, LiveCollection(n.Kind(), o), o) {
		return true
	}
	other := w.byRefKey[byName(n.Kind().Name, schema.Text(o.Get(n.Kind().Tree.Full)))]
	return s == schema.Moved && other != nil && other != n
}

// markMissing records that the object will be created, unless it would have a lower level than it
// inherits.
func (w *World) markMissing(n *Node) {
	if !w.checkInheritedWeight(n, 0) {
		return
	}
	n.status = Missing
	n.gone = n.entry != nil && n.entry.ID != ""
	w.stale[n.want.Addr.Block] = true
}
