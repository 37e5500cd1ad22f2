package main

import (
	"html"
	"html/template"
	"slices"
	"strings"

	"hew/reconcile/plan"
)

// webChange is an item on the page.
type webChange struct {
	Unit         webUnit
	Set          bool // its elements are what counts
	Name         string
	Title, Cause string
	Place, Kind  string
	Placed       bool // nobody has to be told where
	Open         bool
	Declared     string
	Bodies       []webBody
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

// webBody are the rows of an object, or of an element of a set.
type webBody struct {
	Unit webUnit // zero for an object, which is one itself
	Rows []webRow
}

// webRow is an attribute with the lines of its difference, of which the first stands beside
// its name.
type webRow struct {
	Mark        template.HTML // of an element
	Name, Label string
	Cause, By   string
	Remark      string
	Cells       template.HTML
	Span        int  // how many lines of the table it takes
	Guarded     bool // it is the first row of an element that a guard names
}

// web is the item for the page. What a guard names is marked.
func (it dangerous) web(on *webPage, guarded map[string]bool, compact bool) *webChange {
	first := it.changes[0]
	c := &webChange{Name: it.name, Title: it.title, Cause: it.cause, Place: placeOf(first), Kind: first.Kind.Name, Declared: where(first.Decl), size: len(it.changes)}
	c.Unit = webUnit{ID: on.id(it.name), Action: it.sign.Name(), Mark: webMark(it.sign)}
	c.Placed = strings.Contains(c.Title, c.Place)
	if compact {
		c.Title += it.also
	}
	if _, c.Set = groupOf(first.Addr); c.Set {
		c.elements(it, on, guarded)
		return c
	}
	c.Unit.By, c.Unit.Guarded = madeBy(first), guarded[it.name]
	if rows := webRows(it.rows, it.sign); len(rows) > 0 && !compact {
		c.Bodies = []webBody{{Rows: rows}}
	}
	return c
}

// elements parts the rows by the elements that they are of.
func (c *webChange) elements(it dangerous, on *webPage, guarded map[string]bool) {
	for i, rest := 0, it.rows; len(rest) > 0; i++ {
		n := 1
		for n < len(rest) && rest[n].sign == 0 {
			n++
		}
		of := it.changes[i]
		unit := webUnit{ID: on.id(rest[0].at), Action: of.Action.Name(), Mark: webMark(of.Action), By: madeBy(of), Guarded: guarded[rest[0].at]}
		rows := webRows(rest[:n], of.Action)
		rows[0].Guarded = unit.Guarded
		c.Bodies = append(c.Bodies, webBody{unit, rows})
		rest = rest[n:]
	}
}

func webRows(rows []row, of plan.Action) (all []webRow) {
	for _, r := range rows {
		w := webRow{Name: r.name, Label: strings.TrimSpace(r.label), Cause: r.cause, By: string(r.by)}
		if r.sign != 0 {
			w.Mark = webMark(r.sign)
		}
		lines, remark := r.sides(of)
		w.Cells = cells(lines, remark, of)
		w.Span = max(1, len(lines)) + len(nonEmpty(remark))
		all = append(all, w)
	}
	return all
}

// webMark is the sign of an action, and its name for who cannot see that.
func webMark(a plan.Action) template.HTML {
	name := a.Name()
	return template.HTML(`<i class="` + name + `" role="img" aria-label="` + name + `">` + html.EscapeString(string(a)) + `</i>`)
}

// causeOrder is the order in which causes are told.
var causeOrder = []plan.Cause{plan.ByConfig, plan.ByDrift, plan.ByBoth, plan.Unknown}

// madeBy are the causes of a change and of the paths in it.
func madeBy(c *plan.Change) string {
	causes := map[plan.Cause]bool{c.Cause: len(c.Paths) == 0}
	for _, p := range c.Paths {
		causes[p.Cause] = true
	}
	var names []string
	for _, by := range causeOrder {
		if causes[by] {
			names = append(names, string(by))
		}
	}
	return strings.Join(names, " ")
}

// placeOf is the path of the group or project that an object is in, or is.
func placeOf(c *plan.Change) string {
	if c.Kind.Tree != nil {
		return clean(c.Title)
	}
	return clean(c.Owner)
}

// units are how many changes are told of.
func units(all []*webChange) (n int) {
	for _, c := range all {
		n += c.size
	}
	return n
}

// byKind sorts changes by kind, each as it stands.
func byKind(all []*webChange) []*webChange {
	return slices.SortedStableFunc(slices.Values(all), func(x, y *webChange) int { return strings.Compare(x.Kind, y.Kind) })
}
