package match

import (
	"fmt"
	"strings"

	"hew/schema"
)

// The host rejects changes to an archived object and to everything in it. hew skips them with a
// note, whether they are reached by a block, a path, a data source, an exclusive block or an
// orphan.

// skipArchived marks d as skipped because its owner is archived. It reports whether d has an owner
// all the same: data sources only read, so they are not skipped.
func (w *World) skipArchived(d *Declaration, kind *schema.Kind, owner *schema.Ref) bool {
	if d.Kind().Data != nil {
		return true
	}
	w.nameRef(kind.Name, owner)
	d.status, d.why = Skipped, fmt.Sprintf("%s %s is archived", kind.Name, owner)
	w.noteArchived(kind, owner)
	return false
}

// noteArchived adds one note per archived owner.
func (w *World) noteArchived(kind *schema.Kind, owner *schema.Ref) {
	w.Note("No changes are made in %s %s: it is archived.", kind.Name, owner)
}

// isFrozen reports whether the object is declared as archived and therefore accepts no changes in
// it.
func (n *Node) isFrozen() bool {
	return n.Kind().Frozen != "" && isTrue(n.want.Object.Get(n.Kind().Frozen))
}

// InArchived reports whether an orphan is in an archived owner and so cannot be deleted.
func (w *World) InArchived(o *Orphan) bool {
	kind, id := w.orphanOwner(o)
	switch n := w.byRefKey[ByID(kind.Name, id)]; {
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

// InPendingDeletion reports whether an orphan is in an owner that is marked for deletion. The host
// deletes the orphan with its owner and rejects requests for it.
func (w *World) InPendingDeletion(o *Orphan) bool {
	kind, id := w.orphanOwner(o)
	return o.kind.Tree == nil && w.states[ByID(kind.Name, id)] == schema.PendingDeletion
}

// ReadOrphanOwners looks up the owners of the orphans to delete. It waits until everything else is
// read, because other readings show most of these owners.
func (w *World) ReadOrphanOwners() {
	if !w.wave.empty() {
		return
	}
	for _, o := range w.orphans {
		if o.action != Remove && o.action != Reset {
			continue
		}
		kind, id := w.orphanOwner(o)
		if _, shown := w.states[ByID(kind.Name, id)]; id != "" && !shown {
			w.Lookup(schema.Ask{Kind: kind, ID: id})
		}
	}
}

// orphanOwner returns the kind and id of an orphan's owner, and id "" for an orphan without one.
func (w *World) orphanOwner(o *Orphan) (kind *schema.Kind, id string) {
	owner := o.kind.Owner()
	if owner == nil {
		return o.kind, ""
	}
	return w.Kind(owner.RefKind()), OwnerID(o.kind, o.coll)
}

// OwnerID returns the id of the owner that a collection belongs to, or "" for a collection of the
// instance.
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
