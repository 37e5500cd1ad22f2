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

// cycleError returns the error for changes that wait for each other. Only changes and the blocks
// that they depend on are named in it.
func cycleError(err error, at map[addr.Instance]*Change) error {
	var ce *graph.CycleError[addr.Instance]
	if !errors.As(err, &ce) {
		return err
	}
	isBarrier := func(a addr.Instance) bool { return at[a] == nil && a.Elem != "" }
	path := slices.DeleteFunc(slices.Clone(ce.Path[:len(ce.Path)-1]), isBarrier)
	path = append(path, path[0]) // every cycle has a change, because barriers only wait for changes
	if takes := namesTaken(path, at); len(takes) == len(path)-1 {
		return fmt.Errorf("these changes exchange names: %s. Hosts cannot exchange names: give one object a temporary "+
			"name, apply, then give it its final name", strings.Join(takes, ", "))
	}
	steps := make([]string, len(path))
	for i, a := range path {
		steps[i] = a.String()
	}
	return fmt.Errorf("these changes depend on each other: %s. Remove one reference or depends_on to break the "+
		"cycle", strings.Join(steps, " -> "))
}

// namesTaken returns which change of a cycle takes a name from the next one, with one text for each
// such change.
func namesTaken(path []addr.Instance, at map[addr.Instance]*Change) (takes []string) {
	for i, a := range path[:len(path)-1] {
		c, next := at[a], at[path[i+1]]
		if c == nil || next == nil {
			continue
		}
		if n, ok := c.nameFrom(next); ok {
			takes = append(takes, fmt.Sprintf("%s takes %s from %s", c.position(), c.Describe(n), next.Addr))
		}
	}
	return takes
}

// nameFrom returns a name that the change takes and another frees: in its collection, or else along
// a tree of groups.
func (c *Change) nameFrom(other *Change) (Name, bool) {
	freed := other.Frees()
	for _, n := range c.Takes() {
		if slices.Contains(freed, n) {
			return n, true // a path and the name that follows it are one reason
		}
	}
	for _, n := range c.AncestryTaken() {
		if slices.ContainsFunc(other.AncestryFreed(), n.Collides) {
			return n.Within(), true
		}
	}
	return Name{}, false
}

// position returns the address of the change, with its file and line if it has one.
func (c *Change) position() string {
	if c.Decl == nil {
		return c.Addr.String()
	}
	return fmt.Sprintf("%s (%s)", c.Addr, config.FormatRange(*c.Decl))
}
