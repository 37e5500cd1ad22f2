package view

import (
	"html"
	"html/template"
	"slices"
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// webChange is an item on the page.
type webChange struct {
	Unit         webUnit
	Set          bool // its elements are what counts
	Name         string
	Title, Cause string
	Place, Kind  string
	Placed       bool // its place need not be shown
	Open         bool
	Declared     webPlaceLink
	Note, Undo   string
	Drift        bool // it shows what happened
	Bodies       []webBody
	signs        report.Signs
	size         int
}

// webUnit is what counts as one change, and what it is found and filtered by.
type webUnit struct {
	ID      string // its address
	Action  string
	Mark    template.HTML // its sign
	By      string        // who made the difference, or several of them
	Guarded bool
}

// webBody holds the rows of an object, or of an element of a set.
type webBody struct {
	Unit webUnit // zero for an object, which is one itself
	Rows []webRow
}

// webRow is an attribute with the lines of its difference; the first of them stands beside its
// name.
type webRow struct {
	Mark        template.HTML // of an element
	Name, Label string
	Cause, By   string
	Remark      string
	Cells       template.HTML
	Span        int  // how many lines of the table it takes
	Guarded     bool // it is the first row of an element that a guard names
}

// webChangeOf returns the item for the page. What a guard names is marked.
func webChangeOf(it report.Ranked, on *webPage, guarded map[string]bool, compact bool) *webChange {
	first := &it.Changes[0]
	c := &webChange{Name: it.Name, Title: it.Title, Cause: it.Cause, Place: placeOf(first), Kind: first.Kind,
		Declared: on.linked(first.Declared), Note: it.Note, Undo: it.Undo, Drift: on.drift,
		signs: report.SignsOf(it.Changes), size: len(it.Changes)}
	c.Unit = webUnit{ID: on.id(it.Name), Action: it.Sign.Name(), Mark: on.mark(it.Sign)}
	c.Placed = strings.Contains(c.Title, c.Place)
	if compact {
		c.Title += it.Also
	}
	if c.Set = first.Set != ""; c.Set {
		c.elements(it, on, guarded)
		return c
	}
	c.Unit.By, c.Unit.Guarded = madeBy(first), guarded[it.Name]
	if rows := on.rows(it.Rows, it.Sign); len(rows) > 0 && !compact {
		c.Bodies = []webBody{{Rows: rows}}
	}
	return c
}

// elements splits the rows by element.
func (c *webChange) elements(it report.Ranked, on *webPage, guarded map[string]bool) {
	for i, rest := 0, it.Rows; len(rest) > 0; i++ {
		n := 1
		for n < len(rest) && rest[n].Sign == 0 {
			n++
		}
		of := &it.Changes[i]
		unit := webUnit{ID: on.id(rest[0].At), Action: of.Action, Mark: on.mark(of.Sign()), By: madeBy(of),
			Guarded: guarded[rest[0].At]}
		rows := on.rows(rest[:n], of.Sign())
		rows[0].Guarded = unit.Guarded
		c.Bodies = append(c.Bodies, webBody{unit, rows})
		rest = rest[n:]
	}
}

func (p *webPage) rows(rows []report.Row, of plan.Action) (all []webRow) {
	for _, r := range rows {
		w := webRow{Name: r.Name, Label: strings.TrimSpace(r.Label), Cause: r.Cause, By: r.By}
		if r.Sign != 0 {
			w.Mark = p.mark(r.Sign)
		}
		lines, remark := sidesOf(r, of)
		w.Cells = cells(lines, remark, of)
		w.Span = max(1, len(lines)) + len(prose.NonEmpty(remark))
		all = append(all, w)
	}
	return all
}

// mark returns the sign of an action, with what it means for screen readers.
func (p *webPage) mark(a plan.Action) template.HTML {
	return template.HTML(`<i class="` + a.Name() + `" role="img" aria-label="` + html.EscapeString(p.meaning(a)) +
		`">` + html.EscapeString(string(a)) + `</i>`)
}

// causeOrder is the order in which causes are listed.
var causeOrder = []plan.Cause{plan.ByConfig, plan.ByDrift, plan.ByBoth, plan.Unknown}

// madeBy returns the causes of a change and of its paths, separated by blanks.
func madeBy(c *report.Change) string {
	causes := map[string]bool{c.Cause: len(c.Paths) == 0}
	for _, p := range c.Paths {
		causes[p.Cause] = true
	}
	var names []string
	for _, by := range causeOrder {
		if causes[string(by)] {
			names = append(names, string(by))
		}
	}
	return strings.Join(names, " ")
}

// placeOf returns the path of the group or project that an object is in, or is.
func placeOf(c *report.Change) string {
	if c.Container {
		return prose.Clean(c.Title)
	}
	return prose.Clean(c.Owner)
}

// byKind sorts changes by kind and keeps their order within it.
func byKind(all []*webChange) []*webChange {
	return slices.SortedStableFunc(slices.Values(all),
		func(x, y *webChange) int { return strings.Compare(x.Kind, y.Kind) })
}
