package reconcile

import (
	"iter"
	"slices"

	"hew/reconcile/addr"
	"hew/schema"
)

// What depends on what among declared things, as far as it is known by now:
// what values come from, what is waited for, what data sources answer with.

// things yields everything declared: resources, data sources, and claims of
// collections.
func (w *world) things() iter.Seq2[addr.Instance, *seeker] {
	return func(yield func(addr.Instance, *seeker) bool) {
		for _, n := range w.all {
			if !yield(n.want.Addr, &n.seeker) {
				return
			}
		}
		for i := range w.res.Sources {
			if a := w.res.Sources[i].Addr; !yield(a, &w.sources[a].seeker) {
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

// anyIn tells whether t speaks of something that the links are from.
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

// waits lists everything declared that a thing waits for or is read from.
func (w *world) waits(s *seeker) []addr.Instance {
	out := slices.Concat(s.want.Needs, w.namesBeside(s), w.entrances(s))
	for _, t := range s.want.Triggers {
		out = append(out, w.within(t.Addr.Block)...)
	}
	for _, b := range slices.Concat(s.want.After, s.want.Defer) {
		out = append(out, w.within(b)...)
	}
	return append(out, w.reads(s.want.Addr.Block, addr.Data)...)
}

// counts lists the declared things that a data source answers with.
func (w *world) counts(s *source) (out []addr.Instance) {
	d := s.data()
	of := w.kind(d.Of)
	owner := schema.AsRef(s.want.Object.Get(d.Owner))
	for _, n := range w.all {
		switch {
		case n.kind() != of:
		case d.Single && w.names(s, n), !d.Single && (owner == nil && d.Top != "" || owner != nil && owner.Path != "") && under(n, owner, s.deep()):
			out = append(out, n.want.Addr)
		}
	}
	return out
}

// names tells whether a source for a single thing names n.
func (w *world) names(s *source, n *node) bool {
	for _, key := range s.kind().Data.Keys {
		if r, ok := schema.RefOf(s.want.Object.Get(key)); ok {
			return w.node(n.kind().Name, w.ref(n.kind().Name, r)) == n
		}
	}
	return false
}

// unlocks lists what may tell which instances there are of a block that is
// blocked as a whole: what it refers to. Of a module call that can be anything
// that is read.
func (w *world) unlocks(a addr.Instance) (out []addr.Instance) {
	if a.IsCall() {
		for at := range w.sources {
			out = append(out, at)
		}
		return out
	}
	return append(w.reads(a.Block, addr.Data), w.reads(a.Block, addr.Resource)...)
}

// reads lists what the expressions of a block refer to of one mode; in a module
// with several instances that is what is in the same one.
func (w *world) reads(from addr.Block, mode addr.Mode) (out []addr.Instance) {
	if w.narrowing == nil {
		return nil
	}
	bare := from.Unkeyed()
	for _, b := range w.narrowing.uses[bare] {
		if b.Module == bare.Module {
			b.Module = from.Module
		}
		if b.Mode == mode {
			out = append(out, w.within(b)...)
		}
	}
	return out
}

// within lists the declared things of a block, or of a module.
func (w *world) within(b addr.Block) (in []addr.Instance) {
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
