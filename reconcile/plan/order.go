package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/graph"
	"hew/schema"
)

// Order returns the graph in which the changes are applied: an edge from a
// change to each change it has to wait for. Objects without a change are in it
// too, so that what depends on them keeps its place.
//
// Six rules make the edges: what a value comes from; children go before their
// owner on deletion; what is superseded goes once its successor is there and all
// that refer to it know; what frees a path comes before what takes it; what moves
// out of something does so before that goes; and in one membership nobody stops
// owning it before the next owner is in, the token's own user last of all, and of
// all that is done.
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
			g.AddEdge(c.Addr, c.Within()) // forgotten once its owner is gone
		case c.Action == Delete:
			deletionEdges(g, at, going, c)
		default:
			needEdges(g, at, blocks, c)
		}
	}
	successorEdges(g, changes)
	pathEdges(g, changes)
	escapeEdges(g, changes)
	memberEdges(g, changes, self)
	leaveEdges(g, changes, self)
	if _, err := g.Sort(); err != nil {
		return nil, cycleError(err, at)
	}
	return g, nil
}

// needEdges makes a change wait for what its values come from, and for the blocks
// that it names.
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
	for _, b := range slices.Concat(c.Desired().Defer, c.Desired().After) {
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

// addBlockEdge makes a wait for all instances of a block: they are one node to
// thousands of others that wait for them.
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

// deletions groups what goes by block.
func deletions(changes []Change) map[addr.Block][]addr.Instance {
	m := map[addr.Block][]addr.Instance{}
	for i := range changes {
		if c := &changes[i]; c.Removes() && c.Entry != nil {
			m[c.Addr.Block] = append(m[c.Addr.Block], c.Addr)
		}
	}
	return m
}

// deletionEdges turns what the ledger remembers round: whatever c needed, an
// instance or a whole block, goes after c, or is replaced after c.
func deletionEdges(g *graph.Graph[addr.Instance], at map[addr.Instance]*Change, going map[addr.Block][]addr.Instance,
	c *Change) {
	if c.Entry == nil {
		return
	}
	for _, need := range c.Entry.Needs {
		n := at[need]
		switch {
		case n == c:
		case n != nil && n.Action == Replace && c.Successor() != (addr.Instance{}):
			// it waits for its successor, which needs that
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

// successorEdges makes what is superseded wait for the object in its place, and
// for whatever refers to that.
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
		for _, b := range slices.Concat(c.Desired().Defer, c.Desired().After) {
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

// memberEdges orders each membership: an owner goes only after new owners came,
// and the token's own user after everybody else.
func memberEdges(g *graph.Graph[addr.Instance], changes []Change, self schema.Self) {
	all := make([]*Change, 0, len(changes))
	for i := range changes {
		if changes[i].Changes() {
			all = append(all, &changes[i])
		}
	}
	for _, m := range memberships(all) {
		var come, leave []*Change
		for _, c := range m.changes {
			switch {
			case c.leaves(self):
				for _, first := range m.changes {
					if first != c {
						g.AddEdge(c.Addr, first.Addr)
					}
				}
			case c.disowns():
				leave = append(leave, c)
			case c.Kind.OwnerLevel() > 0 && c.Kind.Weight(c.After) >= c.Kind.OwnerLevel():
				come = append(come, c)
			}
		}
		for _, c := range leave {
			for _, first := range come {
				g.AddEdge(c.Addr, first.Addr)
			}
		}
	}
}

func (c *Change) lowers() bool {
	return (c.Founder() || c.Before.Kind != nil) && c.After.Kind != nil && c.Kind.Weight(c.After) < c.weighed()
}

func cycleError(err error, at map[addr.Instance]*Change) error {
	var ce *graph.CycleError[addr.Instance]
	if !errors.As(err, &ce) {
		return err
	}
	steps := make([]string, len(ce.Path))
	swap := false
	for i, a := range ce.Path {
		steps[i] = a.String()
		if c := at[a]; c != nil && c.Kind.Tree != nil && c.Path(c.Before) != c.Path(c.After) {
			swap = true
		}
	}
	path := strings.Join(steps, " -> ")
	if swap {
		return fmt.Errorf("paths change hands in a circle: %s. The host cannot swap two paths; rename one of them to "+
			"a third path, apply, and then to its final one", path)
	}
	return fmt.Errorf("these changes wait for each other: %s. Break the circle by taking one reference or depends_on "+
		"away", path)
}
