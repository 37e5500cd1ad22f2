package match

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// maxDepth bounds chains of owners; hosts allow twenty levels of groups.
const maxDepth = 64

// pathOf computes the planned path of a declared thing from its owner's.
func (w *World) pathOf(n *Node, depth int) string {
	if n.ref.Path != "" || depth > maxDepth {
		return n.ref.Path
	}
	k := n.Kind()
	v := n.want.Object.Get(k.Tree.Segment)
	if schema.IsSecret(v) {
		w.diags = append(w.diags, mistake(n.want.Block.Decl, "Secret in a path",
			"The %s of %s is made of a secret. Everybody who sees the %s reads its path, and plans name it by that: "+
				"write it out.", k.Tree.Segment, n.want.Addr, k.Name))
		return ""
	}
	seg := schema.Text(v)
	if seg == "" {
		return ""
	}
	path := seg
	if owner := n.want.Object.Get(k.Tree.Owner); !owner.IsNull() {
		above := ""
		switch target := w.nodes[n.want.Origin[k.Tree.Owner]]; {
		case target != nil && target.Kind().Tree != nil:
			above = w.pathOf(target, depth+1)
		default:
			above = w.ownerPath(k.Attr(k.Tree.Owner), owner, depth)
		}
		if above == "" {
			return ""
		}
		path = above + "/" + seg
	}
	n.ref.Path = path
	if other := w.byThing[byName(k.Name, path)]; other != nil && other != n {
		w.conflict(n, other, fmt.Sprintf("Both declare the %s %q.", k.Name, path))
		return path
	}
	w.byThing[byName(k.Name, path)] = n
	w.news[n.want.Addr.Block] = true
	return path
}

// ownerPath returns the path of an owner given by name or id.
func (w *World) ownerPath(a *schema.Attr, v cty.Value, depth int) string {
	r, ok := schema.RefOf(v)
	if !ok {
		return ""
	}
	if r.Path != "" {
		return r.Path
	}
	if t := w.byThing[ByID(a.RefKind(), r.ID)]; t != nil {
		return w.pathOf(t, depth+1)
	}
	return w.Ref(a.RefKind(), r).Path
}

// Ref returns the one reference shared by all that name the thing, from the
// declared object if there is one.
func (w *World) Ref(kind string, r schema.Ref) *schema.Ref {
	id := ByID(kind, r.ID)
	if r.ID == "" {
		id = byName(kind, r.Path)
	}
	if n := w.byThing[id]; n != nil {
		return n.ref
	}
	if w.refs[id] == nil {
		w.refs[id] = &r
	}
	return w.refs[id]
}

// Resolve folds the references of a declared object. It returns false while
// one of them is unknown and nobody can say whose it is. What is known by its
// owner is folded once that is placed, by siblings.
func (w *World) Resolve(n *Seeker) bool {
	all := true
	for a, v := range n.want.Object.Value.All() {
		if a.RefKind() == "" || v.IsNull() || w.refersToSibling(a) {
			continue
		}
		refs, ok := w.resolveValues(n, a, v)
		if !ok {
			all = false
			continue
		}
		w.setRefs(n, a, refs)
	}
	return all
}

// setRefs puts references in the place of what was stated, and waits for those
// that are declared.
func (w *World) setRefs(n *Seeker, a *schema.Attr, refs []*schema.Ref) {
	if a.ManyRefs() {
		n.want.Object.Value.Set(a, schema.RefsVal(refs))
	} else {
		n.want.Object.Value.Set(a, schema.RefVal(refs[0]))
	}
	for _, r := range refs {
		if target := w.Target(a.RefKind(), r); target != nil {
			n.want.Needs = plan.AddNeed(n.want.Needs, target.want.Addr)
		}
	}
}

// resolveValues returns what all of a stated value leads to; ok is false while that is not
// known of a part of it.
func (w *World) resolveValues(n *Seeker, a *schema.Attr, v cty.Value) (refs []*schema.Ref, ok bool) {
	if !a.ManyRefs() {
		r := w.resolveValue(n, a, v, a.Name)
		return []*schema.Ref{r}, r != nil
	}
	if v, _ = v.Unmark(); !v.IsKnown() {
		return nil, false
	}
	for i, item := range v.AsValueSlice() {
		r := w.resolveValue(n, a, item, config.Part(a.Name, i))
		if r == nil {
			return nil, false
		}
		refs = append(refs, r)
	}
	return refs, true
}

// resolveValue returns the reference that a stated id, path or name stands for, nil while
// it is unknown. part is what an unknown one is called in Origin.
func (w *World) resolveValue(n *Seeker, a *schema.Attr, v cty.Value, part string) *schema.Ref {
	if r := schema.AsRef(v); r != nil && r.Addr != "" {
		return r
	}
	if target := w.nodes[n.want.Origin[part]]; target != nil {
		return target.ref
	}
	r, ok := schema.RefOf(v)
	if !ok {
		return nil
	}
	return w.Ref(a.RefKind(), r)
}

// Target returns the declared object behind a reference, or nil.
func (w *World) Target(kind string, r *schema.Ref) *Node {
	if r.Addr == "" {
		return nil
	}
	if n := w.byThing[byName(kind, r.Path)]; n != nil && n.ref == r {
		return n
	}
	if n := w.byThing[ByID(kind, r.ID)]; n != nil && n.ref == r {
		return n
	}
	for _, n := range w.byKindAndName[kind][foldName(r.Path)] {
		if n.ref == r {
			return n
		}
	}
	return nil
}
