package plan

import (
	"maps"

	"hew/reconcile/addr"
	"hew/reconcile/graph"
	"hew/schema"
)

// selfEdges orders changes that take access from the token's own user after all others, because the
// run may need that access. Only changes that depend on them come later. An administrator keeps
// access anyway.
func selfEdges(g *graph.Graph[addr.Instance], changes []Change, self schema.Self) {
	leaving := map[addr.Instance]bool{}
	for i := range changes {
		if c := &changes[i]; c.Kind.LevelAttr() != "" && c.Within() == (addr.Instance{}) && c.weakensSelf(self) {
			leaving[c.Addr] = true
		}
	}
	if self.Admin || len(leaving) == 0 {
		return
	}
	order, err := g.Sort()
	if err != nil {
		return // Order reports the cycle
	}
	after := maps.Clone(leaving)
	rest := barrier(addr.Block{}, "all other changes")
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

// weakensSelf reports whether a change takes access from the token's own user.
func (c *Change) weakensSelf(self schema.Self) bool {
	return self.ID != "" && c.Changes() && c.member() == self.ID && (c.Removes() || c.lowersLevel())
}
