package view

import (
	"strings"

	"hew/reconcile/plan"
)

// webTallies counts changes by what the filters select.
type webTallies struct {
	Size, Guarded int
	by            map[string]int           // actions and causes, whose names differ
	meaning       func(plan.Action) string // of the signs
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
	if t.meaning == nil {
		t.meaning = o.meaning
	}
	for name, n := range o.by {
		t.add(name, n)
	}
}

// Actions returns the actions that occur.
func (t webTallies) Actions() (all []webTally) {
	for _, a := range []plan.Action{plan.Create, plan.Update, plan.Replace, plan.Delete, plan.Adopt, plan.Move,
		plan.Release, plan.NotFound} {
		if n := t.by[a.Name()]; n > 0 {
			all = append(all, webTally{a.Name(), string(a), t.meaning(a), n})
		}
	}
	return all
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
