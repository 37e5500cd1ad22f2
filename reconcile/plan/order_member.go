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
		var come, leave []*Change
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
					leave = append(leave, c)
				}
			case c.Action == Delete || c.lowersLevel():
				leave = append(leave, c)
			case c.Action == Create || c.Kind.Weight(c.After) > c.levelBefore():
				come = append(come, c)
			}
		}
		addMembersFirst(g, come, leave)
	}
}

// addMembersFirst makes the changes that take something wait for those that give something, except
// for those that wait for a membership to end. One node stands for all of them, which keeps the
// number of edges linear.
func addMembersFirst(g *graph.Graph[addr.Instance], come, leave []*Change) {
	freed := map[Name]bool{}
	for _, c := range leave {
		for _, n := range c.Frees() {
			freed[n] = true
		}
	}
	come = slices.DeleteFunc(come, func(c *Change) bool {
		return slices.ContainsFunc(c.Takes(), func(n Name) bool { return freed[n] })
	})
	if len(come) == 0 || len(leave) == 0 {
		return
	}
	added := addr.Instance{Block: addr.Block{Kind: "members"}, Elem: "added to " + come[0].Collection.Path + " of " +
		come[0].Owner}
	for _, c := range come {
		g.AddEdge(added, c.Addr)
	}
	for _, c := range leave {
		g.AddEdge(c.Addr, added)
	}
}

// lowersLevel reports whether the change lowers an access level.
func (c *Change) lowersLevel() bool {
	return (c.CreatorMembership() || c.Before.Kind != nil) && c.After.Kind != nil &&
		c.Kind.Weight(c.After) < c.levelBefore()
}
