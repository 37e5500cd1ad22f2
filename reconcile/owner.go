package reconcile

import (
	"fmt"

	"hew/schema"
)

// placeOwner finds the owner, and with it the collection. It returns false
// while the owner is not placed, or when it decides the node's fate.
func (w *world) placeOwner(n *node, depth int) bool {
	k := n.kind()
	owner := k.Owner()
	if owner == nil || k.Root != "" && !schema.Stated(n.want.Object, owner.Name) {
		n.coll = k.In("")
		return true
	}
	if !w.findOwner(n, owner, depth) {
		return false
	}
	if n.owner.ID != "" {
		n.coll = k.In(n.owner.ID)
	}
	return true
}

// findOwner places the thing that attribute a of n refers to. It returns true
// once it is there (with its id) or certain to be created (without).
func (w *world) findOwner(n *node, a *schema.Attr, depth int) bool {
	n.owner = schema.AsRef(n.want.Object.Get(a.Name))
	if n.owner == nil {
		return false
	}
	target := w.byAddr(a.Ref, n.owner)
	if target == nil {
		return w.liveOwner(n, w.kind(a.Ref))
	}
	w.place(target, depth+1)
	switch target.status {
	case waiting:
		return false
	case blocked:
		n.block(fmt.Sprintf("%s, which it belongs to, cannot be planned", target.want.Addr), target.want.Addr)
		return false
	case skipped:
		n.status, n.why = skipped, target.why
		return false
	}
	return true
}

// liveOwner makes sure that an owner nobody declares is there, and learns its
// id, or its path where the kind needs one.
func (w *world) liveOwner(n *node, kind *schema.Kind) bool {
	ref := n.owner
	if ref.ID != "" && (ref.Path != "" || n.kind().Tree == nil && n.kind().Data == nil) {
		return true
	}
	ask := schema.Ask{Kind: kind, ID: ref.ID}
	if ref.ID == "" {
		ask.Key = ref.Path
	}
	r, ok := w.look(ask)
	if !ok {
		return false
	}
	switch r.State {
	case schema.Present, schema.Moved:
		o := r.Objects[0]
		if r.State == schema.Moved {
			w.note("%s %s was renamed to %s; %s still uses the old path.", kind.Name, ref.Path, r.Objects[0].Note, n.want.Addr)
		}
		ref.ID = o.ID
		if ref.Path == "" && kind.Tree != nil {
			ref.Path = text(o.Get(kind.Tree.Full))
		}
		return true
	case schema.Archived:
		n.status, n.why = skipped, fmt.Sprintf("%s %s is archived", kind.Name, ref)
		w.note("%s is left alone: %s.", n.want.Addr, n.why)
	case schema.PendingDeletion:
		n.block(fmt.Sprintf("%s %s is marked for deletion", kind.Name, ref))
	case schema.Absent:
		if n.entry != nil {
			w.lost[kind.Name+" "+ref.String()] = n.want.Addr
		}
		n.block(fmt.Sprintf("there is no %s %s on the host, and no resource declares it", kind.Name, ref))
	default:
		n.block(unreadable(kind, ref, r.State, r.Err))
	}
	return false
}

// someone makes sure that the user (or group) a new object is about exists,
// and learns the id that creating it takes.
func (w *world) someone(n *node, key *schema.Attr) bool {
	r := schema.AsRef(n.want.Object.Get(key.Name))
	if r.ID != "" {
		return true
	}
	if target := w.byAddr(key.Ref, r); target != nil {
		return true
	}
	kind := w.kind(key.Ref)
	reading, ok := w.look(schema.Ask{Kind: kind, Key: r.Path})
	if !ok {
		return false
	}
	switch reading.State {
	case schema.Present, schema.Moved, schema.Archived:
		r.ID = reading.Objects[0].ID
		return true
	case schema.Absent:
		n.block(fmt.Sprintf("there is no %s %q on the host", key.Ref, r.Path))
	default:
		n.block(unreadable(kind, r, reading.State, reading.Err))
	}
	return false
}
