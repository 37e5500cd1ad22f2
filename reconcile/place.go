package reconcile

import (
	"cmp"
	"fmt"
	"slices"

	"hew/schema"
)

// place finds the live object that a declared one stands for, or that there is
// none. It goes by live identity, never by address: the id that the ledger
// has, then the natural key, then creation.
func (w *world) place(n *node, depth int) {
	resolved := w.resolve(n)
	if n.settled() || depth > maxDepth {
		return
	}
	if !w.placeOwner(n, depth) {
		return
	}
	if n.coll == (schema.Collection{}) {
		w.fresh(n) // nothing can be in a collection whose owner is not there yet
		return
	}
	if n.coll.Path == n.kind().Root && n.kind().Root != "" {
		w.placeRoot(n)
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
	if n.entry != nil && n.entry.ID != "" {
		if o, ok := c.find(n.entry.ID); ok {
			w.match(n, o)
			return
		}
	}
	if resolved {
		w.placeByKey(n, c)
	}
}

// placeRoot looks a top-level object up by itself: the collection it is in may
// be the whole instance.
func (w *world) placeRoot(n *node) {
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
	if key := n.path(); key != "" {
		if r, ok := w.look(schema.Ask{Kind: n.kind(), Key: key}); ok {
			w.take(n, r)
		}
	}
}

// placeByKey recognises the object among those of its collection.
func (w *world) placeByKey(n *node, c *collection) {
	a, v, ok := key(n.want.Object)
	if !ok {
		return // known only at apply
	}
	texts := keyTexts(a, v)
	for _, t := range texts {
		id := c.query.Collection.String() + " " + a.Name + " " + t
		if other := w.keys[id]; other != nil && other != n {
			w.conflict(n, other, fmt.Sprintf("Both declare the %s with %s %s.", n.kind().Name, a.Name, plain(v)))
			return
		}
		w.keys[id] = n
	}
	found := c.match(a, texts)
	found = slices.DeleteFunc(slices.Clone(found), func(i int) bool { return w.spoken(n, c, c.objs[i].ID) })
	switch {
	case len(found) == 0:
		w.unmatched(n)
	case len(found) > 1 && n.kind().Match.Twins == schema.Ambiguous:
		n.block(fmt.Sprintf("%d live objects have %s %s (ids %s); delete the others or import one by its id", len(found), a.Name, plain(v), ids(c, found)))
	default:
		if len(found) > 1 {
			slices.SortFunc(found, func(i, j int) int { return cmp.Compare(number(c.objs[i].ID), number(c.objs[j].ID)) })
			n.note = fmt.Sprintf("%d live objects have %s %s (ids %s); the lowest id is taken", len(found), a.Name, plain(v), ids(c, found))
		}
		w.match(n, c.objs[found[0]])
	}
}

// unmatched decides about a key that no object of the collection has.
func (w *world) unmatched(n *node) {
	if n.kind().Tree != nil {
		w.placeElsewhere(n)
		return
	}
	w.fresh(n)
}

// fresh: the object is not there. Whoever it is about has to be, before it can
// be created.
func (w *world) fresh(n *node) {
	if a, _, ok := key(n.want.Object); ok && a.Ref != "" && !w.someone(n, a) {
		return
	}
	w.absent(n)
}

// placeElsewhere looks for a thing with a path outside the collection where it
// should be: moved by somebody, renamed, or hidden while its deletion is
// pending. Planning to create it without looking would build a second one.
func (w *world) placeElsewhere(n *node) {
	ask := schema.Ask{Kind: n.kind()}
	if n.entry != nil && n.entry.ID != "" {
		ask.ID = n.entry.ID
		r, ok := w.look(ask)
		if !ok {
			return
		}
		if r.State != schema.Absent {
			w.take(n, r)
			return
		}
		n.gone = true
		ask.ID = ""
	}
	ask.Key = n.path()
	if ask.Key == "" {
		return
	}
	if r, ok := w.look(ask); ok {
		w.take(n, r)
	}
}

// take places a node by a single reading.
func (w *world) take(n *node, r schema.Reading) {
	switch r.State {
	case schema.Absent:
		w.absent(n)
	case schema.Moved:
		if n.entry != nil {
			w.match(n, r.Objects[0])
			return
		}
		n.block(fmt.Sprintf("%s %s was renamed to %s; declare it there, or rename it back first", n.kind().Name, n.path(), r.Objects[0].Note))
	case schema.Present, schema.Archived, schema.PendingDeletion:
		w.match(n, r.Objects[0])
	default:
		n.block(unreadable(n.kind(), n.ref, r.State, r.Err))
	}
}

// absent: the object is to be created.
func (w *world) absent(n *node) {
	n.status = missing
	n.gone = n.gone || n.entry != nil && n.entry.ID != ""
	w.stale[n.want.Addr.Block] = true
}

// match: o is the object that n declares. Attributes that lists leave out are
// read first, where they are stated or owned.
func (w *world) match(n *node, o schema.Object) {
	if w.lacks(n, o) {
		ask := schema.Ask{Kind: n.kind(), ID: o.ID}
		if n.kind().Tree == nil {
			ask.Owner = n.owner.ID
		}
		r, ok := w.look(ask)
		if !ok {
			return
		}
		if len(r.Objects) == 0 {
			n.block(unreadable(n.kind(), n.ref, r.State, r.Err))
			return
		}
		o = r.Objects[0]
	}
	id := identityOf(n.kind(), n.coll, o.ID)
	if other := w.claims[id]; other != nil && other != n {
		w.conflict(n, other, fmt.Sprintf("Both stand for %s %s.", n.kind().Name, titleOf(o, n)))
		return
	}
	w.claims[id] = n
	n.live, n.status = o, matched
	n.gone = false
	if n.entry == nil {
		w.readdress(n, o.ID)
	}
	w.stale[n.want.Addr.Block] = true
	if n.kind().Tree != nil {
		n.ref.ID = o.ID
		w.byID[n.kind().Name+" "+o.ID] = n
	}
	w.adoptRefs(n)
	switch o.State {
	case schema.PendingDeletion:
		if !slices.Contains(n.want.Block.Lifecycle.Allow, "restore") {
			n.block(fmt.Sprintf(`%s %s is marked for deletion; to restore it put lifecycle { allow = ["restore"] } on %s`, n.kind().Name, n.title(), n.want.Addr))
		}
	case schema.Archived:
		if frozen := n.kind().Frozen; frozen == "" || !schema.Stated(n.want.Object, frozen) {
			n.status, n.why = skipped, fmt.Sprintf("%s %s is archived", n.kind().Name, n.title())
			w.note("%s is left alone: %s. State archived = false to bring it back.", n.want.Addr, n.why)
		}
	}
}

// lacks tells whether a detail that matters is missing from what a list said.
func (w *world) lacks(n *node, o schema.Object) bool {
	for a := range n.kind().Arguments() {
		if !a.Detail || a.Secret || a.Once {
			continue
		}
		if _, there := o.Value.Get(a.Name); there {
			continue
		}
		owned := false
		if n.entry != nil {
			_, owned = n.entry.Owned[a.Name]
		}
		if owned || schema.Stated(n.want.Object, a.Name) {
			return true
		}
	}
	return false
}

// adoptRefs learns the ids of users and groups named in the configuration from
// the live object, so that nobody has to look them up.
func (w *world) adoptRefs(n *node) {
	for a, v := range n.live.Value.All() {
		have := schema.AsRef(v)
		if a.Ref == "" || have == nil {
			continue
		}
		if want := schema.AsRef(n.want.Object.Get(a.Name)); want != nil && want.ID == "" && want.Addr == "" && want.Same(have) {
			want.ID = have.ID
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
	if w.nodes[at] != nil && w.nodes[at].entry != nil && w.nodes[at].status == matched && w.nodes[at].live.ID == id {
		return
	}
	e := w.led.Entries[at]
	n.entry, n.from = &e, at
}

func (w *world) kind(name string) *schema.Kind { return w.kinds.Named(name) }

func (w *world) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(w.notes, n) {
		w.notes = append(w.notes, n)
	}
}
