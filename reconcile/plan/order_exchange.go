package plan

import (
	"errors"
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/graph"
	"hew/schema"
)

// NameCycles returns the cycles of changes that take names from each other. Each change is in one
// cycle at most.
func NameCycles(changes []Change) (cycles [][]*Change) {
	rest := changes
	for {
		g := new(graph.Graph[addr.Instance])
		nameEdges(g, rest)
		_, err := g.Sort()
		var cycle *graph.CycleError[addr.Instance]
		if !errors.As(err, &cycle) {
			return cycles
		}
		var members []*Change
		for i := range changes {
			if slices.Contains(cycle.Path, changes[i].Addr) {
				members = append(members, &changes[i])
			}
		}
		cycles = append(cycles, members)
		rest = slices.DeleteFunc(slices.Clone(rest), func(c Change) bool { return slices.Contains(cycle.Path, c.Addr) })
	}
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
