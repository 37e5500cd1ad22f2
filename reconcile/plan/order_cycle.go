package plan

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/graph"
	"hew/schema"
)

// Cycle is a set of changes that wait for each other.
type Cycle struct {
	Changes []*Change // in the order of the plan
	path    []addr.Instance
	takes   []string // which change takes a name from which, if that is the whole cycle
}

// Cycles returns the cycles among changes. No change is in two of them.
func Cycles(changes []Change, self schema.Self) []Cycle {
	g, at := orderGraph(changes, self)
	if _, err := g.Sort(); err == nil {
		return nil
	}
	return cyclesIn(g, at)
}

func cyclesIn(g *graph.Graph[addr.Instance], at map[addr.Instance]*Change) (cycles []Cycle) {
	for _, found := range g.Cycles() {
		// Every cycle has a change, because barriers only wait for changes.
		isBarrier := func(a addr.Instance) bool { return at[a] == nil && a.Elem != "" }
		path := slices.DeleteFunc(found.Path[:len(found.Path)-1], isBarrier)
		c := Cycle{path: append(path, path[0])}
		for _, a := range found.Nodes {
			if at[a] != nil {
				c.Changes = append(c.Changes, at[a])
			}
		}
		if takes := namesTaken(c.path, at); len(takes) == len(path) {
			c.takes = takes
		}
		cycles = append(cycles, c)
	}
	return cycles
}

// ExchangesNames reports whether the changes wait for each other only because each takes a name
// from the next.
func (c Cycle) ExchangesNames() bool { return c.takes != nil }

// String says why the changes cannot be ordered, and what to do. Only changes and the blocks that
// they depend on are named in it.
func (c Cycle) String() string {
	if c.takes != nil {
		return fmt.Sprintf("these changes exchange names: %s. Hosts cannot exchange names: give one object a temporary "+
			"name, apply, then give it its final name", strings.Join(c.takes, ", "))
	}
	steps := make([]string, len(c.path))
	for i, a := range c.path {
		steps[i] = a.String()
	}
	return fmt.Sprintf("these changes depend on each other: %s. Remove one reference or depends_on to break the "+
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

// UndoesRename reports whether the change gives the object a name back that somebody changed by
// hand.
func (c *Change) UndoesRename() bool {
	return slices.ContainsFunc(c.Paths, func(p PathChange) bool { return p.Cause == ByDrift && c.names(p.Attr.Name) })
}

// names reports whether an attribute is a part of the names of the object.
func (c *Change) names(attr string) bool {
	if t := c.Kind.Tree; t != nil && (attr == t.Segment || attr == t.Owner) {
		return true
	}
	return slices.ContainsFunc(c.Kind.Unique, func(u schema.Unique) bool { return slices.Contains(u.Attrs, attr) })
}
