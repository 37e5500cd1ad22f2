package graph

import (
	"cmp"
	"slices"

	"hew/server/git/object"
)

// Marks say from where a commit is reached.
const (
	markA     uint8 = 1 << iota
	markB           // from the other side
	markStale       // below a commit that is reached from both
	queued
)

const markBoth = markA | markB

// A painter walks from marked commits to their ancestors, by generation, and hands marks down.
type painter struct {
	*view
	marks []uint8
	queue queue
	open  int   // commits in the queue that are of interest
	done  uint8 // marks that, together, make a commit and all below it of no interest
}

func (v *view) paint(done uint8) *painter {
	return &painter{view: v, marks: make([]uint8, len(v.ids)), done: done}
}

func (p *painter) isOpen(n int32) bool { return p.marks[n]&p.done != p.done }

// mark adds marks to a commit, and to its ancestors once they are reached.
func (p *painter) mark(n int32, marks uint8) {
	open := p.marks[n]&queued != 0 && p.isOpen(n)
	if p.marks[n]&queued == 0 {
		p.queue.push(int64(p.generations[n]), n)
	}
	p.marks[n] |= marks | queued
	switch is := p.isOpen(n); {
	case is && !open:
		p.open++
	case !is && open:
		p.open--
	}
}

// next returns the next commit, whose marks are final, or false if none of interest is left. The
// caller marks the parents.
func (p *painter) next() (n int32, marks uint8, ok bool) {
	if p.open == 0 {
		return 0, 0, false
	}
	n = p.queue.pop()
	if p.isOpen(n) {
		p.open--
	}
	return n, p.marks[n] &^ queued, true
}

// IsAncestor reports whether commit a can be reached from commit b, or is b. It is false if one of
// them is not there.
func (g *Graph) IsAncestor(a, b object.ID) bool { return g.Contains([]object.ID{b}, a)[0] }

// Contains reports for each of the tips whether a commit can be reached from it, or is it.
func (g *Graph) Contains(tips []object.ID, id object.ID) []bool {
	v := g.view.Load()
	contains := make([]bool, len(tips))
	target, ok := v.number(id)
	if !ok {
		return contains
	}
	seen, reaching := newSet(len(v.ids)), newSet(len(v.ids))
	seen.add(target)
	reaching.add(target)
	for i, tip := range tips {
		if n, ok := v.number(tip); ok {
			v.search(n, target, seen, reaching)
			contains[i] = reaching.has(n)
		}
	}
	return contains
}

// search adds to reaching the commits from n on from which target can be reached. Those in seen
// have been searched.
func (v *view) search(n, target int32, seen, reaching set) {
	type frame struct {
		n    int32
		next int // parent to look at
	}
	if !seen.add(n) {
		return
	}
	stack := []frame{{n: n}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		parents := v.parentsOf(top.n)
		if top.next > 0 && reaching.has(parents[top.next-1]) {
			reaching.add(top.n)
			top.next = len(parents)
		}
		if top.next == len(parents) || v.generations[top.n] <= v.generations[target] {
			stack = stack[:len(stack)-1]
			continue
		}
		parent := parents[top.next]
		top.next++
		if seen.add(parent) {
			stack = append(stack, frame{n: parent})
		}
	}
}

// Within returns a function, for one goroutine, that reports whether a commit can be reached from a
// tip, or is it. All its calls together walk the history once, down to the lowest commit asked for.
func (g *Graph) Within(tip object.ID) func(id object.ID) bool {
	v := g.view.Load()
	seen := newSet(len(v.ids))
	var next queue // commits that were reached, and whose parents were not marked yet
	reach := func(n int32) {
		if seen.add(n) {
			next.push(int64(v.generations[n]), n)
		}
	}
	if n, ok := v.number(tip); ok {
		reach(n)
	}
	return func(id object.ID) bool {
		n, ok := v.number(id)
		for ok && !next.empty() && next.highest() > int64(v.generations[n]) {
			for _, parent := range v.parentsOf(next.pop()) {
				reach(parent)
			}
		}
		return ok && seen.has(n)
	}
}

// MergeBases returns the best common ancestors of two commits, the latest first, as git merge-base
// --all does: several after criss-cross merges, none for unrelated commits or ones that are not
// there.
func (g *Graph) MergeBases(a, b object.ID) []object.ID {
	v := g.view.Load()
	ends := v.numbers([]object.ID{a, b})
	if len(ends) < 2 {
		return nil
	}
	p := v.paint(markBoth | markStale)
	p.mark(ends[0], markA)
	p.mark(ends[1], markB)
	var bases []int32
	for n, marks, ok := p.next(); ok; n, marks, ok = p.next() {
		if marks == markBoth {
			bases = append(bases, n)
			marks |= markStale
		}
		for _, parent := range v.parentsOf(n) {
			p.mark(parent, marks)
		}
	}
	slices.SortStableFunc(bases, func(a, b int32) int { return cmp.Compare(v.times[b], v.times[a]) })
	var ids []object.ID
	for _, n := range bases {
		ids = append(ids, v.ids[n])
	}
	return ids
}

// AheadBehind returns how many commits can be reached from a and not from b, and from b and not
// from a. Nothing can be reached from a commit that is not there.
func (g *Graph) AheadBehind(a, b object.ID) (ahead, behind int) {
	v := g.view.Load()
	p := v.paint(markBoth)
	for _, n := range v.numbers([]object.ID{a}) {
		p.mark(n, markA)
	}
	for _, n := range v.numbers([]object.ID{b}) {
		p.mark(n, markB)
	}
	for n, marks, ok := p.next(); ok; n, marks, ok = p.next() {
		switch marks {
		case markA:
			ahead++
		case markB:
			behind++
		}
		for _, parent := range v.parentsOf(n) {
			p.mark(parent, marks)
		}
	}
	return ahead, behind
}
