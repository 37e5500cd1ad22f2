package plan

import (
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/graph"
	"hew/schema"
)

// memberEdges orders each list of members: others are removed and demoted after members are added
// and promoted, so that an interrupted run leaves too many rather than too few, and the token's own
// user comes after everybody else. A replaced membership is removed and added in one change; it
// waits for new owners if it ends an ownership.
func memberEdges(g *graph.Graph[addr.Instance], changes []Change, self schema.Self) {
	all := make([]*Change, 0, len(changes))
	for i := range changes {
		if changes[i].Changes() {
			all = append(all, &changes[i])
		}
	}
	for _, m := range memberships(all) {
		var additions, removals []*Change
		for _, c := range m.changes {
			switch {
			case c.weakensSelf(self):
				for _, first := range m.changes {
					if first != c {
						g.AddEdge(c.Addr, first.Addr)
					}
				}
			case c.Action == Replace:
				if c.endsOwnership() {
					removals = append(removals, c)
				}
			case c.Action == Delete || c.lowersLevel():
				removals = append(removals, c)
			case c.Action == Create || c.Kind.Weight(c.After) > c.levelBefore():
				additions = append(additions, c)
			}
		}
		addMembersFirst(g, additions, removals)
	}
}

// addMembersFirst makes the changes that take something wait for those that give something, except
// for those that wait for a membership to end.
func addMembersFirst(g *graph.Graph[addr.Instance], additions, removals []*Change) {
	freed := map[Name]bool{}
	for _, c := range removals {
		for _, n := range c.Frees() {
			freed[n] = true
		}
	}
	additions = slices.DeleteFunc(additions, func(c *Change) bool {
		return slices.ContainsFunc(c.Takes(), func(n Name) bool { return freed[n] })
	})
	if len(additions) == 0 || len(removals) == 0 {
		return
	}
	added := barrier(addr.Block{Kind: "members"}, "added to "+additions[0].Collection.Path+" of "+additions[0].Owner)
	for _, c := range additions {
		g.AddEdge(added, c.Addr)
	}
	for _, c := range removals {
		g.AddEdge(c.Addr, added)
	}
}

// lowersLevel reports whether the change lowers an access level.
func (c *Change) lowersLevel() bool {
	return (c.CreatorMembership() || c.Before.Kind != nil) && c.After.Kind != nil &&
		c.Kind.Weight(c.After) < c.levelBefore()
}
