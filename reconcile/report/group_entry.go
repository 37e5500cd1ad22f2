package report

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

// summarize makes the item of a group of what its members have in common.
func (g *Group) summarize() {
	first := &g.Members[0]
	c := &first.Changes[0]
	name := fmt.Sprintf("%d × %s", len(g.Members), blockKind(c))
	g.Item = Item{Sign: first.Sign, Name: name, Title: first.Title, Cause: first.Cause}
	for i := range g.Members[1:] {
		m := &g.Members[i+1]
		if m.Title != first.Title {
			g.Title = commonTitle(c)
		}
		if m.Cause != first.Cause {
			g.Cause = untraced(c, first.Cause)
		}
	}
	if c.Set != "" {
		changes := g.Changes()
		g.Title, g.Rows = prose.Count(len(changes), c.noun()), g.elementRows()
		if signs := SignsOf(changes); signs[g.Sign] < len(changes) {
			g.Title += ": " + signs.String()
		}
	} else {
		g.Rows = g.commonRows()
	}
	g.Note = g.sumNotes()
	g.sumUndo()
	g.list()
}

// sumUndo sets the remedy and the place of a group from those of its members.
func (g *Group) sumUndo() {
	first := &g.Members[0]
	if g.Undo = first.Undo; g.Undo == "" {
		return
	}
	g.Place = first.Place
	for i := range g.Members {
		if g.Members[i].Undo != g.Undo {
			g.Undo = "hew apply undoes all of them" + describeStops(g.Changes()) + "."
		}
		if g.Members[i].Place != g.Place {
			g.Place = ""
		}
	}
}

// Entries returns a row for each deletion in a group, the highest access levels first. Without
// deletions it returns a row for every member.
func (g *Group) Entries() (all []Row) {
	weight := map[string]int{}
	for i := range g.Members {
		m := &g.Members[i]
		if g.Danger != Removes && g.Danger != DeletedByHand || m.Changes[0].Set == "" {
			all = append(all, Row{Sign: m.Sign, Name: m.Name, Was: m.Was(), difference: difference{Value: m.Title}})
			weight[m.Name] = m.Changes[0].removedWeight()
			continue
		}
		for j := range m.Changes {
			if c := &m.Changes[j]; c.danger() == g.Danger {
				r := Row{Sign: c.Sign(), Name: prose.Clean(c.Address), difference: difference{Value: c.Brief}}
				all = append(all, r)
				weight[r.Name] = c.removedWeight()
			}
		}
	}
	slices.SortStableFunc(all, func(x, y Row) int { return weight[y.Name] - weight[x.Name] })
	return all
}

// Was returns the previous address of an object that only moves in the ledger, or "".
func (r *Ranked) Was() string {
	if c := &r.Changes[0]; r.Sign == plan.Move && c.Set == "" {
		return prose.Clean(c.PreviousAddress)
	}
	return ""
}

// list names the deletions, and the changes that give more access, up to ten. In other groups it
// names the first few members. It never hides a single one.
func (g *Group) list() {
	all, most := g.Entries(), someListed
	if g.IsListed() {
		most = prose.MaxListed
	}
	if len(all) <= most+1 {
		most = len(all)
	}
	g.Listed, g.Hidden = all[:most], len(all)-most
	names := make([]string, len(g.Listed))
	for i, l := range g.Listed {
		names[i] = l.Name
		if l.Was != "" {
			names[i] += " (was " + l.Was + ")"
		}
	}
	g.Also = strings.Join(names, ", ")
	if g.Hidden > 0 {
		g.Also += fmt.Sprintf(" and %d more", g.Hidden)
		g.Blocks = g.countBlocks()
	}
}

// countBlocks names the blocks of the members with their counts: project_hook.ci 4,
// project_hook.chat 8. It returns "" for one block, and if each has one member.
func (g *Group) countBlocks() string {
	var order []string
	n := map[string]int{}
	for i := range g.Members {
		name := g.Members[i].Name
		if at, err := addr.Parse(g.Members[i].Changes[0].Address); err == nil {
			name = prose.Clean(at.Block.String())
		}
		if n[name]++; n[name] == 1 {
			order = append(order, name)
		}
	}
	if len(order) == 1 || len(order) == len(g.Members) {
		return ""
	}
	for i, name := range order {
		order[i] = fmt.Sprintf("%s %d", name, n[name])
	}
	return prose.SomeOf(order)
}

// blockKind returns the kind of a change as its block names it: group_members, gitlab_project.
func blockKind(c *Change) string {
	if at, err := addr.Parse(c.Address); err == nil && at.Kind != "" {
		return prose.Clean(at.Kind)
	}
	return prose.Clean(c.Kind)
}

// commonTitle returns what the titles of equal changes have in common.
func commonTitle(c *Change) string {
	switch c.Sign() {
	case plan.Create:
		if c.AdoptsIfFound {
			return ifFound
		}
	case plan.Update, plan.Replace:
		if c.Restore {
			return restoredFirst
		}
	case plan.Adopt:
		return "adopts" + secretsSet(c)
	case plan.Move:
		return "moved in the ledger only; nothing is sent"
	case plan.Release, plan.NotFound:
		return remark(c)
	}
	return ""
}
