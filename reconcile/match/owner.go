package match

import (
	"cmp"
	"fmt"

	"hew/reconcile/plan"
	"hew/schema"
)

// locate finds the collection of n and claims its key there. It returns false while the owner is
// not matched, and when it blocks or skips n.
func (w *World) locate(n *Node, depth int) bool {
	if !w.resolveOwner(n, depth) {
		return false
	}
	n.located = true
	if n.Kind().Match.Twins == schema.Lowest {
		w.claimSharedKey(n) // objects that are found can have it too
		return true
	}
	return w.claimKey(n)
}

// resolveOwner finds the owner of n and with it the collection. It returns false while the owner is
// not matched, and when it blocks or skips n.
func (w *World) resolveOwner(n *Node, depth int) bool {
	k := n.Kind()
	owner := k.Owner()
	if owner == nil || k.Root != "" && !schema.Stated(n.want.Object, owner.Name) {
		n.coll = k.In("")
		return true
	}
	n.ownerNotFound = ""
	if !w.FindOwner(&n.Declaration, owner, depth) {
		if n.status == Blocked && n.entry != nil && w.isOwnerAbsent(owner.RefKind(), n.owner) {
			n.ownerNotFound = owner.RefKind() + " " + n.owner.String()
		}
		return false
	}
	if n.owner.ID != "" {
		n.coll = k.In(n.owner.ID)
	}
	return true
}

// FindOwner resolves the owner that attribute a of d refers to. It returns true once the owner
// exists (its reference has an id) or will be created (it has none).
func (w *World) FindOwner(d *Declaration, a *schema.Attr, depth int) bool {
	d.owner = schema.AsRef(d.want.Object.Get(a.Name))
	if d.owner == nil {
		return false
	}
	target := w.Target(a.RefKind(), d.owner)
	if target == nil && IsUnlocated(d.owner) {
		return false // declared, but not matched yet
	}
	if target == nil {
		return w.findLiveOwner(d, w.Kind(a.RefKind()))
	}
	w.matchNode(target, depth+1)
	switch target.status {
	case Pending:
		return false
	case Blocked:
		d.Block(fmt.Sprintf("its owner %s cannot be planned", target.want.Addr), target.want.Addr)
		return false
	case Skipped:
		d.status, d.why = Skipped, target.why
		return false
	}
	return !target.isFrozen() || w.skipArchived(d, target.Kind(), d.owner)
}

// IsUnlocated reports whether a reference has neither an id nor a path, so that its target cannot
// be looked up.
func IsUnlocated(r *schema.Ref) bool { return r.ID == "" && r.Path == "" }

// findLiveOwner checks that an undeclared owner exists, and completes the reference to it.
func (w *World) findLiveOwner(d *Declaration, kind *schema.Kind) bool {
	ref := d.owner
	state, shown := w.states[ByID(kind.Name, ref.ID)]
	switch {
	case shown && state == schema.Archived:
		return w.skipArchived(d, kind, ref)
	case ref.ID != "" && (shown || kind.Frozen == "") &&
		(ref.Path != "" || d.Kind().Tree == nil && d.Kind().Data == nil):
		return true
	}
	r, ok := w.Lookup(AskFor(kind, ref))
	if !ok {
		return false
	}
	o, why := ObjectOf(kind, ref, r)
	switch {
	case r.State == schema.Absent:
		d.Block(why + ", and no resource declares it")
		return false
	case why != "":
		d.Block(why)
		return false
	case r.State == schema.PendingDeletion:
		d.Block(fmt.Sprintf("%s %s is marked for deletion", kind.Name, ref))
		return false
	}
	w.LearnRef(ref, kind, o)
	if r.State == schema.Archived {
		return w.skipArchived(d, kind, ref)
	}
	if r.State == schema.Moved {
		w.Note("%s %s was renamed to %s; %s still uses the old path.", kind.Name, ref.Path, o.Note, d.want.Addr)
	}
	return true
}

// ObjectOf returns the object of a lookup in any state, or why there is none.
func ObjectOf(kind *schema.Kind, ref *schema.Ref, r schema.Reading) (o schema.Object, why string) {
	switch {
	case len(r.Objects) > 0:
		return r.Objects[0], ""
	case r.State == schema.Absent:
		return o, fmt.Sprintf("%s %q does not exist on the host", kind.Name, ref)
	}
	return o, UnreadableObject(kind, ref, r.State, r.Err)
}

// AskFor returns the lookup of a reference: by its id, or else by its name.
func AskFor(kind *schema.Kind, ref *schema.Ref) schema.Ask {
	if ref.ID != "" {
		return schema.Ask{Kind: kind, ID: ref.ID}
	}
	return schema.Ask{Kind: kind, Key: ref.Path}
}

// LearnRef completes a reference from its target, which can then be looked up by id without a
// request.
func (w *World) LearnRef(ref *schema.Ref, kind *schema.Kind, o schema.Object) {
	ref.ID = o.ID
	ref.Path = cmp.Or(ref.Path, KeyTitle(o))
	w.found[askKey{RefKey: ByID(kind.Name, o.ID)}] = schema.Reading{Objects: []schema.Object{o}}
}

// isOwnerAbsent reports whether the host answered 404 for an undeclared owner.
func (w *World) isOwnerAbsent(kind string, ref *schema.Ref) bool {
	r, ok := w.found[askKey{RefKey: byName(kind, ref.Path)}]
	if ref.ID != "" {
		r, ok = w.found[askKey{RefKey: ByID(kind, ref.ID)}]
	}
	return ok && r.State == schema.Absent
}

// parent returns the owner of n's owner, or nil. ok is false while it has to be read.
func (w *World) parent(n *Node) (parent *schema.Ref, ok bool) {
	return w.OwnerAbove(w.Kind(n.Kind().Owner().RefKind()), n.owner)
}

// OwnerAbove returns the owner of a group or project, or nil if it is at the top level or cannot be
// read. ok is false while it has to be read.
func (w *World) OwnerAbove(kind *schema.Kind, of *schema.Ref) (parent *schema.Ref, ok bool) {
	if target := w.Target(kind.Name, of); target != nil {
		return target.owner, true
	}
	r, ok := w.Lookup(schema.Ask{Kind: kind, ID: of.ID})
	if !ok || len(r.Objects) == 0 {
		return nil, ok
	}
	return schema.AsRef(r.Objects[0].Get(kind.Tree.Owner)), true
}

// ReadNewTopLevelMembers requests the members of groups that move to the top level, where they lose
// inherited owners.
func (w *World) ReadNewTopLevelMembers() {
	for _, n := range w.order {
		if n.status != Matched || n.excluded || plan.UndeclaredOwner(&n.want, n.live) == nil {
			continue
		}
		for _, k := range w.Kinds.Resources {
			if k.OwnerLevel() > 0 && OwnerKind(k) == n.Kind().Name {
				w.List(k, k.In(n.live.ID))
			}
		}
	}
}
