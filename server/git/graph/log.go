package graph

import (
	"iter"
	"slices"

	"hew/server/git/object"
)

// Order is the order of a log. All are those of git log.
type Order uint8

// The orders. OrderDefault begins to answer at once; the others walk all commits first.
const (
	OrderDefault Order = iota // by time, the latest first; a clock that runs backwards mixes parents and children
	OrderDate                 // no commit before its children, and else by time: --date-order
	OrderTopo                 // no commit before its children, and no lines of history mixed: --topo-order
)

// Options say which commits a log has, and in which order.
type Options struct {
	Order       Order
	FirstParent bool        // follow only the first parent of merges
	Not         []object.ID // leave out these commits and their ancestors
}

// Log returns the numbers of the commits that can be reached from the given ones and not from the
// others. Ids that are not there are ignored: look at them with Number before.
func (g *Graph) Log(from []object.ID, o Options) iter.Seq[int32] {
	v := g.view.Load()
	w := walk{view: v, order: o.Order, from: v.numbers(from), edges: v.parentsOf}
	w.keep = v.interesting(w.from, o)
	w.visit = func(n int32) (follow []int32, show bool) {
		follow = v.parentsOf(n)
		if o.FirstParent && len(follow) > 1 {
			follow = follow[:1]
		}
		return follow, true
	}
	return w.run
}

// interesting returns the commits that can be reached from the given ones and not from o.Not; nil
// if these are all.
func (v *view) interesting(from []int32, o Options) set {
	not := v.numbers(o.Not)
	if len(not) == 0 {
		return nil
	}
	const excluded = markB
	p := v.paint(excluded)
	for _, n := range from {
		p.mark(n, markA)
	}
	for _, n := range not {
		p.mark(n, excluded)
	}
	keep := newSet(len(v.ids))
	for n, marks, ok := p.next(); ok; n, marks, ok = p.next() {
		parents := v.parentsOf(n)
		if marks&excluded == 0 {
			keep.add(n)
			if o.FirstParent && len(parents) > 1 {
				parents = parents[:1]
			}
		}
		for _, parent := range parents {
			p.mark(parent, marks)
		}
	}
	return keep
}

// A walk goes through commits in one of git's orders.
type walk struct {
	*view
	order Order
	from  []int32
	keep  set                                       // commits to visit; nil is all
	visit func(n int32) (follow []int32, show bool) // called once for each commit
	edges func(n int32) []int32                     // parents that a commit must come before, once visited
}

func (w *walk) run(yield func(int32) bool) {
	if w.order == OrderDefault {
		w.byTime(func(n int32, show bool) bool { return !show || yield(n) })
		return
	}
	var list []int32
	shown := newSet(len(w.ids))
	w.byTime(func(n int32, show bool) bool {
		list = append(list, n)
		if show {
			shown.add(n)
		}
		return true
	})
	w.sorted(list, func(n int32) bool { return !shown.has(n) || yield(n) })
}

// byTime visits commits, the latest of those known first.
func (w *walk) byTime(yield func(n int32, show bool) bool) {
	var q queue
	seen := newSet(len(w.ids))
	push := func(n int32) {
		if (w.keep == nil || w.keep.has(n)) && seen.add(n) {
			q.push(w.times[n], n)
		}
	}
	for _, n := range w.from {
		push(n)
	}
	for !q.empty() {
		n := q.pop()
		follow, show := w.visit(n)
		for _, parent := range follow {
			push(parent)
		}
		if !yield(n, show) {
			return
		}
	}
}

// sorted yields a list so that no commit comes before its children: the ready ones by time, or the
// one that became ready last.
func (w *walk) sorted(list []int32, yield func(int32) bool) {
	waiting := make([]int32, len(w.ids)) // 1 + children that have not come yet; 0 is not in the list
	for _, n := range list {
		waiting[n] = 1
	}
	for _, n := range list {
		for _, parent := range w.edges(n) {
			if waiting[parent] > 0 {
				waiting[parent]++
			}
		}
	}
	ready := &readyQueue{view: w.view, byTime: w.order == OrderDate}
	for _, n := range list {
		if waiting[n] == 1 {
			ready.put(n)
		}
	}
	slices.Reverse(ready.stack)
	for !ready.empty() {
		n := ready.pop()
		for _, parent := range w.edges(n) {
			if waiting[parent] == 0 {
				continue
			}
			if waiting[parent]--; waiting[parent] == 1 {
				ready.put(parent)
			}
		}
		waiting[n] = 0
		if !yield(n) {
			return
		}
	}
}

// A readyQueue holds the commits that can come next.
type readyQueue struct {
	*view
	byTime bool
	queue  queue
	stack  []int32
}

func (l *readyQueue) put(n int32) {
	if l.byTime {
		l.queue.push(l.times[n], n)
	} else {
		l.stack = append(l.stack, n)
	}
}

func (l *readyQueue) pop() int32 {
	if l.byTime {
		return l.queue.pop()
	}
	n := l.stack[len(l.stack)-1]
	l.stack = l.stack[:len(l.stack)-1]
	return n
}

func (l *readyQueue) empty() bool { return len(l.stack) == 0 && l.queue.empty() }
