// Package graph sorts nodes by their dependencies and walks them in that order, several at a time.
// It knows nothing about the nodes.
//
// The main invariant: a node comes after everything that it needs. All results are deterministic:
// of several nodes that could come next, the one that was added first does.
package graph

import (
	"container/heap"
	"slices"
)

// Graph is a directed graph of distinct keys. The zero value is an empty graph. It is safe for
// concurrent reads.
type Graph[K comparable] struct {
	index      map[K]int
	keys       []K
	needs      [][]int // by node: what must come before it
	dependents [][]int // by node: what must come after it
}

// AddNode adds k, if it is not there yet. Nodes that were added earlier come first where their
// needs allow it.
func (g *Graph[K]) AddNode(k K) { g.nodeIndex(k) }

// AddEdge makes k depend on need, and adds both nodes if they are not there yet. Adding an edge
// twice has no effect.
func (g *Graph[K]) AddEdge(k, need K) {
	from, to := g.nodeIndex(k), g.nodeIndex(need)
	g.needs[from] = append(g.needs[from], to)
	g.dependents[to] = append(g.dependents[to], from)
}

func (g *Graph[K]) nodeIndex(k K) int {
	if i, ok := g.index[k]; ok {
		return i
	}
	if g.index == nil {
		g.index = map[K]int{}
	}
	i := len(g.keys)
	g.index[k] = i
	g.keys = append(g.keys, k)
	g.needs = append(g.needs, nil)
	g.dependents = append(g.dependents, nil)
	return i
}

// Has reports whether k is a node.
func (g *Graph[K]) Has(k K) bool {
	_, ok := g.index[k]
	return ok
}

// Nodes returns all nodes in the order of their addition.
func (g *Graph[K]) Nodes() []K { return slices.Clone(g.keys) }

// Needs returns the direct dependencies of k in the order in which the nodes were added.
func (g *Graph[K]) Needs(k K) []K {
	i, ok := g.index[k]
	if !ok {
		return nil
	}
	return g.keysOf(slices.Compact(slices.Sorted(slices.Values(g.needs[i]))))
}

func (g *Graph[K]) keysOf(nodes []int) []K {
	keys := make([]K, len(nodes))
	for i, n := range nodes {
		keys[i] = g.keys[n]
	}
	return keys
}

// Sort returns all nodes, each after everything that it needs. It fails with a *CycleError.
func (g *Graph[K]) Sort() ([]K, error) {
	order, err := g.sort()
	return g.keysOf(order), err
}

func (g *Graph[K]) sort() ([]int, error) {
	order := make([]int, 0, len(g.keys))
	f := g.newFrontier()
	for f.ready.Len() > 0 {
		n := f.popReady()
		order = append(order, n)
		f.markDone(n)
	}
	if len(order) < len(g.keys) {
		unmet := func(n int) bool { return f.unmet[n] > 0 }
		return nil, &CycleError[K]{Path: g.findCycle(slices.IndexFunc(f.unmet, func(n int) bool { return n > 0 }), unmet)}
	}
	return order, nil
}

// frontier is the state of a traversal: the number of unmet needs of each node, and the nodes
// without any.
type frontier struct {
	unmet      []int
	ready      intHeap
	dependents [][]int
}

func (g *Graph[K]) newFrontier() *frontier {
	f := &frontier{unmet: make([]int, len(g.keys)), dependents: g.dependents}
	for n, needs := range g.needs {
		if f.unmet[n] = len(needs); f.unmet[n] == 0 {
			f.ready = append(f.ready, n) // ascending, so already a heap
		}
	}
	return f
}

func (f *frontier) popReady() int { return heap.Pop(&f.ready).(int) }

// markDone counts n as met for its dependents.
func (f *frontier) markDone(n int) {
	for _, d := range f.dependents[n] {
		if f.unmet[d]--; f.unmet[d] == 0 {
			heap.Push(&f.ready, d)
		}
	}
}

type intHeap []int

func (h intHeap) Len() int           { return len(h) }
func (h intHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h intHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *intHeap) Push(n any)        { *h = append(*h, n.(int)) }
func (h *intHeap) Pop() any {
	last := len(*h) - 1
	n := (*h)[last]
	*h = (*h)[:last]
	return n
}
