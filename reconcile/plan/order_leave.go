package plan

import (
	"maps"

	"hew/reconcile/addr"
	"hew/reconcile/graph"
	"hew/schema"
)

// leaveEdges orders what takes from the token's own user after all else, for that
// may take it; only what waits for the loss itself comes after it. An
// administrator may do the rest anyway.
func leaveEdges(g *graph.Graph[addr.Instance], changes []Change, self schema.Self) {
	leaving := map[addr.Instance]bool{}
	for i := range changes {
		if c := &changes[i]; c.Kind.LevelAttr() != "" && c.Within() == (addr.Instance{}) && c.leaves(self) {
			leaving[c.Addr] = true
		}
	}
	if self.Admin || len(leaving) == 0 {
		return
	}
	order, err := g.Sort()
	if err != nil {
		return // which is told of the whole
	}
	after := maps.Clone(leaving)
	rest := addr.Instance{Elem: "all else"}
	for _, a := range order {
		for _, need := range g.Needs(a) {
			after[a] = after[a] || after[need]
		}
		if !after[a] {
			g.AddEdge(rest, a)
		}
	}
	for i := range changes {
		if a := changes[i].Addr; leaving[a] && g.Has(rest) {
			g.AddEdge(a, rest)
		}
	}
}

// leaves reports whether a change takes from the token's own user.
func (c *Change) leaves(self schema.Self) bool {
	return self.ID != "" && c.Changes() && c.member() == self.ID && (c.Removes() || c.lowers())
}
