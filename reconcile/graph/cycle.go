package graph

import (
	"fmt"
	"slices"
	"strings"
)

// Cycle is a set of nodes that all depend on each other.
type Cycle[K comparable] struct {
	Nodes []K // in the order of their addition
	Path  []K // one way around: each node needs the next; the last equals the first
}

// Cycles returns all cycles, the one with the node that was added first comes first. No node is in
// two of them.
func (g *Graph[K]) Cycles() (cycles []Cycle[K]) {
	f := g.newFrontier()
	for f.ready.Len() > 0 {
		f.markDone(f.popReady())
	}
	c := components{needs: g.needs, unmet: f.unmet, index: map[int]int{}, low: map[int]int{}, open: map[int]bool{}}
	for n := range g.keys {
		c.visit(n)
	}
	for _, nodes := range c.found {
		slices.Sort(nodes)
		inside := make(map[int]bool, len(nodes))
		for _, n := range nodes {
			inside[n] = true
		}
		path := g.findCycle(nodes[0], func(n int) bool { return inside[n] })
		cycles = append(cycles, Cycle[K]{g.keysOf(nodes), path})
	}
	slices.SortFunc(cycles, func(a, b Cycle[K]) int { return g.index[a.Nodes[0]] - g.index[b.Nodes[0]] })
	return cycles
}

// components finds the strongly connected components that have a cycle, as Tarjan does.
type components struct {
	needs [][]int
	unmet []int // by node; a node without any is in no cycle

	index, low map[int]int
	stack      []int
	open       map[int]bool // on the stack
	found      [][]int
}

func (c *components) visit(n int) {
	if _, seen := c.index[n]; seen || c.unmet[n] == 0 {
		return
	}
	c.index[n], c.low[n], c.open[n] = len(c.index), len(c.index), true
	c.stack = append(c.stack, n)
	for _, need := range c.needs[n] {
		_, seen := c.index[need]
		c.visit(need)
		switch {
		case c.unmet[need] == 0:
		case !seen:
			c.low[n] = min(c.low[n], c.low[need])
		case c.open[need]:
			c.low[n] = min(c.low[n], c.index[need])
		}
	}
	if c.low[n] != c.index[n] {
		return
	}
	at := len(c.stack)
	for c.open[n] {
		at--
		c.open[c.stack[at]] = false
	}
	nodes := slices.Clone(c.stack[at:])
	c.stack = c.stack[:at]
	if len(nodes) > 1 || slices.Contains(c.needs[n], n) {
		c.found = append(c.found, nodes)
	}
}

// findCycle returns a cycle of nodes, beginning the search at one of them. Each of them must need
// another of them, so following the needs comes back to a node.
func (g *Graph[K]) findCycle(at int, within func(int) bool) []K {
	seen, path := map[int]int{}, []int{}
	for {
		if start, ok := seen[at]; ok {
			return g.keysOf(append(path[start:], at))
		}
		seen[at] = len(path)
		path = append(path, at)
		at = g.needs[at][slices.IndexFunc(g.needs[at], within)]
	}
}

// CycleError reports nodes that depend on each other.
type CycleError[K comparable] struct {
	Path []K // each node needs the next; the last equals the first
}

// Error prints the cycle: "a -> b -> a".
func (e *CycleError[K]) Error() string {
	names := make([]string, len(e.Path))
	for i, k := range e.Path {
		names[i] = fmt.Sprint(k)
	}
	return "dependency cycle: " + strings.Join(names, " -> ")
}
