package graph

import (
	"iter"
	"slices"

	"hew/server/git/object"
)

// Differs tells from which parents of a commit a path differs: bit i of bits is set if it is not
// the same as in parent i. A commit without parents differs by bit 0. It returns false if the path
// is the same as in all parents.
type Differs func(n int32) (bits uint16, ok bool)

// History returns the numbers of the commits of the log of a path, simplified as git log -- path
// does: where a merge has the path as one of its parents has it, only that parent is followed. With
// o.Not, a parent that is left out does not count; git may not yet know that a parent is excluded,
// and its log is then shorter.
func (g *Graph) History(from []object.ID, o Options, differs Differs) iter.Seq[int32] {
	v := g.view.Load()
	h := history{view: v, differs: differs, firstParent: o.FirstParent, bottom: v.numbers(o.Not)}
	w := walk{view: v, order: o.Order, from: v.numbers(from)}
	w.keep = v.interesting(w.from, o)
	h.keep = w.keep
	w.visit = h.simplify
	w.edges = func(n int32) []int32 {
		if only, ok := h.only[n]; ok {
			return only
		}
		return v.parentsOf(n)
	}
	return func(yield func(int32) bool) {
		h.only = map[int32][]int32{}
		w.run(yield)
	}
}

type history struct {
	*view
	differs     Differs
	firstParent bool
	keep        set               // nil if nothing is left out
	bottom      []int32           // the commits that are left out by name
	only        map[int32][]int32 // the one parent that is followed, of merges that have the path from it
}

// isRelevant reports whether a parent decides what becomes of a commit: parents that are left out
// do not, except for those that were named.
func (h *history) isRelevant(n int32) bool {
	return h.keep == nil || h.keep.has(n) || slices.Contains(h.bottom, n)
}

// simplify returns the parents to follow, and whether the commit belongs to the history.
func (h *history) simplify(n int32) (follow []int32, show bool) {
	bits, ok := h.differs(n)
	parents := h.parentsOf(n)
	if len(parents) == 0 {
		return nil, ok && bits&1 != 0
	}
	var relevant, relevantDiffers, irrelevantDiffers bool
	for i, parent := range parents {
		isRelevant := h.isRelevant(parent)
		relevant = relevant || isRelevant
		if i > 0 && h.firstParent {
			break
		}
		same := !ok || i < 16 && bits&(1<<i) == 0
		switch {
		case same && isRelevant:
			if len(parents) > 1 {
				h.only[n] = parents[i : i+1]
			}
			return parents[i : i+1], false
		case same:
		case isRelevant:
			relevantDiffers = true
		default:
			irrelevantDiffers = true
		}
	}
	if h.firstParent {
		parents = parents[:1]
	}
	if relevant {
		return parents, relevantDiffers
	}
	return parents, irrelevantDiffers
}
