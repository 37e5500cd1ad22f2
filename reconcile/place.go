package reconcile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// place finds the live object that a declared one stands for, or that there is
// none. It goes by live identity, never by address: the id that the ledger
// has, then what an import says, then the natural key, then creation.
func (w *world) place(n *node, depth int) {
	resolved := w.resolve(&n.seeker)
	if n.status == matched || n.status == missing {
		w.siblings(n) // the configuration may have been taken in anew
	}
	if n.status != pending || depth > maxDepth || !w.placeOwner(n, depth) {
		return
	}
	w.depose(n)
	switch {
	case n.coll == schema.Collection{} && n.kind().Tree != nil && (n.imports != nil || n.entryID() != ""):
		w.seek(n) // it is elsewhere, and moves there
		return
	case n.coll == schema.Collection{} && n.imports != nil:
		n.block(fmt.Sprintf("there is no %s %s to import: its %s is yet to be created", n.kind().Name, n.imports.ID, n.kind().Owner().Name))
		return
	case n.coll == schema.Collection{}:
		w.fresh(n) // nothing can be in a collection whose owner is not there yet
		return
	case n.coll.Path == n.kind().Root:
		w.seek(n) // the collection may be the whole instance
		return
	}
	c := w.list(n.kind(), n.coll)
	if c == nil {
		return
	}
	if c.state != schema.Present {
		n.block(unreadable(n.kind(), n.owner, c.state, c.err))
		return
	}
	if n.entryID() != "" {
		if o, ok := c.find(n.entryID()); ok {
			w.match(n, o)
			return
		}
		if n.kind().Tree != nil && w.comes(n) {
			return
		}
	}
	switch {
	case n.imports != nil && n.kind().Tree != nil:
		w.seek(n)
	case resolved && !w.bring(n, c):
		w.placeByKey(n, c)
	}
}

// comes finds the thing that the ledger has where it is now: whatever has its key
// where it is declared is another one, which may be about to go. It is true as well
// while the host has yet to be asked.
func (w *world) comes(n *node) bool {
	r, ok := w.look(schema.Ask{Kind: n.kind(), ID: n.entryID()})
	if !ok {
		return true
	}
	gone := r.State == schema.Absent || len(r.Objects) > 0 && r.Objects[0].State == schema.PendingDeletion
	if !gone { // else by hand, and another may stand for it
		w.take(n, r)
	}
	return !gone
}

// depose takes the ledger's entry from a node whose owner has changed: what
// was made in the old owner's collection is another object now, and an orphan.
// Things with a path of their own move instead.
func (w *world) depose(n *node) {
	if n.entry == nil || n.entry.ID == "" || n.witness || n.kind().Tree != nil || w.ownerGone(n) {
		return
	}
	if path, _, _ := strings.Cut(n.entry.Collection, "?"); path == n.coll.Path {
		return // another query lists the same things
	}
	at := n.want.Addr.Depose(n.entry.ID)
	w.rewrites = append(w.rewrites, w.led.Remove(n.want.Addr), w.led.Set(at, *n.entry))
	n.entry, n.note = nil, "its "+n.kind().Owner().Name+" has changed"
}

// ownerGone tells whether a thing is gone because what it was in is.
func (w *world) ownerGone(n *node) bool {
	if n.owner == nil {
		return false
	}
	above := w.node(n.kind().Owner().RefKind(), n.owner)
	return above != nil && above.gone
}

// placeByKey recognises the object among those of its collection.
func (w *world) placeByKey(n *node, c *collection) {
	if n.kind().Holds == schema.One {
		w.match(n, c.objs[0])
		return
	}
	if n.kind().Match.Alike {
		w.oldest(n, c)
		return
	}
	a, v, ok := key(n.want.Object)
	if !ok {
		return // known only at apply
	}
	if !w.uniqueKey(n, a, v) {
		return
	}
	found := slices.DeleteFunc(c.fitting(n.want.Object, a, v), func(i int) bool { return w.claimedElsewhere(n, c, c.objs[i].ID) })
	switch {
	case len(found) == 0 && n.kind().Tree != nil:
		w.seek(n)
	case len(found) == 0 && n.kind().Invites(a):
		w.follow(n, c, a, v)
	case len(found) == 0:
		w.fresh(n)
	case len(found) == 1:
		w.match(n, c.objs[found[0]])
	case n.kind().Match.Twins == schema.Ambiguous:
		n.block(fmt.Sprintf("%d live objects have %s %s (ids %s); delete the others or import one by its id", len(found), n.want.Written(a.Name), plain(v), ids(c, found)))
	default:
		slices.SortFunc(found, func(i, j int) int { return compareIDs(c.objs[i].ID, c.objs[j].ID) })
		n.note = fmt.Sprintf("%d live objects have %s %s (ids %s); the lowest id is taken", len(found), n.want.Written(a.Name), plain(v), ids(c, found))
		w.match(n, c.objs[found[0]])
	}
}

// oldest takes the first object that is nobody else's of those that nothing
// tells apart.
func (w *world) oldest(n *node, c *collection) {
	free := slices.DeleteFunc(c.everything(), func(i int) bool { return w.claimedElsewhere(n, c, c.objs[i].ID) })
	if len(free) == 0 {
		w.fresh(n)
		return
	}
	w.match(n, c.objs[slices.MinFunc(free, func(i, j int) int { return compareIDs(c.objs[i].ID, c.objs[j].ID) })])
}

// natural is a natural key: the text of an attribute, beside those of others,
// within a collection.
type natural struct {
	coll                      schema.Collection
	owner, beside, attr, text string
}

// uniqueKey makes sure that no other block declares an object of that key in the
// collection, under any of the texts that it is known by.
func (w *world) uniqueKey(n *node, a *schema.Attr, v cty.Value) bool {
	id := natural{coll: n.coll, attr: a.Name, beside: fmt.Sprintf("%q", n.kind().Match.Beside(n.want.Object))}
	if n.coll == (schema.Collection{}) {
		id.owner, id.coll.Path = n.owner.Addr, n.kind().Collection // which has no id to be filled in yet
	}
	for _, t := range keyTexts(a, v) {
		id.text = t
		if other := w.keys[id]; other != nil && other != n {
			w.conflict(n, other, fmt.Sprintf("Both declare the %s with %s %s.", n.kind().Name, a.Name, plain(v)))
			return false
		}
		w.keys[id] = n
	}
	return true
}

// compareIDs orders ids as the host gave them out: by number, where they are.
func compareIDs(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) }

// claimedElsewhere tells whether a twin belongs to another declared object: it is
// claimed, or the ledger has it under that address.
func (w *world) claimedElsewhere(n *node, c *collection, id string) bool {
	if n.kind().Match.Twins != schema.Lowest {
		return false // two claims on one object are an error, found by match
	}
	if other := w.claims[identityOf(n.kind(), c.query.Collection, id)]; other != nil && other != n {
		return true
	}
	at, ok := w.led.Find(c.query.Collection.String(), id)
	return ok && at != n.want.Addr && w.nodes[at] != nil
}

// fresh: the object is not there. Who was named has an id by now, and may be
// whom another block names by that.
func (w *world) fresh(n *node) {
	if !w.resolveUsers(n) {
		return
	}
	if a, v, ok := key(n.want.Object); !ok || w.uniqueKey(n, a, v) {
		w.absent(n)
	}
}

// seek looks for a thing with a path by itself: a top-level one, and one that
// is not where it should be, for it may have been moved, renamed, or hidden
// while its deletion is pending. Planning to create it without looking would
// build a second one.
func (w *world) seek(n *node) {
	if n.entry != nil && n.entry.ID != "" {
		r, ok := w.look(schema.Ask{Kind: n.kind(), ID: n.entry.ID})
		if !ok {
			return
		}
		if r.State != schema.Absent {
			w.take(n, r)
			return
		}
	}
	if w.bring(n, nil) || n.path() == "" {
		return
	}
	if r, ok := w.look(schema.Ask{Kind: n.kind(), Key: n.path()}); ok {
		w.take(n, r)
	}
}

// take places a node by a single reading.
func (w *world) take(n *node, r schema.Reading) {
	o, why := there(n.kind(), n.ref, r)
	switch {
	case r.State == schema.Absent:
		w.absent(n)
	case why != "":
		n.block(why)
	case r.State == schema.Moved && n.entry == nil:
		n.block(fmt.Sprintf("%s %s was renamed to %s; declare it there, or rename it back first", n.kind().Name, n.path(), o.Note))
	default:
		w.match(n, o)
	}
}

// absent: the object is to be created.
func (w *world) absent(n *node) {
	if !w.checkInheritedWeight(n, 0) {
		return
	}
	n.status = missing
	n.gone = n.entry != nil && n.entry.ID != ""
	w.news[n.want.Addr.Block] = true
}
