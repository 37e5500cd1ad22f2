package report

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

// leastGrouped is how many equal items become a group. Two are read as fast as a group of
// them; three and more are a pattern, which a reviewer wants to see once.
const leastGrouped = 3

// someListed is how many members a group names that neither removes anything nor widens access.
const someListed = 3

// leastFolded is how many of what is listed one by one are cut after ten: a list never hides one.
const leastFolded = prose.MaxListed + 2

// Detail is how much of a plan is listed one by one.
type Detail int

// The details: equal changes are one entry and long lists end after ten; or every change has
// an entry of its own.
const (
	Grouped Detail = iota
	Whole
)

// Group is one entry of a printed plan: an item alone, or several that are equal in all that
// is shown of them but for their names.
type Group struct {
	Item             // the item, or what its members have in common
	Danger           // of each member
	Members []Ranked // in the order of the plan
	Listed  []Row    // the members that are named, or what goes in them: address and title
	Hidden  int      // how many are not
	Cut     int      // how many elements of a set alone have no row
}

// IsAlone reports whether the group is a single item.
func (g *Group) IsAlone() bool { return len(g.Members) == 1 }

// longestGist is how many characters of what changes stand in the line of a group.
const longestGist = 120

// Gist says in a line what changes in each member: visibility "internal" -> "private".
func (g *Group) Gist() string {
	said := prose.NonEmpty(g.Title)
	for _, r := range g.Rows {
		said = append(said, strings.TrimSpace(r.Name+" "+r.Value))
	}
	gist := strings.Join(said, ", ")
	if runes := []rune(gist); len(runes) > longestGist {
		gist = string(runes[:longestGist]) + "…"
	}
	return gist
}

// IsListed reports whether the members of a group are listed one by one, ten of them at least: what
// goes, and what gives somebody more.
func (g *Group) IsListed() bool { return g.Danger >= Opens }

// Changes returns the changes of all members.
func (g *Group) Changes() (all []Change) {
	for _, m := range g.Members {
		all = append(all, m.Changes...)
	}
	return all
}

// Grave counts the changes in a group that have its danger; a set may hold others as well.
func (g *Group) Grave() (n int) {
	for _, m := range g.Members {
		for i := range m.Changes {
			if m.Changes[i].danger() == g.Danger {
				n++
			}
		}
	}
	return n
}

// Groups arranges the changes of a plan for people, in its order; a group stands where the
// first of its members does. What a guard names is in no group, unless it goes: of what goes
// ten are named in any case, and only more than that become a group. Values are compared as
// they are shown, so that two secrets are equal, and nobody learns whether they really are.
func Groups(d *Document, detail Detail) []Group {
	items := ranked(d)
	d.noteSuspended(items)
	guarded := d.guarded()
	forms, n := make([]string, len(items)), map[string]int{}
	if detail == Grouped {
		for i := range items {
			if items[i].mayBeGrouped(guarded) {
				forms[i] = items[i].form()
				n[forms[i]]++
			}
		}
	}
	var groups []Group
	at := map[string]int{}
	for i, it := range items {
		first, begun := at[forms[i]]
		switch {
		case forms[i] == "" || n[forms[i]] < it.leastGrouped():
			g := Group{Item: it.Item, Danger: it.Danger, Members: []Ranked{it}}
			if detail == Grouped {
				g.Rows, g.Cut = foldRows(it, guarded)
			}
			groups = append(groups, g)
		case begun:
			groups[first].Members = append(groups[first].Members, it)
		default:
			at[forms[i]] = len(groups)
			groups = append(groups, Group{Danger: it.Danger, Members: []Ranked{it}})
		}
	}
	for _, i := range at {
		groups[i].summarize()
	}
	return groups
}

// SplitOpening separates the groups that widen access or weaken rules, each part in its order.
func SplitOpening(groups []Group) (others, opening []Group) {
	for _, g := range groups {
		if g.Danger == Opens {
			opening = append(opening, g)
		} else {
			others = append(others, g)
		}
	}
	return others, opening
}

// Opening is the title of the changes that widen access or weaken rules.
const Opening = "Wider membership or visibility, weaker approvals"

// MostDangerousFirst returns groups by their danger, else in their order.
func MostDangerousFirst(groups []Group) []Group {
	sorted := slices.Clone(groups)
	slices.SortStableFunc(sorted, func(x, y Group) int { return int(y.Danger - x.Danger) })
	return sorted
}

// leastGrouped returns how many items of this sort become a group.
func (r *Ranked) leastGrouped() int {
	if r.Danger >= Opens {
		return leastFolded
	}
	return leastGrouped
}

// guarded returns the addresses that guards name.
func (d *Document) guarded() map[string]bool {
	names := map[string]bool{}
	for _, g := range d.Guards {
		for _, o := range g.Objects {
			names[prose.Clean(o)] = true
		}
	}
	return names
}

// mayBeGrouped reports whether nothing about an item has to be read for itself.
func (r *Ranked) mayBeGrouped(guarded map[string]bool) bool {
	for i := range r.Changes {
		c := &r.Changes[i]
		named := guarded[prose.Clean(c.Address)] || guarded[prose.Clean(c.Title)] || guarded[r.Name]
		if named && c.Sign() != plan.Delete {
			return false
		}
	}
	return true
}

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
	g.list()
}

// Entries returns what goes in a group, a row each, the highest access levels first; every member
// of a group in which nothing goes.
func (g *Group) Entries() (all []Row) {
	weight := map[string]int{}
	for i := range g.Members {
		m := &g.Members[i]
		if g.Danger != Removes || m.Changes[0].Set == "" {
			all = append(all, Row{Sign: m.Sign, Name: m.Name, difference: difference{Value: m.Title}})
			weight[m.Name] = m.Changes[0].removedWeight()
			continue
		}
		for j := range m.Changes {
			if c := &m.Changes[j]; c.danger() == Removes {
				r := Row{Sign: c.Sign(), Name: prose.Clean(c.Address), difference: difference{Value: c.Brief}}
				all = append(all, r)
				weight[r.Name] = c.removedWeight()
			}
		}
	}
	slices.SortStableFunc(all, func(x, y Row) int { return weight[y.Name] - weight[x.Name] })
	return all
}

// list names all that goes or opens, up to ten; of other groups the first few members. It hides two
// at least or nothing.
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
	}
	g.Also = strings.Join(names, ", ")
	if g.Hidden > 0 {
		g.Also += fmt.Sprintf(" and %d more", g.Hidden)
	}
}

// blockKind is the kind of a change as its block names it: group_members, gitlab_project.
func blockKind(c *Change) string {
	if at, err := addr.Parse(c.Address); err == nil && at.Kind != "" {
		return prose.Clean(at.Kind)
	}
	return prose.Clean(c.Kind)
}

// commonTitle is what the titles of equal changes have in common.
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
		return "moved"
	case plan.Release:
		return remark(c)
	}
	return ""
}
