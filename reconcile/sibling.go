package reconcile

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

// sibling tells whether an attribute refers to something within the owner.
func (w *world) sibling(a *schema.Attr) bool {
	if a.RefKind() == "" {
		return false
	}
	k := w.kind(a.RefKind())
	return k != nil && k.Tree == nil && k.Owner() != nil
}

// siblings folds what an object whose owner is placed refers to beside it. It
// returns false while a list has to be read, or where there is no such thing and
// n is blocked.
func (w *world) siblings(n *node) bool {
	for a, v := range n.want.Object.Value.All() {
		if !w.sibling(a) || v.IsNull() {
			continue
		}
		bare, _ := v.Unmark()
		if !bare.IsKnown() {
			continue // nor is it by whoever compares it
		}
		if !w.besides(n, a, bare) {
			return false
		}
	}
	return true
}

// besides folds the siblings that one attribute names, once all are known. It
// returns false as siblings does.
func (w *world) besides(n *node, a *schema.Attr, v cty.Value) bool {
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
		r, why, ok := w.beside(n, a, item, part)
		switch {
		case !ok:
			return false
		case why != "" && !isTrue(n.want.Object.Get(a.SkippedBy())):
			n.blame(a, why+"; declare it, or correct the name")
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
		n.blame(a, fmt.Sprintf("nothing that %s names is there, and no name at all would mean everything: %s", a.Name, strings.Join(absent, ", and ")))
		return false
	}
	for _, why := range absent {
		w.note("%s leaves a part of %s out: %s.", n.want.Addr, a.Name, why)
	}
	w.refold(&n.seeker, a, refs)
	return true
}

// beside is the sibling that one value stands for, nil while the value is not
// known. why says that there is none; of several it is told which there are, and
// n is blocked.
func (w *world) beside(n *node, a *schema.Attr, v cty.Value, part string) (r *schema.Ref, why string, ok bool) {
	k := w.kind(a.RefKind())
	if r := schema.AsRef(v); r != nil && (r.Addr != "" || r.ID != "") {
		return r, "", true
	}
	if target := w.nodes[n.want.Origin[part]]; target != nil {
		r, ok = w.meet(n, target)
		return r, "", ok
	}
	stated, known := schema.RefOf(v)
	if !known {
		return nil, "", true
	}
	name := stated.Path + stated.ID // one of the two
	switch declared := w.declaredIn(k, n.owner, name); len(declared) {
	case 0:
	case 1:
		r, ok = w.meet(n, declared[0])
		return r, "", ok
	default:
		n.blame(a, fmt.Sprintf("%s and %s are both called %q; refer to one of the two blocks", declared[0].want.Addr, declared[1].want.Addr, name))
		return nil, "", false
	}
	if n.coll == (schema.Collection{}) {
		return nil, fmt.Sprintf("there is no %s %q in %s %s, which is yet to be created", k.Name, name, k.Owner().RefKind(), n.owner), true
	}
	c := w.list(k, k.In(n.owner.ID))
	switch {
	case c == nil:
		return nil, "", false
	case c.state != schema.Present:
		n.block(unreadable(k, n.owner, c.state, c.err))
		return nil, "", false
	}
	found := c.called(k, name)
	switch len(found) {
	case 0:
		return nil, fmt.Sprintf("%s %s has no %s %q", k.Owner().RefKind(), n.owner, k.Name, name), true
	case 1:
		o := c.objs[found[0]]
		return &schema.Ref{ID: o.ID, Path: nameBeside(o)}, "", true
	}
	n.blame(a, fmt.Sprintf("several of %s %s are called %q, with the ids %s; state the id of the one that is meant", k.Owner().RefKind(), n.owner, name, ids(c, found)))
	return nil, "", false
}

// meet is the reference to a declared sibling; n is blocked with one that cannot
// be planned.
func (w *world) meet(n, sibling *node) (r *schema.Ref, ok bool) {
	if sibling.status == blocked {
		n.block(fmt.Sprintf("%s, which it refers to, cannot be planned", sibling.want.Addr), sibling.want.Addr)
		return nil, false
	}
	return sibling.ref, true
}

// declaredIn are the things of that name that are declared in an owner.
func (w *world) declaredIn(k *schema.Kind, in *schema.Ref, name string) (all []*node) {
	for _, other := range w.byKindAndName[k.Name][fold(name)] {
		w.resolve(&other.seeker) // it may be placed after what refers to it
		if owner := schema.AsRef(other.want.Object.Get(k.Owner().Name)); owner != nil && in != nil && owner.Same(in) {
			all = append(all, other)
		}
	}
	return all
}

// namesBeside lists the declared siblings that an object names, with those that
// may be: of two owners one may be known by its id and the other by its path.
func (w *world) namesBeside(s *seeker) (out []addr.Instance) {
	for a, v := range s.want.Object.Value.All() {
		bare, _ := v.Unmark()
		if !w.sibling(a) || bare.IsNull() || !bare.IsKnown() {
			continue
		}
		items := []cty.Value{bare}
		if a.ManyRefs() {
			items = bare.AsValueSlice()
		}
		in := schema.AsRef(s.want.Object.Get(s.kind().Owner().Name))
		for _, item := range items {
			r, ok := schema.RefOf(item)
			if !ok {
				continue
			}
			k := w.kind(a.RefKind())
			for _, other := range w.byKindAndName[k.Name][fold(r.Path+r.ID)] {
				owner := schema.AsRef(other.want.Object.Get(k.Owner().Name))
				if owner == nil || in == nil || owner.Same(in) || (owner.ID == "" || in.ID == "") && (owner.Path == "" || in.Path == "") {
					out = append(out, other.want.Addr)
				}
			}
		}
	}
	return out
}

// indexSibling keeps the declared things of kinds that others refer to beside them,
// by name.
func (w *world) indexSibling(n *node) {
	k := n.kind()
	if !w.referred(k) {
		return
	}
	if w.byKindAndName[k.Name] == nil {
		w.byKindAndName[k.Name] = map[string][]*node{}
	}
	n.ref.Path = nameBeside(n.want.Object)
	if name := fold(n.ref.Path); name != "" {
		w.byKindAndName[k.Name][name] = append(w.byKindAndName[k.Name][name], n)
	}
}

// referred tells whether any kind refers to siblings of that kind.
func (w *world) referred(k *schema.Kind) bool {
	if k.Tree != nil || k.Owner() == nil {
		return false
	}
	is, told := w.refers[k.Name]
	if !told {
		for _, other := range w.kinds.Resources {
			for i := range other.Attrs {
				is = is || other.Attrs[i].RefKind() == k.Name
			}
		}
		w.refers[k.Name] = is
	}
	return is
}

func fold(name string) string { return strings.ToLower(name) }
