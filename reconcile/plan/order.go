package plan

import (
	"errors"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/graph"
	"hew/schema"
)

// Order returns the graph in which the changes are applied. An edge leads from a change to each
// change that it waits for. Objects without a change are in the graph too, so that their dependents
// keep their position.
//
// The edges follow these rules, one function each:
//   - needEdges: a change waits for what its values refer to.
//   - deletionEdges: children are deleted before their owner.
//   - successorEdges: a deposed object is deleted after its replacement is created and everything
//     that refers to it is updated.
//   - nameEdges, ancestryEdges: a name is freed before it is taken, in a collection and in the
//     groups above and below.
//   - moveOutEdges: an object moves out of a group before the group is deleted.
//   - memberEdges: in each list of members, members are added and promoted before others are
//     removed and demoted.
//   - selfEdges: the token's own user is removed last of all changes.
func Order(changes []Change, self schema.Self) (*graph.Graph[addr.Instance], error) {
	g, at := orderGraph(changes, self)
	if _, err := g.Sort(); err != nil {
		var texts []string
		for _, c := range cyclesIn(g, at) {
			texts = append(texts, c.String())
		}
		return nil, errors.New(strings.Join(texts, "\n"))
	}
	return g, nil
}

// orderGraph returns the graph of Order, which may have cycles, and the changes by address.
func orderGraph(changes []Change, self schema.Self) (*graph.Graph[addr.Instance], map[addr.Instance]*Change) {
	g := new(graph.Graph[addr.Instance])
	at := make(map[addr.Instance]*Change, len(changes))
	for i := range changes {
		at[changes[i].Addr] = &changes[i]
		g.AddNode(changes[i].Addr)
	}
	blocks := byBlock(changes)
	removals := deletions(changes)
	for i := range changes {
		switch c := &changes[i]; {
		case c.Within() != addr.Instance{}:
			g.AddEdge(c.Addr, c.Within()) // removed from the ledger after its owner is deleted
		case c.Action == Delete:
			deletionEdges(g, at, removals, c)
		default:
			needEdges(g, at, blocks, c)
		}
	}
	successorEdges(g, changes)
	nameEdges(g, changes)
	ancestryEdges(g, changes)
	moveOutEdges(g, changes)
	memberEdges(g, changes, self)
	selfEdges(g, changes, self)
	return g, at
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

// addBlockEdge makes a wait for all instances of a block. The node block stands for them all, which
// keeps the number of edges linear.
func addBlockEdge(g *graph.Graph[addr.Instance], instances []addr.Instance, a, block addr.Instance) {
	if len(instances) == 0 || block == a {
		return
	}
	if !g.Has(block) {
		for _, i := range instances {
			g.AddEdge(block, i)
		}
	}
	g.AddEdge(a, block)
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
func deletionEdges(g *graph.Graph[addr.Instance], at map[addr.Instance]*Change, removals map[addr.Block][]addr.Instance,
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
		case n == nil && need.Key == "" && need.Block != c.Addr.Block && len(removals[need.Block]) > 0:
			first := barrier(need.Block, "deletions of what needs it")
			if !g.Has(first) {
				for _, i := range removals[need.Block] {
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

// barrier returns the address of a node that stands for the changes that others wait for, which
// keeps the number of edges linear. Messages leave it out.
func barrier(b addr.Block, changes string) addr.Instance {
	return addr.Instance{Block: b, Elem: changes}
}
