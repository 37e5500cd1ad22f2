package reconcile

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/schema"
)

// maxDepth bounds chains of owners; hosts allow twenty levels of groups.
const maxDepth = 64

// pathOf computes the planned path of a declared thing from its owner's.
func (w *world) pathOf(n *node, depth int) string {
	if n.ref.Path != "" || depth > maxDepth {
		return n.ref.Path
	}
	k := n.kind()
	v := n.want.Object.Get(k.Tree.Segment)
	if schema.IsSecret(v) {
		w.diags = append(w.diags, mistake(n.want.Block.Decl, "Secret in a path",
			"The %s of %s is made of a secret. Everybody who sees the %s reads its path, and plans name it by that: write it out.", k.Tree.Segment, n.want.Addr, k.Name))
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
		case target != nil && target.kind().Tree != nil:
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

// ownerPath is the path of an owner given by name or id.
func (w *world) ownerPath(a *schema.Attr, v cty.Value, depth int) string {
	r, ok := schema.RefOf(v)
	if !ok {
		return ""
	}
	if r.Path != "" {
		return r.Path
	}
	if t := w.byThing[byID(a.RefKind(), r.ID)]; t != nil {
		return w.pathOf(t, depth+1)
	}
	return w.ref(a.RefKind(), r).Path
}

// ref returns the one reference shared by all that name the thing, from the
// declared object if there is one.
func (w *world) ref(kind string, r schema.Ref) *schema.Ref {
	id := byID(kind, r.ID)
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

// resolve folds the references of a declared object. It returns false while
// one of them is unknown and nobody can say whose it is. What is known by its
// owner is folded once that is placed, by siblings.
func (w *world) resolve(n *seeker) bool {
	all := true
	for a, v := range n.want.Object.Value.All() {
		if a.RefKind() == "" || v.IsNull() || w.sibling(a) {
			continue
		}
		refs, ok := w.foldAll(n, a, v)
		if !ok {
			all = false
			continue
		}
		w.refold(n, a, refs)
	}
	return all
}

// refold puts references in the place of what was stated, and waits for those
// that are declared.
func (w *world) refold(n *seeker, a *schema.Attr, refs []*schema.Ref) {
	if a.ManyRefs() {
		n.want.Object.Value.Set(a, schema.RefsVal(refs))
	} else {
		n.want.Object.Value.Set(a, schema.RefVal(refs[0]))
	}
	for _, r := range refs {
		if target := w.node(a.RefKind(), r); target != nil {
			n.want.Needs = needing(n.want.Needs, target.want.Addr)
		}
	}
}

// foldAll is what all of a stated value leads to; ok is false while that is not
// known of a part of it.
func (w *world) foldAll(n *seeker, a *schema.Attr, v cty.Value) (refs []*schema.Ref, ok bool) {
	if !a.ManyRefs() {
		r := w.fold(n, a, v, a.Name)
		return []*schema.Ref{r}, r != nil
	}
	if v, _ = v.Unmark(); !v.IsKnown() {
		return nil, false
	}
	for i, item := range v.AsValueSlice() {
		r := w.fold(n, a, item, config.Part(a.Name, i))
		if r == nil {
			return nil, false
		}
		refs = append(refs, r)
	}
	return refs, true
}

// fold is the reference that a stated id, path or name stands for, nil while
// it is unknown. part is what an unknown one is called in Origin.
func (w *world) fold(n *seeker, a *schema.Attr, v cty.Value, part string) *schema.Ref {
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
	return w.ref(a.RefKind(), r)
}

func needing(needs []addr.Instance, a addr.Instance) []addr.Instance {
	for _, n := range needs {
		if n == a {
			return needs
		}
	}
	return append(needs[:len(needs):len(needs)], a)
}

// node is the declared object behind a reference, or nil.
func (w *world) node(kind string, r *schema.Ref) *node {
	if r.Addr == "" {
		return nil
	}
	if n := w.byThing[byName(kind, r.Path)]; n != nil && n.ref == r {
		return n
	}
	if n := w.byThing[byID(kind, r.ID)]; n != nil && n.ref == r {
		return n
	}
	for _, n := range w.byKindAndName[kind][fold(r.Path)] {
		if n.ref == r {
			return n
		}
	}
	return nil
}
