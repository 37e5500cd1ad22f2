package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/graph"
	"hew/schema"
)

// Order returns the graph in which the changes are applied. An edge leads from a change to each
// change that it waits for. Objects without a change are in the graph too, so that their dependents
// keep their position.
//
// The edges follow six rules. A change waits for what its values refer to. Children are deleted
// before their owner. A deposed object is deleted after its replacement is created and everything
// that refers to it is updated. A name is freed before it is taken. An object moves out of a group
// before the group is deleted. In each list of members, members are
// added and promoted before others are removed and demoted, and the token's own user is removed
// last of all changes.
func Order(changes []Change, self schema.Self) (*graph.Graph[addr.Instance], error) {
	g := new(graph.Graph[addr.Instance])
	at := make(map[addr.Instance]*Change, len(changes))
	for i := range changes {
		at[changes[i].Addr] = &changes[i]
		g.AddNode(changes[i].Addr)
	}
	blocks := byBlock(changes)
	going := deletions(changes)
	for i := range changes {
		switch c := &changes[i]; {
		case c.Within() != addr.Instance{}:
			g.AddEdge(c.Addr, c.Within()) // removed from the ledger after its owner is deleted
		case c.Action == Delete:
			deletionEdges(g, at, going, c)
		default:
			needEdges(g, at, blocks, c)
		}
	}
	successorEdges(g, changes)
	nameEdges(g, changes)
	alongEdges(g, changes)
	moveOutEdges(g, changes)
	memberEdges(g, changes, self)
	selfEdges(g, changes, self)
	if _, err := g.Sort(); err != nil {
		return nil, cycleError(err, at)
	}
	return g, nil
}

// needEdges makes a change wait for what its values refer to and for its depends_on.
func needEdges(g *graph.Graph[addr.Instance], at map[addr.Instance]*Change, blocks map[addr.Block][]addr.Instance,
	c *Change) {
	for _, need := range c.Needs {
		if n := at[need]; n != nil && n != c && n.Action != Delete {
			g.AddEdge(c.Addr, need)
		}
	}
	if c.Desired() == nil {
		return
	}
	for _, b := range slices.Concat(c.Desired().DeferUntil, c.Desired().DependsOnBlocks) {
		addBlockEdge(g, blocks[b], c.Addr, addr.Instance{Block: b})
	}
	for _, t := range c.Desired().Triggers {
		for _, by := range blocks[t.Addr.Block] {
			if by != c.Addr && t.Addr.Contains(by) {
				g.AddEdge(c.Addr, by)
			}
		}
	}
}

// addBlockEdge makes a wait for all instances of a block. One node stands for them all, which keeps
// the number of edges linear.
func addBlockEdge(g *graph.Graph[addr.Instance], instances []addr.Instance, a, all addr.Instance) {
	if len(instances) == 0 || all == a {
		return
	}
	if !g.Has(all) {
		for _, i := range instances {
			g.AddEdge(all, i)
		}
	}
	g.AddEdge(a, all)
}

func byBlock(changes []Change) map[addr.Block][]addr.Instance {
	m := map[addr.Block][]addr.Instance{}
	for i := range changes {
		if changes[i].Desired() != nil {
			b := changes[i].Addr.Block
			m[b] = append(m[b], changes[i].Addr)
		}
	}
	return m
}

// deletions groups the removed objects in the ledger by block.
func deletions(changes []Change) map[addr.Block][]addr.Instance {
	m := map[addr.Block][]addr.Instance{}
	for i := range changes {
		if c := &changes[i]; c.Removes() && c.Entry != nil {
			m[c.Addr.Block] = append(m[c.Addr.Block], c.Addr)
		}
	}
	return m
}

// deletionEdges reverses the dependencies in the ledger: whatever c needed is deleted or replaced
// after c.
func deletionEdges(g *graph.Graph[addr.Instance], at map[addr.Instance]*Change, going map[addr.Block][]addr.Instance,
	c *Change) {
	if c.Entry == nil {
		return
	}
	for _, need := range c.Entry.DependsOn {
		n := at[need]
		switch {
		case n == c:
		case n != nil && n.Action == Replace && c.Successor() != (addr.Instance{}):
			// c waits for its successor, which waits for n
		case n != nil && n.Removes():
			g.AddEdge(need, c.Addr)
		case n == nil && need.Key == "" && need.Block != c.Addr.Block && len(going[need.Block]) > 0:
			first := addr.Instance{Block: need.Block, Elem: "first what needs it"}
			if !g.Has(first) {
				for _, i := range going[need.Block] {
					g.AddEdge(i, first)
				}
			}
			g.AddEdge(first, c.Addr)
		}
	}
}

// successorEdges makes a deposed object wait for its replacement and for everything that refers to
// it.
func successorEdges(g *graph.Graph[addr.Instance], changes []Change) {
	users := map[addr.Instance][]addr.Instance{}
	whole := map[addr.Block][]addr.Instance{}
	for i := range changes {
		c := &changes[i]
		if c.Desired() == nil {
			continue
		}
		for _, need := range c.Needs {
			users[need] = append(users[need], c.Addr)
		}
		for _, b := range slices.Concat(c.Desired().DeferUntil, c.Desired().DependsOnBlocks) {
			whole[b] = append(whole[b], c.Addr)
		}
	}
	for i := range changes {
		c := &changes[i]
		if c.Successor() == (addr.Instance{}) || c.Action != Delete {
			continue
		}
		g.AddEdge(c.Addr, c.Successor())
		for _, user := range slices.Concat(users[c.Successor()], whole[c.Successor().Block]) {
			g.AddEdge(c.Addr, user)
		}
	}
}

func cycleError(err error, at map[addr.Instance]*Change) error {
	var ce *graph.CycleError[addr.Instance]
	if !errors.As(err, &ce) {
		return err
	}
	steps := make([]string, len(ce.Path))
	var takes []string
	for i, a := range ce.Path {
		steps[i] = a.String()
		c := at[a]
		if c == nil || i == len(ce.Path)-1 {
			continue
		}
		for _, n := range c.Takes() {
			if next := at[ce.Path[i+1]]; next != nil && slices.Contains(next.Frees(), n) {
				takes = append(takes, fmt.Sprintf("%s takes %s from %s", c.position(), c.Describe(n), next.Addr))
				break // a path and the name that follows it are one reason
			}
		}
	}
	if len(takes) == len(steps)-1 {
		return fmt.Errorf("these changes exchange names: %s. Hosts cannot exchange names: give one object a temporary "+
			"name, apply, then give it its final name", strings.Join(takes, ", "))
	}
	return fmt.Errorf("these changes depend on each other: %s. Remove one reference or depends_on to break the "+
		"cycle", strings.Join(steps, " -> "))
}

// position returns the address of the change, with its file and line if it has one.
func (c *Change) position() string {
	if c.Decl == nil {
		return c.Addr.String()
	}
	return fmt.Sprintf("%s (%s)", c.Addr, config.FormatRange(*c.Decl))
}
