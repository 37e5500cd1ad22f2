package match

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/schema"
)

// A thing without a path of its own is known by its key within an owner: "main"
// is another protected branch in each project. What refers to such a thing means
// the one in its own owner, its sibling, whether that is declared or only live.

// refersToSibling reports whether an attribute refers to something within the owner.
func (w *World) refersToSibling(a *schema.Attr) bool {
	if a.RefKind() == "" {
		return false
	}
	k := w.Kind(a.RefKind())
	return k != nil && k.Tree == nil && k.Owner() != nil
}

// resolveSiblings folds what an object whose owner is placed refers to beside it. It
// returns false while a list has to be read, or where there is no such thing and
// n is blocked.
func (w *World) resolveSiblings(n *Node) bool {
	for a, v := range n.want.Object.Value.All() {
		if !w.refersToSibling(a) || v.IsNull() {
			continue
		}
		bare, _ := v.Unmark()
		if !bare.IsKnown() {
			continue // nor is it by whoever compares it
		}
		if !w.resolveSiblingsOf(n, a, bare) {
			return false
		}
	}
	return true
}

// resolveSiblingsOf folds the siblings that one attribute names, once all are known. It
// returns false as siblings does.
func (w *World) resolveSiblingsOf(n *Node, a *schema.Attr, v cty.Value) bool {
	items := []cty.Value{v}
	if a.ManyRefs() {
		items = v.AsValueSlice()
	}
	var absent []string
	refs, unknown := make([]*schema.Ref, 0, len(items)), false
	for i, item := range items {
		part := a.Name
		if a.ManyRefs() {
			part = config.Part(a.Name, i)
		}
		r, why, ok := w.resolveSibling(n, a, item, part)
		switch {
		case !ok:
			return false
		case why != "" && !isTrue(n.want.Object.Get(a.SkippedBy())):
			n.Blame(a, why+"; declare it, or correct the name")
			return false
		case why != "":
			absent = append(absent, why)
		case r == nil:
			unknown = true
		default:
			refs = append(refs, r)
		}
	}
	switch {
	case unknown:
		return true
	case len(absent) > 0 && len(refs) == 0:
		n.Blame(a, fmt.Sprintf("nothing that %s names is there, and no name at all would mean everything: %s", a.Name,
			strings.Join(absent, ", and ")))
		return false
	}
	for _, why := range absent {
		w.Note("%s leaves a part of %s out: %s.", n.want.Addr, a.Name, why)
	}
	w.setRefs(&n.Seeker, a, refs)
	return true
}

// resolveSibling returns the sibling that one value stands for, nil while the value is not
// known. why says that there is none; of several it is told which there are, and
// n is blocked.
func (w *World) resolveSibling(n *Node, a *schema.Attr, v cty.Value, part string) (r *schema.Ref, why string, ok bool) {
	k := w.Kind(a.RefKind())
	if r := schema.AsRef(v); r != nil && (r.Addr != "" || r.ID != "") {
		return r, "", true
	}
	if target := w.nodes[n.want.Origin[part]]; target != nil {
		r, ok = w.siblingRef(n, target)
		return r, "", ok
	}
	stated, known := schema.RefOf(v)
	if !known {
		return nil, "", true
	}
	name := stated.Path + stated.ID // one of the two
	switch declared := w.declaredSiblings(k, n.owner, name); len(declared) {
	case 0:
	case 1:
		r, ok = w.siblingRef(n, declared[0])
		return r, "", ok
	default:
		n.Blame(a, fmt.Sprintf("%s and %s are both called %q; refer to one of the two blocks", declared[0].want.Addr,
			declared[1].want.Addr, name))
		return nil, "", false
	}
	if n.coll == (schema.Collection{}) {
		return nil, fmt.Sprintf("there is no %s %q in %s %s, which is yet to be created", k.Name, name, k.Owner().RefKind(),
			n.owner), true
	}
	c := w.List(k, k.In(n.owner.ID))
	switch {
	case c == nil:
		return nil, "", false
	case !c.Present():
		n.Block(c.Unreadable(n.owner))
		return nil, "", false
	}
	found := c.lookupName(k, name)
	switch len(found) {
	case 0:
		return nil, fmt.Sprintf("%s %s has no %s %q", k.Owner().RefKind(), n.owner, k.Name, name), true
	case 1:
		o := c.objs[found[0]]
		return &schema.Ref{ID: o.ID, Path: siblingName(o)}, "", true
	}
	n.Blame(a, fmt.Sprintf("several of %s %s are called %q, with the ids %s; state the id of the one that is meant",
		k.Owner().RefKind(), n.owner, name, joinIDs(c, found)))
	return nil, "", false
}

// siblingRef returns the reference to a declared sibling; n is blocked with one that cannot
// be planned.
func (w *World) siblingRef(n, sibling *Node) (r *schema.Ref, ok bool) {
	if sibling.status == Blocked {
		n.Block(fmt.Sprintf("%s, which it refers to, cannot be planned", sibling.want.Addr), sibling.want.Addr)
		return nil, false
	}
	return sibling.ref, true
}

// declaredSiblings returns the things of that name that are declared in an owner.
func (w *World) declaredSiblings(k *schema.Kind, in *schema.Ref, name string) (all []*Node) {
	for _, other := range w.byKindAndName[k.Name][foldName(name)] {
		w.Resolve(&other.Seeker) // it may be placed after what refers to it
		if owner := schema.AsRef(other.want.Object.Get(k.Owner().Name)); owner != nil && in != nil && owner.Same(in) {
			all = append(all, other)
		}
	}
	return all
}

// namedSiblings returns the declared siblings that an object names, with those that
// may be: of two owners one may be known by its id and the other by its path.
func (w *World) namedSiblings(s *Seeker) (out []addr.Instance) {
	for a, v := range s.want.Object.Value.All() {
		bare, _ := v.Unmark()
		if !w.refersToSibling(a) || bare.IsNull() || !bare.IsKnown() {
			continue
		}
		items := []cty.Value{bare}
		if a.ManyRefs() {
			items = bare.AsValueSlice()
		}
		in := schema.AsRef(s.want.Object.Get(s.Kind().Owner().Name))
		for _, item := range items {
			r, ok := schema.RefOf(item)
			if !ok {
				continue
			}
			k := w.Kind(a.RefKind())
			for _, other := range w.byKindAndName[k.Name][foldName(r.Path+r.ID)] {
				owner := schema.AsRef(other.want.Object.Get(k.Owner().Name))
				if owner == nil || in == nil || owner.Same(in) ||
					(owner.ID == "" || in.ID == "") && (owner.Path == "" || in.Path == "") {
					out = append(out, other.want.Addr)
				}
			}
		}
	}
	return out
}

// indexSibling keeps the declared things of kinds that others refer to beside them,
// by name.
func (w *World) indexSibling(n *Node) {
	k := n.Kind()
	if !w.isReferredTo(k) {
		return
	}
	if w.byKindAndName[k.Name] == nil {
		w.byKindAndName[k.Name] = map[string][]*Node{}
	}
	n.ref.Path = siblingName(n.want.Object)
	if name := foldName(n.ref.Path); name != "" {
		w.byKindAndName[k.Name][name] = append(w.byKindAndName[k.Name][name], n)
	}
}

// isReferredTo reports whether any kind refers to siblings of that kind.
func (w *World) isReferredTo(k *schema.Kind) bool {
	if k.Tree != nil || k.Owner() == nil {
		return false
	}
	is, told := w.refers[k.Name]
	if !told {
		for _, other := range w.Kinds.Resources {
			for i := range other.Attrs {
				is = is || other.Attrs[i].RefKind() == k.Name
			}
		}
		w.refers[k.Name] = is
	}
	return is
}

func foldName(name string) string { return strings.ToLower(name) }
