package match

import (
	"iter"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/schema"
)

// This file computes the dependencies between declarations, as far as they are known so far:
// references, depends_on, and the declared objects that a data source returns.

// EachDeclaration yields all declared resources, data sources and exclusive blocks.
func (w *World) EachDeclaration() iter.Seq2[addr.Instance, *Declaration] {
	return func(yield func(addr.Instance, *Declaration) bool) {
		for _, n := range w.all {
			if !yield(n.want.Addr, &n.Declaration) {
				return
			}
		}
		for i := range w.res.Sources {
			if a := w.res.Sources[i].Addr; !yield(a, w.sources[a]) {
				return
			}
		}
		for i := range w.res.Exclusives {
			if a := w.res.Exclusives[i].Addr; !yield(a, w.claimants[a]) {
				return
			}
		}
	}
}

// addressGraph maps each address to the addresses that it has edges to.
type addressGraph map[addr.Instance][]addr.Instance

func (g addressGraph) reverse() addressGraph {
	back := make(addressGraph, len(g))
	for a, to := range g {
		if _, ok := back[a]; !ok {
			back[a] = nil
		}
		for _, b := range to {
			back[b] = append(back[b], a)
		}
	}
	return back
}

// hasAnyIn reports whether t contains any node of the graph.
func (g addressGraph) hasAnyIn(t addr.Instance) bool {
	for a := range g {
		if t.Contains(a) {
			return true
		}
	}
	return false
}

// markReachable adds a, and everything reachable from it, to seen.
func (g addressGraph) markReachable(a addr.Instance, seen map[addr.Instance]bool) {
	if seen[a] {
		return
	}
	seen[a] = true
	for _, b := range g[a] {
		g.markReachable(b, seen)
	}
}

// Dependencies returns everything declared that d refers to or waits for, as far as it is known so
// far.
func (w *World) Dependencies(d *Declaration) []addr.Instance {
	out := slices.Concat(d.want.DependsOn, w.namedSiblings(d), w.GrantsFor(d))
	for _, t := range d.want.Triggers {
		out = append(out, w.instancesIn(t.Addr.Block)...)
	}
	for _, b := range slices.Concat(d.want.DependsOnBlocks, d.want.DeferUntil) {
		out = append(out, w.instancesIn(b)...)
	}
	return append(out, w.referencesOf(d.want.Addr.Block, addr.Data)...)
}

// answersWith returns the declared objects that a data source returns.
func (w *World) answersWith(d *Declaration) (out []addr.Instance) {
	q := d.Query()
	of := w.Kind(q.Of)
	owner := schema.AsRef(d.want.Object.Get(q.Owner))
	named := owner == nil && q.Top != "" || owner != nil && owner.Path != ""
	for _, n := range w.all {
		switch {
		case n.Kind() != of:
		case q.Single && w.isLookedUpBy(n, d), !q.Single && named && n.WillBeIn(owner, d.Recursive()):
			out = append(out, n.want.Addr)
		}
	}
	return out
}

// isLookedUpBy reports whether a data source for one object looks up n.
func (w *World) isLookedUpBy(n *Node, d *Declaration) bool {
	for _, key := range d.Kind().Data.Keys {
		if r, ok := schema.RefOf(d.want.Object.Get(key)); ok {
			return w.Target(n.Kind().Name, w.Ref(n.Kind().Name, r)) == n
		}
	}
	return false
}

// keySources returns the declarations that the instance keys of a blocked block may come from:
// everything its expressions refer to. For a module call these are all data sources.
func (w *World) keySources(a addr.Instance) (out []addr.Instance) {
	if a.IsCall() {
		for at := range w.sources {
			out = append(out, at)
		}
		return out
	}
	return append(w.referencesOf(a.Block, addr.Data), w.referencesOf(a.Block, addr.Resource)...)
}

// referencesOf returns what the expressions of a block refer to, limited to one mode. In a module
// with several instances, these are the addresses in the same instance.
func (w *World) referencesOf(from addr.Block, mode addr.Mode) (out []addr.Instance) {
	if w.scope == nil {
		return nil
	}
	bare := from.WithoutKeys()
	for _, b := range w.Uses()[bare] {
		if b.Module == bare.Module {
			b.Module = from.Module
		}
		if b.Mode == mode {
			out = append(out, w.instancesIn(b)...)
		}
	}
	return out
}

// instancesIn returns the declared instances of a block or module.
func (w *World) instancesIn(b addr.Block) (in []addr.Instance) {
	if in, ok := w.instances[b]; ok {
		return in
	}
	for of, list := range w.instances {
		if b.Contains(of) {
			in = append(in, list...)
		}
	}
	w.instances[b] = in
	return in
}

// Query returns what a data source reads, given its arguments.
func (d *Declaration) Query() *schema.Data { return d.Kind().Data.For(d.want.Object) }

// Recursive reports whether a data source lists objects at any depth below its owner.
func (d *Declaration) Recursive() bool {
	of := d.Query().Recursive
	return of != "" && isTrue(d.want.Object.Get(of))
}

// WillBeIn reports whether n will be in an owner, directly or, if deep, at any depth. At any depth,
// an object without a path of its own is also in the owners above its own: these lists include
// inherited objects.
func (n *Node) WillBeIn(owner *schema.Ref, deep bool) bool {
	switch {
	case n.Kind().Tree == nil && n.owner == nil:
		return owner == nil
	case n.Kind().Tree == nil:
		return n.owner.Same(owner) ||
			deep && n.owner.Path != "" && strings.HasPrefix(strings.ToLower(owner.Path)+"/",
				strings.ToLower(n.owner.Path)+"/")
	case owner == nil:
		return deep || !strings.Contains(n.Path(), "/")
	}
	path, above := strings.ToLower(n.Path()), strings.ToLower(owner.Path)+"/"
	if !strings.HasPrefix(path, above) {
		return false
	}
	return deep || !strings.Contains(path[len(above):], "/")
}

// isTrue reports whether a value is known and true.
func isTrue(v cty.Value) bool {
	v, _ = v.Unmark()
	return !v.IsNull() && v.IsKnown() && v.Type() == cty.Bool && v.True()
}
