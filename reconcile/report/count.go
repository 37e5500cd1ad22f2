package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

// ActionOrder is the order in which actions are counted and explained.
var ActionOrder = []plan.Action{
	plan.Create, plan.Update, plan.Replace, plan.Delete, plan.Adopt, plan.Move, plan.Release, plan.NotFound,
}

// Signs counts changes by their actions.
type Signs map[plan.Action]int

// Join adds other counts.
func (s Signs) Join(o Signs) {
	for a, n := range o {
		s[a] += n
	}
}

// String returns the counts behind their signs: "+3 ~12 -1".
func (s Signs) String() string {
	var counts []string
	for _, a := range ActionOrder {
		if s[a] > 0 {
			counts = append(counts, fmt.Sprintf("%c%d", a, s[a]))
		}
	}
	return strings.Join(counts, " ")
}

// SignsOf counts changes.
func SignsOf(changes []Change) Signs {
	s := Signs{}
	for i := range changes {
		s[changes[i].Sign()]++
	}
	return s
}

// SignsOfRows counts rows that have a sign.
func SignsOfRows(rows []Row) Signs {
	s := Signs{}
	for _, r := range rows {
		s[r.Sign]++
	}
	return s
}

// Explained is a sign and what it means in a plan.
type Explained struct {
	Sign    plan.Action
	Meaning string
}

// Legend explains the signs that stand before the given groups and in them. A plan without updates
// may have the sign of one before a set, whose elements change.
func (d *Document) Legend(groups []Group) (all []Explained) {
	signs, actions := map[plan.Action]bool{}, map[plan.Action]bool{}
	for _, g := range groups {
		signs[g.Sign] = true
		for _, m := range g.Members {
			signs[m.Sign] = true
			for i := range m.Changes {
				actions[m.Changes[i].Sign()] = true
			}
		}
	}
	for _, a := range ActionOrder {
		switch {
		case actions[a]:
			all = append(all, Explained{a, d.Meaning(a)})
		case signs[a]:
			all = append(all, Explained{a, "set changes"})
		}
	}
	return all
}

// Meaning returns what the sign of an action means: in a plan what is done, in drift what happened.
func (d *Document) Meaning(a plan.Action) string {
	var names []string
	for _, n := range d.driftNames() {
		if n.sign == a {
			names = append(names, n.name)
		}
	}
	switch {
	case len(names) > 0:
		return strings.Join(names, " or ")
	case a == plan.NotFound:
		return "not found"
	}
	return a.Name()
}

// driftName counts the events that totals call by one name.
type driftName struct {
	sign plan.Action
	name string
	n    int
}

// driftNames counts what others did, in the order of totals. It returns nothing for a plan.
func (d *Document) driftNames() (names []driftName) {
	if !d.IsDrift() {
		return nil
	}
	for _, w := range driftKinds {
		name := w.name
		if d.Ledgerless {
			name = w.ledgerless
		}
		n := 0
		for i := range d.Drift {
			if d.Drift[i].Happened == w.kind {
				n++
			}
		}
		i := slices.IndexFunc(names, func(o driftName) bool { return o.name == name })
		switch {
		case n == 0:
		case i >= 0:
			names[i].n += n
		default:
			names = append(names, driftName{w.sign, name, n})
		}
	}
	return names
}

// Table counts the changes of a plan by kind and action.
type Table struct {
	Actions []plan.Action // the columns: those that occur
	Rows    []TableRow    // by kind
}

// TableRow counts the changes of one kind, a number for each action of the table.
type TableRow struct {
	Kind   string
	Counts []int
}

// TableOf returns the table of a plan. It is empty for plans that can be counted at a glance:
// ten changes or fewer, or all of one kind.
func TableOf(d *Document) Table {
	n, seen := map[string]map[plan.Action]int{}, map[plan.Action]bool{}
	for i := range d.Changes {
		c := &d.Changes[i]
		kind := prose.Clean(c.Kind)
		if n[kind] == nil {
			n[kind] = map[plan.Action]int{}
		}
		n[kind][c.Sign()]++
		seen[c.Sign()] = true
	}
	if len(d.Changes) <= prose.MaxListed || len(n) < 2 {
		return Table{}
	}
	t := Table{Actions: slices.DeleteFunc(slices.Clone(ActionOrder), func(a plan.Action) bool { return !seen[a] })}
	for _, kind := range slices.Sorted(maps.Keys(n)) {
		row := TableRow{Kind: kind}
		for _, a := range t.Actions {
			row.Counts = append(row.Counts, n[kind][a])
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
