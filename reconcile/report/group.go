package report

import (
	"slices"
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

// leastGrouped is how many equal items become a group. Two are read as fast as a group of
// them; three and more are a pattern, which a reviewer wants to see once.
const leastGrouped = 3

// someListed is how many members are named in a group that neither deletes anything nor widens
// access.
const someListed = 3

// leastFolded is the minimum number of rows cut from a list after ten: a list never hides a single
// one.
const leastFolded = prose.MaxListed + 2

// Detail says how much of a plan is listed one by one.
type Detail int

// The details: equal changes are one entry and long lists end after ten; or every change has
// an entry of its own.
const (
	Grouped Detail = iota
	Whole
)

// Group is one entry of a printed plan: a single item, or several that look the same except for
// their names.
type Group struct {
	Item             // the item, or what its members have in common
	Danger           // of each member
	Members []Ranked // in the order of the plan
	Listed  []Row    // the members that are named, or the deletions in them: address and title
	Hidden  int      // how many are not
	Cut     int      // how many elements of a set alone have no row
	Blocks  string   // the blocks of the members with their counts, where not all are named
}

// IsAlone reports whether the group is a single item.
func (g *Group) IsAlone() bool { return len(g.Members) == 1 }

// longestGist is the maximum length of the changes in the line of a group, in characters.
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

// IsListed reports whether the members of a group are listed one by one, at least ten of them:
// deletions, and changes that give more access.
func (g *Group) IsListed() bool { return g.Danger >= DeletedByHand }

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
// first of its members does. Items that a guard names are not grouped, unless they are deletions.
// Only more than ten deletions become a group, and ten of them are named. Values are compared as
// they are shown, so all secrets are equal and a group reveals nothing of them.
func Groups(d *Document, detail Detail) []Group {
	items := ranked(d)
	d.noteSuspended(items)
	guarded := d.Guarded()
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

// MostDangerousFirst returns groups by their danger, else in their order.
func MostDangerousFirst(groups []Group) []Group {
	sorted := slices.Clone(groups)
	slices.SortStableFunc(sorted, func(x, y Group) int { return int(y.Danger - x.Danger) })
	return sorted
}

// leastGrouped returns how many items of this sort become a group.
func (r *Ranked) leastGrouped() int {
	if r.Danger >= DeletedByHand {
		return leastFolded
	}
	return leastGrouped
}

// Guarded returns the addresses that guards name.
func (d *Document) Guarded() map[string]bool {
	names := map[string]bool{}
	for _, g := range d.Guards {
		for _, o := range g.Objects {
			names[prose.Clean(o)] = true
		}
	}
	return names
}

// mayBeGrouped reports whether a reviewer need not read an item on its own.
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
