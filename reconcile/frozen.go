package reconcile

import (
	"fmt"
	"strings"

	"hew/schema"
)

// What is archived takes no change, and neither does anything in it. It is left
// alone with a note, whoever leads there: a block, a path, a data source, an
// exclusive block, or a line that is gone.

// show keeps the state of things that have others in them, so that whoever refers
// to one by its id need not look it up.
func (w *world) show(o schema.Object) {
	if o.Kind.Tree != nil {
		w.shown[byID(o.Kind.Name, o.ID)] = o.State
	}
}

// leave leaves alone what is in an archived owner. It returns whether s has an
// owner all the same, which is so for those that only read.
func (w *world) leave(s *seeker, kind *schema.Kind, owner *schema.Ref) bool {
	if s.kind().Data != nil {
		return true
	}
	w.nameRef(kind.Name, owner)
	s.status, s.why = skipped, fmt.Sprintf("%s %s is archived", kind.Name, owner)
	w.untouched(kind, owner)
	return false
}

// untouched is said once of an owner, for all that is in it.
func (w *world) untouched(kind *schema.Kind, owner *schema.Ref) {
	w.note("Nothing in %s %s is touched: it is archived.", kind.Name, owner)
}

// freezes tells whether the declared thing is archived, or will be, and so
// takes nothing in.
func (n *node) freezes() bool {
	return n.kind().Frozen != "" && isTrue(n.want.Object.Get(n.kind().Frozen))
}

// frozen tells whether what nobody declares any more is in an archived owner,
// and has to stay there.
func (w *world) frozen(o *orphan) bool {
	kind, id := w.around(o)
	switch n := w.byThing[byID(kind.Name, id)]; {
	case n != nil && n.status == matched:
		return n.freezes()
	case w.shown[byID(kind.Name, id)] != schema.Archived:
		return false
	}
	owner := w.ref(kind.Name, schema.Ref{ID: id})
	w.nameRef(kind.Name, owner)
	w.untouched(kind, owner)
	return true
}

// ends tells whether what nobody declares any more is in something that is marked
// for deletion: the host deletes the one with the other, and takes no request for it.
func (w *world) ends(o *orphan) bool {
	kind, id := w.around(o)
	return o.kind.Tree == nil && w.shown[byID(kind.Name, id)] == schema.PendingDeletion
}

// readOrphanOwners looks up the owners of what is to be deleted, once everything else
// is read: by then most have been shown.
func (w *world) readOrphanOwners() {
	if !w.wave.empty() {
		return
	}
	for _, o := range w.orphans {
		if o.fate != remove && o.fate != reset {
			continue
		}
		kind, id := w.around(o)
		if _, shown := w.shown[byID(kind.Name, id)]; id != "" && !shown {
			w.look(schema.Ask{Kind: kind, ID: id})
		}
	}
}

// around is the owner of an orphan; without id where it has none.
func (w *world) around(o *orphan) (kind *schema.Kind, id string) {
	owner := o.kind.Owner()
	if owner == nil {
		return o.kind, ""
	}
	return w.kind(owner.RefKind()), ownerID(o.kind, o.coll)
}

// ownerID is the id of the owner whose collection that is, "" where it is
// nobody's.
func ownerID(k *schema.Kind, coll schema.Collection) string {
	if k == nil || k.Owner() == nil || k.Root != "" && coll.Path == k.Root {
		return ""
	}
	for id := range strings.SplitSeq(coll.Path, "/") {
		if k.In(id) == coll {
			return id
		}
	}
	return ""
}
