package match

import (
	"cmp"
	"fmt"

	"hew/reconcile/plan"
	"hew/schema"
)

// placeOwner finds the owner, and with it the collection. It returns false
// while the owner is not placed, or when it decides the node's fate.
func (w *World) placeOwner(n *Node, depth int) bool {
	k := n.Kind()
	owner := k.Owner()
	if owner == nil || k.Root != "" && !schema.Stated(n.want.Object, owner.Name) {
		n.coll = k.In("")
		return true
	}
	n.lost = ""
	if !w.FindOwner(&n.Seeker, owner, depth) {
		if n.status == Blocked && n.entry != nil && w.isOwnerAbsent(owner.RefKind(), n.owner) {
			n.lost = owner.RefKind() + " " + n.owner.String()
		}
		return false
	}
	if n.owner.ID != "" {
		n.coll = k.In(n.owner.ID)
	}
	return true
}

// FindOwner places the thing that attribute a of s refers to. It returns true
// once it is there (with its id) or certain to be created (without).
func (w *World) FindOwner(s *Seeker, a *schema.Attr, depth int) bool {
	s.owner = schema.AsRef(s.want.Object.Get(a.Name))
	if s.owner == nil {
		return false
	}
	target := w.Target(a.RefKind(), s.owner)
	if target == nil && IsUnlocated(s.owner) {
		return false // declared, and not placed itself yet
	}
	if target == nil {
		return w.findLiveOwner(s, w.Kind(a.RefKind()))
	}
	w.placeNode(target, depth+1)
	switch target.status {
	case Pending:
		return false
	case Blocked:
		s.Block(fmt.Sprintf("%s, which it belongs to, cannot be planned", target.want.Addr), target.want.Addr)
		return false
	case Skipped:
		s.status, s.why = Skipped, target.why
		return false
	}
	return !target.isFrozen() || w.skipArchived(s, target.Kind(), s.owner)
}

// IsUnlocated reports whether nobody could find what a reference leads to.
func IsUnlocated(r *schema.Ref) bool { return r.ID == "" && r.Path == "" }

// findLiveOwner makes sure that an owner nobody declares is there, and learns its
// id, or its path where the kind needs one.
func (w *World) findLiveOwner(s *Seeker, kind *schema.Kind) bool {
	ref := s.owner
	state, shown := w.states[ByID(kind.Name, ref.ID)]
	switch {
	case shown && state == schema.Archived:
		return w.skipArchived(s, kind, ref)
	case ref.ID != "" && (shown || kind.Frozen == "") &&
		(ref.Path != "" || s.Kind().Tree == nil && s.Kind().Data == nil):
		return true
	}
	r, ok := w.Look(AskFor(kind, ref))
	if !ok {
		return false
	}
	o, why := ObjectOf(kind, ref, r)
	switch {
	case r.State == schema.Absent:
		s.Block(why + ", and no resource declares it")
		return false
	case why != "":
		s.Block(why)
		return false
	case r.State == schema.PendingDeletion:
		s.Block(fmt.Sprintf("%s %s is marked for deletion", kind.Name, ref))
		return false
	}
	w.LearnRef(ref, kind, o)
	if r.State == schema.Archived {
		return w.skipArchived(s, kind, ref)
	}
	if r.State == schema.Moved {
		w.Note("%s %s was renamed to %s; %s still uses the old path.", kind.Name, ref.Path, o.Note, s.want.Addr)
	}
	return true
}

// ObjectOf returns the object of a single reading, whatever condition it is in, or why
// there is none.
func ObjectOf(kind *schema.Kind, ref *schema.Ref, r schema.Reading) (o schema.Object, why string) {
	switch {
	case len(r.Objects) > 0:
		return r.Objects[0], ""
	case r.State == schema.Absent:
		return o, fmt.Sprintf("there is no %s %q on the host", kind.Name, ref)
	}
	return o, Unreadable(kind, ref, r.State, r.Err)
}

// AskFor looks a reference up by its id, or else by its name.
func AskFor(kind *schema.Kind, ref *schema.Ref) schema.Ask {
	if ref.ID != "" {
		return schema.Ask{Kind: kind, ID: ref.ID}
	}
	return schema.Ask{Kind: kind, Key: ref.Path}
}

// LearnRef completes a reference from the object it leads to, which is from now on
// found by its id as well.
func (w *World) LearnRef(ref *schema.Ref, kind *schema.Kind, o schema.Object) {
	ref.ID = o.ID
	ref.Path = cmp.Or(ref.Path, KeyTitle(o))
	w.found[lookup{Thing: ByID(kind.Name, o.ID)}] = schema.Reading{Objects: []schema.Object{o}}
}

// isOwnerAbsent reports whether an undeclared owner answered 404.
func (w *World) isOwnerAbsent(kind string, ref *schema.Ref) bool {
	r, ok := w.found[lookup{Thing: byName(kind, ref.Path)}]
	if ref.ID != "" {
		r, ok = w.found[lookup{Thing: ByID(kind, ref.ID)}]
	}
	return ok && r.State == schema.Absent
}

// parent returns the owner of n's owner, nil where there is none. ok is false while
// it has to be read.
func (w *World) parent(n *Node) (parent *schema.Ref, ok bool) {
	return w.OwnerAbove(w.Kind(n.Kind().Owner().RefKind()), n.owner)
}

// OwnerAbove returns the owner of a thing with a path, nil where it is at the top or cannot
// be read. ok is false while it has to be.
func (w *World) OwnerAbove(kind *schema.Kind, of *schema.Ref) (parent *schema.Ref, ok bool) {
	if target := w.Target(kind.Name, of); target != nil {
		return target.owner, true
	}
	r, ok := w.Look(schema.Ask{Kind: kind, ID: of.ID})
	if !ok || len(r.Objects) == 0 {
		return nil, ok
	}
	return schema.AsRef(r.Objects[0].Get(kind.Tree.Owner)), true
}

// ReadRising reads the members of what goes to the top: nobody else owns it there.
func (w *World) ReadRising() {
	for _, n := range w.order {
		if n.status != Matched || n.outside || plan.Nested(&n.want, n.live) == nil {
			continue
		}
		for _, k := range w.Kinds.Resources {
			if k.OwnerLevel() > 0 && OwnerKind(k) == n.Kind().Name {
				w.List(k, k.In(n.live.ID))
			}
		}
	}
}

// resolveUsers makes sure that the users and groups that n is about exist, and
// learns the ids that writing takes. It returns false while one is looked up,
// or when one is not there and n blocked.
func (w *World) resolveUsers(n *Node) bool {
	if !w.resolveSiblings(n) {
		return false
	}
	heard := true
	for a, v := range n.want.Object.Value.All() {
		if a.RefKind() == "" || a == n.Kind().Owner() || w.refersToSibling(a) {
			continue
		}
		for _, r := range schema.Refs(v) {
			if r.ID != "" || w.Target(a.RefKind(), r) != nil {
				continue
			}
			kind := w.Kind(a.RefKind())
			reading, ok := w.Look(AskFor(kind, r))
			if !ok {
				heard = false // and all others are asked for in the same go
				continue
			}
			o, why := ObjectOf(kind, r, reading)
			if why != "" {
				n.Block(why)
				return false
			}
			r.ID = o.ID
		}
	}
	return heard
}
