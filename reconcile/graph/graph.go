// Package graph orders things by what they need, and walks them in that order,
// several at a time. It knows nothing of what the things are: addresses,
// changes, blocks. All results are deterministic; where the needs leave a
// choice, what was added first comes first.
package graph

import (
	"container/heap"
	"fmt"
	"slices"
	"strings"
)

// Graph is a directed graph of distinct keys. The zero value is empty and ready
// for use. Readers may share it; it must not change meanwhile.
type Graph[K comparable] struct {
	index      map[K]int
	keys       []K
	needs      [][]int // by node: what must come before it
	dependents [][]int // by node: what must come after it
}

// AddNode adds k unless it is there. The order of first additions is the
// priority among nodes whose needs are met.
func (g *Graph[K]) AddNode(k K) { g.node(k) }

// AddEdge states that k needs need, which must come first. Both are added where
// missing. Stating an edge twice does no harm.
func (g *Graph[K]) AddEdge(k, need K) {
	from, to := g.node(k), g.node(need)
	g.needs[from] = append(g.needs[from], to)
	g.dependents[to] = append(g.dependents[to], from)
}

func (g *Graph[K]) node(k K) int {
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

// Has tells whether k is a node.
func (g *Graph[K]) Has(k K) bool {
	_, ok := g.index[k]
	return ok
}

// Nodes returns all nodes in the order of their addition.
func (g *Graph[K]) Nodes() []K { return slices.Clone(g.keys) }

// Needs returns what k needs directly, in the order of addition, each once.
func (g *Graph[K]) Needs(k K) []K {
	i, ok := g.index[k]
	if !ok {
		return nil
	}
	return g.named(slices.Compact(slices.Sorted(slices.Values(g.needs[i]))))
}

func (g *Graph[K]) named(nodes []int) []K {
	keys := make([]K, len(nodes))
	for i, n := range nodes {
		keys[i] = g.keys[n]
	}
	return keys
}

// Sort returns all nodes, each after everything that it needs. The error is a
// *CycleError.
func (g *Graph[K]) Sort() ([]K, error) {
	order, err := g.sort()
	return g.named(order), err
}

func (g *Graph[K]) sort() ([]int, error) {
	order := make([]int, 0, len(g.keys))
	f := g.frontier()
	for f.ready.Len() > 0 {
		n := f.next()
		order = append(order, n)
		f.met(n)
	}
	if len(order) < len(g.keys) {
		return nil, &CycleError[K]{Path: g.cycle(f.unmet)}
	}
	return order, nil
}

// cycle finds a circle among the nodes that sorting could not reach. Each of
// them has an unmet need among them, so following those must come back.
func (g *Graph[K]) cycle(unmet []int) []K {
	at := slices.IndexFunc(unmet, func(n int) bool { return n > 0 })
	seen, path := map[int]int{}, []int{}
	for {
		if start, ok := seen[at]; ok {
			return g.named(append(path[start:], at))
		}
		seen[at] = len(path)
		path = append(path, at)
		next := slices.IndexFunc(g.needs[at], func(n int) bool { return unmet[n] > 0 })
		at = g.needs[at][next]
	}
}

// CycleError tells of nodes that need each other.
type CycleError[K comparable] struct {
	Path []K // each needs the next; the last is the first again
}

// Error prints the circle: "a -> b -> a".
func (e *CycleError[K]) Error() string {
	names := make([]string, len(e.Path))
	for i, k := range e.Path {
		names[i] = fmt.Sprint(k)
	}
	return "these need each other, so none can come first: " + strings.Join(names, " -> ")
}

// frontier is the state of a traversal: how many needs of each node are not met
// yet, and the nodes that wait for nothing.
type frontier struct {
	unmet      []int
	ready      smallestFirst
	dependents [][]int
}

func (g *Graph[K]) frontier() *frontier {
	f := &frontier{unmet: make([]int, len(g.keys)), dependents: g.dependents}
	for n, needs := range g.needs {
		if f.unmet[n] = len(needs); f.unmet[n] == 0 {
			f.ready = append(f.ready, n) // ascending, so already a heap
		}
	}
	return f
}

func (f *frontier) next() int { return heap.Pop(&f.ready).(int) }

// met tells the dependents of n that it is done.
func (f *frontier) met(n int) {
	for _, d := range f.dependents[n] {
		if f.unmet[d]--; f.unmet[d] == 0 {
			heap.Push(&f.ready, d)
		}
	}
}

type smallestFirst []int

func (h smallestFirst) Len() int           { return len(h) }
func (h smallestFirst) Less(i, j int) bool { return h[i] < h[j] }
func (h smallestFirst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *smallestFirst) Push(n any)        { *h = append(*h, n.(int)) }
func (h *smallestFirst) Pop() any {
	last := len(*h) - 1
	n := (*h)[last]
	*h = (*h)[:last]
	return n
}
