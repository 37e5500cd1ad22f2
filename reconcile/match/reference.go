package match

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// maxDepth bounds chains of owners. Hosts allow twenty levels of groups.
const maxDepth = 64

// pathOf computes the planned path of a declared group or project from its owner's path.
func (w *World) pathOf(n *Node, depth int) string {
	if n.ref.Path != "" || depth > maxDepth {
		return n.ref.Path
	}
	k := n.Kind()
	v := n.want.Object.Get(k.Tree.Segment)
	if schema.IsSecret(v) {
		w.diags = append(w.diags, mistake(n.want.Block.DeclRange, "Secret in a path",
			"The %s of %s comes from a secret, but everybody who can see the %s sees its path, and plans show it. Use "+
				"a value that is not secret.", k.Tree.Segment, n.want.Addr, k.Name))
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
	if other := w.byRefKey[byName(k.Name, path)]; other != nil && other != n {
		w.reportDuplicate(n, other, fmt.Sprintf("%s %q", k.Name, path))
		return path
	}
	if other := w.byPath[strings.ToLower(path)]; other != nil && other != n {
		w.reportSharedPath(n, other)
		return path
	}
	w.byPath[strings.ToLower(path)] = n
	w.byRefKey[byName(k.Name, path)] = n
	w.stale[n.want.Addr.Block] = true
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
	if t := w.byRefKey[ByID(a.RefKind(), r.ID)]; t != nil {
		return w.pathOf(t, depth+1)
	}
	return w.Ref(a.RefKind(), r).Path
}

// Ref returns the shared reference to an object, that of its node if it is declared.
func (w *World) Ref(kind string, r schema.Ref) *schema.Ref {
	id := ByID(kind, r.ID)
	if r.ID == "" {
		id = byName(kind, r.Path)
	}
	if n := w.byRefKey[id]; n != nil {
		return n.ref
	}
	if w.refs[id] == nil {
		w.refs[id] = &r
	}
	return w.refs[id]
}

// Resolve resolves the references of a declaration to shared ones. It returns false while one of
// them is unknown. References to siblings are resolved later, when the owner is known.
func (w *World) Resolve(n *Declaration) bool {
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

// setRefs sets attribute a to resolved references, and adds the declared ones to the dependencies.
func (w *World) setRefs(n *Declaration, a *schema.Attr, refs []*schema.Ref) {
	if a.ManyRefs() {
		n.want.Object.Value.Set(a, schema.RefsVal(refs))
	} else {
		n.want.Object.Value.Set(a, schema.RefVal(refs[0]))
	}
	for _, r := range refs {
		if target := w.Target(a.RefKind(), r); target != nil {
			n.want.DependsOn = plan.AddNeed(n.want.DependsOn, target.want.Addr)
		}
	}
}

// resolveValues returns all references in a value. ok is false while a part of it is unknown.
func (w *World) resolveValues(n *Declaration, a *schema.Attr, v cty.Value) (refs []*schema.Ref, ok bool) {
	if !a.ManyRefs() {
		r := w.resolveValue(n, a, v, a.Name)
		return []*schema.Ref{r}, r != nil
	}
	if v, _ = v.Unmark(); !v.IsKnown() {
		return nil, false
	}
	for i, item := range v.AsValueSlice() {
		r := w.resolveValue(n, a, item, config.ElementName(a.Name, i))
		if r == nil {
			return nil, false
		}
		refs = append(refs, r)
	}
	return refs, true
}

// resolveValue returns the reference for an id, path or name, or nil while it is unknown. part is
// the value's key in Desired.Origin.
func (w *World) resolveValue(n *Declaration, a *schema.Attr, v cty.Value, part string) *schema.Ref {
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

// Target returns the node that a reference leads to, or nil.
func (w *World) Target(kind string, r *schema.Ref) *Node {
	if r.Addr == "" {
		return nil
	}
	if n := w.byRefKey[byName(kind, r.Path)]; n != nil && n.ref == r {
		return n
	}
	if n := w.byRefKey[ByID(kind, r.ID)]; n != nil && n.ref == r {
		return n
	}
	for _, n := range w.byKindAndName[kind][strings.ToLower(r.Path)] {
		if n.ref == r {
			return n
		}
	}
	return nil
}

// FormerID returns the id that the declared object behind a reference had until somebody deleted it
// by hand, or "".
func (w *World) FormerID(kind string, r *schema.Ref) string {
	if n := w.Target(kind, r); n != nil && n.gone {
		return n.entryID()
	}
	return ""
}
