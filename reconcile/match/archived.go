package match

import (
	"fmt"
	"strings"

	"hew/schema"
)

// What is archived takes no change, and neither does anything in it. It is left
// alone with a note, whoever leads there: a block, a path, a data source, an
// exclusive block, or a line that is gone.

// skipArchived leaves alone what is in an archived owner. It reports whether s has
// an owner all the same, which is so for what only reads.
func (w *World) skipArchived(s *Seeker, kind *schema.Kind, owner *schema.Ref) bool {
	if s.Kind().Data != nil {
		return true
	}
	w.nameRef(kind.Name, owner)
	s.status, s.why = Skipped, fmt.Sprintf("%s %s is archived", kind.Name, owner)
	w.noteArchived(kind, owner)
	return false
}

// noteArchived notes once of an owner that all in it is left alone.
func (w *World) noteArchived(kind *schema.Kind, owner *schema.Ref) {
	w.Note("Nothing in %s %s is touched: it is archived.", kind.Name, owner)
}

// isFrozen reports whether the declared thing is archived, or will be, and so
// takes no changes within.
func (n *Node) isFrozen() bool {
	return n.Kind().Frozen != "" && isTrue(n.want.Object.Get(n.Kind().Frozen))
}

// InArchived reports whether what nobody declares any more is in an archived
// owner, and has to stay there.
func (w *World) InArchived(o *Orphan) bool {
	kind, id := w.orphanOwner(o)
	switch n := w.byThing[ByID(kind.Name, id)]; {
	case n != nil && n.status == Matched:
		return n.isFrozen()
	case w.states[ByID(kind.Name, id)] != schema.Archived:
		return false
	}
	owner := w.Ref(kind.Name, schema.Ref{ID: id})
	w.nameRef(kind.Name, owner)
	w.noteArchived(kind, owner)
	return true
}

// InPendingDeletion reports whether what nobody declares any more is in something
// that is marked for deletion: the host deletes the one with the other, and takes
// no request for it.
func (w *World) InPendingDeletion(o *Orphan) bool {
	kind, id := w.orphanOwner(o)
	return o.kind.Tree == nil && w.states[ByID(kind.Name, id)] == schema.PendingDeletion
}

// ReadOrphanOwners looks up the owners of what is to be deleted, once everything else
// is read: by then most have been shown.
func (w *World) ReadOrphanOwners() {
	if !w.wave.empty() {
		return
	}
	for _, o := range w.orphans {
		if o.fate != Remove && o.fate != Reset {
			continue
		}
		kind, id := w.orphanOwner(o)
		if _, shown := w.states[ByID(kind.Name, id)]; id != "" && !shown {
			w.Look(schema.Ask{Kind: kind, ID: id})
		}
	}
}

// orphanOwner returns the owner of an orphan, without id where it has none.
func (w *World) orphanOwner(o *Orphan) (kind *schema.Kind, id string) {
	owner := o.kind.Owner()
	if owner == nil {
		return o.kind, ""
	}
	return w.Kind(owner.RefKind()), OwnerID(o.kind, o.coll)
}

// OwnerID returns the id of the owner whose collection that is, "" where it is
// nobody's.
func OwnerID(k *schema.Kind, coll schema.Collection) string {
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
