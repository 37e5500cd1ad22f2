package match

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/schema"
)

// An object without a path is identified by its key within an owner: each project has its own
// protected branch "main". A reference to such an object means the one in the same owner, the
// sibling, whether it is declared or only live.

// refersToSibling reports whether an attribute refers to an object within the same owner.
func (w *World) refersToSibling(a *schema.Attr) bool {
	if a.RefKind() == "" {
		return false
	}
	k := w.Kind(a.RefKind())
	return k != nil && k.Tree == nil && k.Owner() != nil
}

// resolveSiblings resolves the sibling references of a node whose owner is known. It returns false
// while a list has to be read, and when it blocks n.
func (w *World) resolveSiblings(n *Node) bool {
	for a, v := range n.want.Object.Value.All() {
		if !w.refersToSibling(a) || v.IsNull() {
			continue
		}
		bare, _ := v.Unmark()
		if !bare.IsKnown() {
			continue // the diff treats it as unknown too
		}
		if !w.resolveSiblingsOf(n, a, bare) {
			return false
		}
	}
	return true
}

// resolveSiblingsOf resolves the sibling references of one attribute, once all are known. It
// returns false as resolveSiblings does.
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
			part = config.ElementName(a.Name, i)
		}
		r, why, ok := w.resolveSibling(n, a, item, part)
		switch {
		case !ok:
			return false
		case why != "" && !isTrue(n.want.Object.Get(a.SkippedBy())):
			n.BlockAttribute(a, fmt.Sprintf("%s; declare the %s, or correct the name", why, a.RefKind()))
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
		n.BlockAttribute(a,
			fmt.Sprintf("none of the objects in %s exists: %s. hew does not send an empty list, because it would "+
				"mean all of them. Declare a %s, or correct the names",
				a.Name, strings.Join(absent, ", and "), a.RefKind()))
		return false
	}
	for _, why := range absent {
		w.Note("%s: %s is set without a part of its list, because %s.", n.want.Addr, a.Name, why)
	}
	w.setRefs(&n.Declaration, a, refs)
	return true
}

// resolveSibling resolves one sibling reference, to nil while the value is unknown. why is set if
// there is no such sibling. ok is false while a list has to be read, and when n is blocked.
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
	name := stated.Path + stated.ID // one of the two is empty
	switch declared := w.declaredSiblings(k, n.owner, name); len(declared) {
	case 0:
	case 1:
		r, ok = w.siblingRef(n, declared[0])
		return r, "", ok
	default:
		n.BlockAttribute(a, fmt.Sprintf("%s and %s are both named %q; refer to one of the two blocks",
			declared[0].want.Addr, declared[1].want.Addr, name))
		return nil, "", false
	}
	if n.coll == (schema.Collection{}) {
		return nil, fmt.Sprintf("%s %s does not exist yet, and no block declares its %s %q", k.Owner().RefKind(),
			n.owner, k.Name, name), true
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
	n.BlockAttribute(a, fmt.Sprintf("%s %s has several objects named %q (ids %s); use one of these ids",
		k.Owner().RefKind(), n.owner, name, joinIDs(c, found)))
	return nil, "", false
}

// siblingRef returns the reference to a declared sibling. It blocks n if the sibling is blocked.
func (w *World) siblingRef(n, sibling *Node) (r *schema.Ref, ok bool) {
	if sibling.status == Blocked {
		n.Block(fmt.Sprintf("it refers to %s, which cannot be planned", sibling.want.Addr), sibling.want.Addr)
		return nil, false
	}
	return sibling.ref, true
}

// declaredSiblings returns the declared objects with a name in an owner.
func (w *World) declaredSiblings(k *schema.Kind, in *schema.Ref, name string) (all []*Node) {
	for _, other := range w.byKindAndName[k.Name][strings.ToLower(name)] {
		w.Resolve(&other.Declaration) // it may be matched later than n
		if owner := schema.AsRef(other.want.Object.Get(k.Owner().Name)); owner != nil && in != nil && owner.Same(in) {
			all = append(all, other)
		}
	}
	return all
}

// namedSiblings returns the declared siblings that an object may name. If the owners cannot be
// compared, because one has only an id and the other only a path, it includes the candidate.
func (w *World) namedSiblings(d *Declaration) (out []addr.Instance) {
	for a, v := range d.want.Object.Value.All() {
		bare, _ := v.Unmark()
		if !w.refersToSibling(a) || bare.IsNull() || !bare.IsKnown() {
			continue
		}
		items := []cty.Value{bare}
		if a.ManyRefs() {
			items = bare.AsValueSlice()
		}
		in := schema.AsRef(d.want.Object.Get(d.Kind().Owner().Name))
		for _, item := range items {
			r, ok := schema.RefOf(item)
			if !ok {
				continue
			}
			k := w.Kind(a.RefKind())
			for _, other := range w.byKindAndName[k.Name][strings.ToLower(r.Path+r.ID)] {
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

// indexSibling indexes a node by name if siblings may refer to its kind.
func (w *World) indexSibling(n *Node) {
	k := n.Kind()
	if !w.isReferredTo(k) {
		return
	}
	if w.byKindAndName[k.Name] == nil {
		w.byKindAndName[k.Name] = map[string][]*Node{}
	}
	n.ref.Path = siblingName(n.want.Object)
	if name := strings.ToLower(n.ref.Path); name != "" {
		w.byKindAndName[k.Name][name] = append(w.byKindAndName[k.Name][name], n)
	}
}

// isReferredTo reports whether any kind refers to siblings of kind k.
func (w *World) isReferredTo(k *schema.Kind) bool {
	if k.Tree != nil || k.Owner() == nil {
		return false
	}
	is, ok := w.refers[k.Name]
	if !ok {
		for _, other := range w.Kinds.Resources {
			for i := range other.Attrs {
				is = is || other.Attrs[i].RefKind() == k.Name
			}
		}
		w.refers[k.Name] = is
	}
	return is
}
