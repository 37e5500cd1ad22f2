package report

import (
	"encoding/json"
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
	"hew/schema"
)

// Danger is how much a reviewer should mind.
type Danger int

// The dangers: only the ledger is written; an object changes; others deleted an object, which is
// done already and so matters less than what they opened; someone gets more access; an object is
// deleted; the host does not find an object.
const (
	Records Danger = iota
	Alters
	DeletedByHand
	Opens
	Removes
	Unfound
)

// OpensHeading is the heading of changes that widen access or weaken rules.
const OpensHeading = "Wider access or weaker rules"

// The headings of the changes with a danger, in a plan and in drift.
var (
	planHeadings = map[Danger]string{Unfound: "Not found on the host", Removes: "Deletions and replacements",
		Opens: OpensHeading, Alters: "Changes", Records: "Ledger only"}
	driftHeadings = map[Danger]string{Unfound: "Not found on the host", DeletedByHand: "Missing on the host",
		Opens: OpensHeading, Alters: "Changed or added on the host"}
)

// Heading returns the heading of the changes with a danger.
func (d *Document) Heading(of Danger) string {
	if d.IsDrift() {
		return driftHeadings[of]
	}
	return planHeadings[of]
}

// Ranked is an item with its danger, and the changes that it tells of.
type Ranked struct {
	Item
	Danger
	Changes []Change
}

// ByDanger returns the items of a plan, the most dangerous first, else in its order.
func ByDanger(d *Document) []Ranked {
	all := ranked(d)
	slices.SortStableFunc(all, func(x, y Ranked) int { return int(y.Danger - x.Danger) })
	return all
}

// ranked returns the items of a plan in its order.
func ranked(d *Document) (all []Ranked) {
	for e := range d.entries() {
		worst := Records
		for i := range e.changes {
			worst = max(worst, e.changes[i].danger())
		}
		it := e.item()
		if e.changes[0].Event != nil {
			it.Undo, it.Place = describeUndo(e.changes), prose.Clean(e.changes[0].Declared)
		}
		all = append(all, Ranked{it, worst, e.changes})
	}
	return all
}

func (c *Change) danger() Danger {
	switch sign := c.Sign(); {
	case sign == plan.NotFound:
		return Unfound
	case c.Event != nil && c.Opens:
		return Opens
	case c.Event != nil && sign == plan.Delete:
		return DeletedByHand
	case sign == plan.Delete || sign == plan.Replace:
		return Removes
	case !c.Sends:
		return Records
	case c.Opens:
		return Opens
	}
	return Alters
}

// removedWeight returns the access level of a removed membership, 0 for anything else.
func (c *Change) removedWeight() int {
	if c.Sign() != plan.Delete {
		return 0
	}
	level, _ := c.Before["access_level"].(json.Number)
	n, _ := level.Int64() // 0 where there is none
	return int(n)
}

// opens reports whether a change gives someone more access or weakens a requirement,
// as far as its paths show.
func opens(c *plan.Change) bool {
	k := c.Kind
	switch {
	case !c.Changes(), k.Protects && c.Action == plan.Create:
		return false
	case k.Protects && c.Removes():
		return c.Within() == (addr.Instance{}) // else the protected object is deleted with it
	case c.Action == plan.Delete:
		return false
	}
	before, after := schema.Object{Kind: k}, schema.Object{Kind: k}
	for _, p := range c.Paths {
		if p.Attr.Widens(p.Before, p.After) {
			return true
		}
		before.Value.Set(p.Attr, orNull(p.Before))
		after.Value.Set(p.Attr, orNull(p.After))
	}
	return c.Action != plan.Create && len(k.Looser(before, after)) > 0
}
