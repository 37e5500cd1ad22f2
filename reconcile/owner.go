package reconcile

import (
	"cmp"
	"fmt"

	"hew/reconcile/plan"
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
	n.lost = ""
	if !w.findOwner(&n.seeker, owner, depth) {
		if n.status == blocked && n.entry != nil && w.absentOwner(owner.RefKind(), n.owner) {
			n.lost = owner.RefKind() + " " + n.owner.String()
		}
		return false
	}
	if n.owner.ID != "" {
		n.coll = k.In(n.owner.ID)
	}
	return true
}

// findOwner places the thing that attribute a of s refers to. It returns true
// once it is there (with its id) or certain to be created (without).
func (w *world) findOwner(s *seeker, a *schema.Attr, depth int) bool {
	s.owner = schema.AsRef(s.want.Object.Get(a.Name))
	if s.owner == nil {
		return false
	}
	target := w.node(a.RefKind(), s.owner)
	if target == nil && nowhere(s.owner) {
		return false // declared, and not placed itself yet
	}
	if target == nil {
		return w.liveOwner(s, w.kind(a.RefKind()))
	}
	w.place(target, depth+1)
	switch target.status {
	case pending:
		return false
	case blocked:
		s.block(fmt.Sprintf("%s, which it belongs to, cannot be planned", target.want.Addr), target.want.Addr)
		return false
	case skipped:
		s.status, s.why = skipped, target.why
		return false
	}
	return !target.freezes() || w.leave(s, target.kind(), s.owner)
}

// nowhere tells whether nobody could find what a reference leads to.
func nowhere(r *schema.Ref) bool { return r.ID == "" && r.Path == "" }

// liveOwner makes sure that an owner nobody declares is there, and learns its
// id, or its path where the kind needs one.
func (w *world) liveOwner(s *seeker, kind *schema.Kind) bool {
	ref := s.owner
	state, shown := w.shown[byID(kind.Name, ref.ID)]
	switch {
	case shown && state == schema.Archived:
		return w.leave(s, kind, ref)
	case ref.ID != "" && (shown || kind.Frozen == "") && (ref.Path != "" || s.kind().Tree == nil && s.kind().Data == nil):
		return true
	}
	r, ok := w.look(askFor(kind, ref))
	if !ok {
		return false
	}
	o, why := there(kind, ref, r)
	switch {
	case r.State == schema.Absent:
		s.block(why + ", and no resource declares it")
		return false
	case why != "":
		s.block(why)
		return false
	case r.State == schema.PendingDeletion:
		s.block(fmt.Sprintf("%s %s is marked for deletion", kind.Name, ref))
		return false
	}
	w.learn(ref, kind, o)
	if r.State == schema.Archived {
		return w.leave(s, kind, ref)
	}
	if r.State == schema.Moved {
		w.note("%s %s was renamed to %s; %s still uses the old path.", kind.Name, ref.Path, o.Note, s.want.Addr)
	}
	return true
}

// there is the object of a single reading, whatever condition it is in, or why
// there is none.
func there(kind *schema.Kind, ref *schema.Ref, r schema.Reading) (o schema.Object, why string) {
	switch {
	case len(r.Objects) > 0:
		return r.Objects[0], ""
	case r.State == schema.Absent:
		return o, fmt.Sprintf("there is no %s %q on the host", kind.Name, ref)
	}
	return o, unreadable(kind, ref, r.State, r.Err)
}

// askFor looks a reference up by its id, or else by its name.
func askFor(kind *schema.Kind, ref *schema.Ref) schema.Ask {
	if ref.ID != "" {
		return schema.Ask{Kind: kind, ID: ref.ID}
	}
	return schema.Ask{Kind: kind, Key: ref.Path}
}

// learn completes a reference from the object it leads to, which is from now on
// found by its id as well.
func (w *world) learn(ref *schema.Ref, kind *schema.Kind, o schema.Object) {
	ref.ID = o.ID
	ref.Path = cmp.Or(ref.Path, keyTitle(o))
	w.found[lookup{thing: byID(kind.Name, o.ID)}] = schema.Reading{Objects: []schema.Object{o}}
}

// absentOwner tells whether an undeclared owner answered 404.
func (w *world) absentOwner(kind string, ref *schema.Ref) bool {
	r, ok := w.found[lookup{thing: byName(kind, ref.Path)}]
	if ref.ID != "" {
		r, ok = w.found[lookup{thing: byID(kind, ref.ID)}]
	}
	return ok && r.State == schema.Absent
}

// parent is the owner of n's owner, nil where there is none. ok is false while
// it has to be read.
func (w *world) parent(n *node) (parent *schema.Ref, ok bool) {
	return w.above(w.kind(n.kind().Owner().RefKind()), n.owner)
}

// above is the owner of a thing with a path, nil where it is at the top or cannot
// be read. ok is false while it has to be.
func (w *world) above(kind *schema.Kind, of *schema.Ref) (parent *schema.Ref, ok bool) {
	if target := w.node(kind.Name, of); target != nil {
		return target.owner, true
	}
	r, ok := w.look(schema.Ask{Kind: kind, ID: of.ID})
	if !ok || len(r.Objects) == 0 {
		return nil, ok
	}
	return schema.AsRef(r.Objects[0].Get(kind.Tree.Owner)), true
}

// readRising reads the members of what goes to the top: nobody else owns it there.
func (w *world) readRising() {
	for _, n := range w.order {
		if n.status != matched || n.witness || plan.Nested(&n.want, n.live) == nil {
			continue
		}
		for _, k := range w.kinds.Resources {
			if k.OwnerLevel() > 0 && ownerKind(k) == n.kind().Name {
				w.list(k, k.In(n.live.ID))
			}
		}
	}
}

// resolveUsers makes sure that the users and groups that n is about exist, and
// learns the ids that writing takes. It returns false while one is looked up,
// or when one is not there and n blocked.
func (w *world) resolveUsers(n *node) bool {
	if !w.siblings(n) {
		return false
	}
	heard := true
	for a, v := range n.want.Object.Value.All() {
		if a.RefKind() == "" || a == n.kind().Owner() || w.sibling(a) {
			continue
		}
		for _, r := range schema.Refs(v) {
			if r.ID != "" || w.node(a.RefKind(), r) != nil {
				continue
			}
			kind := w.kind(a.RefKind())
			reading, ok := w.look(askFor(kind, r))
			if !ok {
				heard = false // and all others are asked for in the same go
				continue
			}
			o, why := there(kind, r, reading)
			if why != "" {
				n.block(why)
				return false
			}
			r.ID = o.ID
		}
	}
	return heard
}
