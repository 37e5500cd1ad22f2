package view

import (
	"slices"
	"strings"

	"hew/reconcile/plan"
)

// webTallies counts changes by what the filters select.
type webTallies struct {
	Size, Guarded int
	by            map[string]int           // actions and causes, whose names differ
	meaning       func(plan.Action) string // of the signs, on one page
	meanings      map[plan.Action][]string // of the signs that several pages have
}

// webTally is how many changes a filter selects.
type webTally struct {
	Name, Sign string
	Label      string // what it is called
	N          int
}

func (t *webTallies) add(name string, n int) {
	if t.by == nil {
		t.by = map[string]int{}
	}
	t.by[name] += n
}

func (t *webTallies) count(c *webChange) {
	t.Size += c.size
	units := []webUnit{c.Unit}
	if c.Set {
		units = units[:0]
		for _, b := range c.Bodies {
			units = append(units, b.Unit)
		}
	}
	for _, u := range units {
		t.add(u.Action, 1)
		for by := range strings.FieldsSeq(u.By) {
			t.add(by, 1)
		}
		if u.Guarded {
			t.Guarded++
		}
	}
}

// join adds the counts of another page.
func (t *webTallies) join(o webTallies) {
	t.Size += o.Size
	t.Guarded += o.Guarded
	if t.meanings == nil {
		t.meanings = map[plan.Action][]string{}
	}
	for _, a := range tallied {
		if label := o.label(a); o.by[a.Name()] > 0 && !slices.Contains(t.meanings[a], label) {
			t.meanings[a] = append(t.meanings[a], label)
		}
	}
	for name, n := range o.by {
		t.add(name, n)
	}
}

// tallied are the actions in the order of the filters.
var tallied = []plan.Action{plan.Create, plan.Update, plan.Replace, plan.Delete, plan.Adopt, plan.Move, plan.Release,
	plan.NotFound}

// Actions returns the actions that occur.
func (t webTallies) Actions() (all []webTally) {
	for _, a := range tallied {
		if n := t.by[a.Name()]; n > 0 {
			all = append(all, webTally{a.Name(), string(a), t.label(a), n})
		}
	}
	return all
}

// label returns what the sign of an action means: on one page, or on all that have it.
func (t webTallies) label(a plan.Action) string {
	if t.meaning != nil {
		return t.meaning(a)
	}
	return strings.Join(t.meanings[a], " or ")
}

// Causes returns the causes that occur.
func (t webTallies) Causes() (all []webTally) {
	for _, by := range causeOrder {
		if n := t.by[string(by)]; n > 0 {
			all = append(all, webTally{Name: string(by), N: n})
		}
	}
	return all
}
