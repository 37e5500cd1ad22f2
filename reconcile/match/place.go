package match

import (
	"fmt"
	"slices"
	"strings"

	"hew/schema"
)

// placeNode finds the live object that a declared one stands for, or that there is
// none. It goes by live identity, never by address: the id that the ledger
// has, then what an import says, then the natural key, then creation.
func (w *World) placeNode(n *Node, depth int) {
	resolved := w.Resolve(&n.Seeker)
	if n.status == Matched || n.status == Missing {
		w.resolveSiblings(n) // the configuration may have been taken in anew
	}
	if n.status != Pending || depth > maxDepth || !w.placeOwner(n, depth) {
		return
	}
	w.deposeEntry(n)
	switch {
	case n.coll == schema.Collection{} && n.Kind().Tree != nil && (n.imports != nil || n.entryID() != ""):
		w.lookupPath(n) // it is elsewhere, and moves there
		return
	case n.coll == schema.Collection{} && n.imports != nil:
		n.Block(fmt.Sprintf("there is no %s %s to import: its %s is yet to be created", n.Kind().Name, n.imports.ID,
			n.Kind().Owner().Name))
		return
	case n.coll == schema.Collection{}:
		w.planCreation(n) // nothing can be in a collection whose owner is not there yet
		return
	case n.coll.Path == n.Kind().Root:
		w.lookupPath(n) // the collection may be the whole instance
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
			w.match(n, o)
			return
		}
		if n.Kind().Tree != nil && w.matchElsewhere(n) {
			return
		}
	}
	switch {
	case n.imports != nil && n.Kind().Tree != nil:
		w.lookupPath(n)
	case resolved && !w.placeByImport(n, c):
		w.placeByKey(n, c)
	}
}

// matchElsewhere finds the thing that the ledger has where it is now: whatever has its key
// where it is declared is another one, which may be about to go. It is true as well
// while the host has yet to be asked.
func (w *World) matchElsewhere(n *Node) bool {
	r, ok := w.Look(schema.Ask{Kind: n.Kind(), ID: n.entryID()})
	if !ok {
		return true
	}
	gone := r.State == schema.Absent || len(r.Objects) > 0 && r.Objects[0].State == schema.PendingDeletion
	if !gone { // else by hand, and another may stand for it
		w.matchReading(n, r)
	}
	return !gone
}

// deposeEntry takes the ledger's entry from a node whose owner has changed: what
// was made in the old owner's collection is another object now, and an orphan.
// Things with a path of their own move instead.
func (w *World) deposeEntry(n *Node) {
	if n.entry == nil || n.entry.ID == "" || n.outside || n.Kind().Tree != nil || w.ownerGone(n) {
		return
	}
	if path, _, _ := strings.Cut(n.entry.Collection, "?"); path == n.coll.Path {
		return // another query lists the same things
	}
	at := n.want.Addr.Depose(n.entry.ID)
	w.rewrites = append(w.rewrites, w.Ledger.Remove(n.want.Addr), w.Ledger.Set(at, *n.entry))
	n.entry, n.note = nil, "its "+n.Kind().Owner().Name+" has changed"
}

// ownerGone reports whether a thing is gone because what it was in is.
func (w *World) ownerGone(n *Node) bool {
	if n.owner == nil {
		return false
	}
	above := w.Target(n.Kind().Owner().RefKind(), n.owner)
	return above != nil && above.gone
}

// placeByKey recognises the object among those of its collection.
func (w *World) placeByKey(n *Node, c *Collection) {
	if n.Kind().Holds == schema.One {
		w.match(n, c.objs[0])
		return
	}
	if n.Kind().Match.Alike {
		w.matchOldest(n, c)
		return
	}
	a, v, ok := Key(n.want.Object)
	if !ok {
		return // known only at apply
	}
	if !w.claimKey(n, a, v) {
		return
	}
	found := slices.DeleteFunc(c.Fitting(n.want.Object, a, v),
		func(i int) bool { return w.claimedElsewhere(n, c, c.objs[i].ID) })
	switch {
	case len(found) == 0 && n.Kind().Tree != nil:
		w.lookupPath(n)
	case len(found) == 0 && n.Kind().Invites(a):
		w.placeByLead(n, c, a, v)
	case len(found) == 0:
		w.planCreation(n)
	case len(found) == 1:
		w.match(n, c.objs[found[0]])
	case n.Kind().Match.Twins == schema.Ambiguous:
		n.Block(fmt.Sprintf("%d live objects have %s %s (ids %s); delete the others or import one by its id",
			len(found), n.want.Written(a.Name), showKey(v), joinIDs(c, found)))
	default:
		slices.SortFunc(found, func(i, j int) int { return compareIDs(c.objs[i].ID, c.objs[j].ID) })
		n.note = fmt.Sprintf("%d live objects have %s %s (ids %s); the lowest id is taken", len(found),
			n.want.Written(a.Name), showKey(v), joinIDs(c, found))
		w.match(n, c.objs[found[0]])
	}
}

// matchOldest takes the first object that is nobody else's of those that nothing
// tells apart.
func (w *World) matchOldest(n *Node, c *Collection) {
	free := slices.DeleteFunc(c.AllIndexes(), func(i int) bool { return w.claimedElsewhere(n, c, c.objs[i].ID) })
	if len(free) == 0 {
		w.planCreation(n)
		return
	}
	w.match(n, c.objs[slices.MinFunc(free, func(i, j int) int { return compareIDs(c.objs[i].ID, c.objs[j].ID) })])
}

// claimedElsewhere reports whether a twin belongs to another declared object: it is
// claimed, or the ledger has it under that address.
func (w *World) claimedElsewhere(n *Node, c *Collection, id string) bool {
	if n.Kind().Match.Twins != schema.Lowest {
		return false // two claims on one object are an error, found by match
	}
	if other := w.claimed[IdentityOf(n.Kind(), c.query.Collection, id)]; other != nil && other != n {
		return true
	}
	at, ok := w.Ledger.Find(c.query.Collection.String(), id)
	return ok && at != n.want.Addr && w.nodes[at] != nil
}

// planCreation records that the object does not exist, once what it names has
// been looked up: with an id by now, that may be what another block names by its
// id.
func (w *World) planCreation(n *Node) {
	if !w.resolveUsers(n) {
		return
	}
	if a, v, ok := Key(n.want.Object); !ok || w.claimKey(n, a, v) {
		w.markMissing(n)
	}
}

// lookupPath looks for a thing with a path by itself: a top-level one, and one that
// is not where it should be, for it may have been moved, renamed, or hidden
// while its deletion is pending. Planning to create it without looking would
// build a second one.
func (w *World) lookupPath(n *Node) {
	if n.entry != nil && n.entry.ID != "" {
		r, ok := w.Look(schema.Ask{Kind: n.Kind(), ID: n.entry.ID})
		if !ok {
			return
		}
		if r.State != schema.Absent {
			w.matchReading(n, r)
			return
		}
	}
	if w.placeByImport(n, nil) || n.Path() == "" {
		return
	}
	if r, ok := w.Look(schema.Ask{Kind: n.Kind(), Key: n.Path()}); ok {
		w.matchReading(n, r)
	}
}

// matchReading places a node by a single reading.
func (w *World) matchReading(n *Node, r schema.Reading) {
	o, why := ObjectOf(n.Kind(), n.ref, r)
	switch {
	case r.State == schema.Absent:
		w.markMissing(n)
	case why != "":
		n.Block(why)
	case r.State == schema.Moved && n.entry == nil:
		n.Block(fmt.Sprintf("%s %s was renamed to %s; declare it there, or rename it back first", n.Kind().Name,
			n.Path(), o.Note))
	default:
		w.match(n, o)
	}
}

// markMissing records that the object is to be created, unless it would weigh less
// than what it inherits.
func (w *World) markMissing(n *Node) {
	if !w.checkInheritedWeight(n, 0) {
		return
	}
	n.status = Missing
	n.gone = n.entry != nil && n.entry.ID != ""
	w.news[n.want.Addr.Block] = true
}
