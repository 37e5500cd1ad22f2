package match

import (
	"iter"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/schema"
)

// What depends on what among declared things, as far as it is known by now:
// what values come from, what is waited for, what data sources answer with.

// Seekers yields everything declared: resources, data sources, and claims of
// collections.
func (w *World) Seekers() iter.Seq2[addr.Instance, *Seeker] {
	return func(yield func(addr.Instance, *Seeker) bool) {
		for _, n := range w.all {
			if !yield(n.want.Addr, &n.Seeker) {
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

// links says what each address leads to.
type links map[addr.Instance][]addr.Instance

func (l links) reverse() links {
	back := make(links, len(l))
	for a, to := range l {
		if _, ok := back[a]; !ok {
			back[a] = nil
		}
		for _, b := range to {
			back[b] = append(back[b], a)
		}
	}
	return back
}

// anyIn reports whether t speaks of something that the links are from.
func (l links) anyIn(t addr.Instance) bool {
	for a := range l {
		if t.Contains(a) {
			return true
		}
	}
	return false
}

// mark adds a, and all that it leads to, to what was seen.
func (l links) mark(a addr.Instance, seen map[addr.Instance]bool) {
	if seen[a] {
		return
	}
	seen[a] = true
	for _, b := range l[a] {
		l.mark(b, seen)
	}
}

// Dependencies returns everything declared that a thing waits for or is read
// from, as far as it is known by now.
func (w *World) Dependencies(s *Seeker) []addr.Instance {
	out := slices.Concat(s.want.Needs, w.namedSiblings(s), w.GrantsFor(s))
	for _, t := range s.want.Triggers {
		out = append(out, w.instancesIn(t.Addr.Block)...)
	}
	for _, b := range slices.Concat(s.want.After, s.want.Defer) {
		out = append(out, w.instancesIn(b)...)
	}
	return append(out, w.referencesOf(s.want.Addr.Block, addr.Data)...)
}

// answersWith returns the declared things that a data source answers with.
func (w *World) answersWith(s *Seeker) (out []addr.Instance) {
	d := s.Query()
	of := w.Kind(d.Of)
	owner := schema.AsRef(s.want.Object.Get(d.Owner))
	named := owner == nil && d.Top != "" || owner != nil && owner.Path != ""
	for _, n := range w.all {
		switch {
		case n.Kind() != of:
		case d.Single && w.isSingle(s, n), !d.Single && named && n.WillBeIn(owner, s.Recursive()):
			out = append(out, n.want.Addr)
		}
	}
	return out
}

// isSingle reports whether a source for a single thing is about n.
func (w *World) isSingle(s *Seeker, n *Node) bool {
	for _, key := range s.Kind().Data.Keys {
		if r, ok := schema.RefOf(s.want.Object.Get(key)); ok {
			return w.Target(n.Kind().Name, w.Ref(n.Kind().Name, r)) == n
		}
	}
	return false
}

// keySources returns what may tell which instances there are of a block that is
// blocked as a whole: what it refers to. Of a module call that can be anything
// that is read.
func (w *World) keySources(a addr.Instance) (out []addr.Instance) {
	if a.IsCall() {
		for at := range w.sources {
			out = append(out, at)
		}
		return out
	}
	return append(w.referencesOf(a.Block, addr.Data), w.referencesOf(a.Block, addr.Resource)...)
}

// referencesOf returns what the expressions of a block refer to of one mode; in a module
// with several instances that is what is in the same one.
func (w *World) referencesOf(from addr.Block, mode addr.Mode) (out []addr.Instance) {
	if w.scope == nil {
		return nil
	}
	bare := from.Unkeyed()
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

// instancesIn returns the declared things of a block, or of a module.
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

// Query returns what a data source reads, by its arguments.
func (s *Seeker) Query() *schema.Data { return s.Kind().Data.For(s.want.Object) }

// Recursive reports whether a data source is after what is in its owner at any
// depth.
func (s *Seeker) Recursive() bool {
	of := s.Query().Recursive
	return of != "" && isTrue(s.want.Object.Get(of))
}

// WillBeIn reports whether a declared thing will be in an owner: directly, or
// at any depth. What has no path of its own is, at any depth, in what is above.
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
