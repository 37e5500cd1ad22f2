package main

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hew/reconcile"
	"hew/reconcile/config"
	"hew/reconcile/plan"
)

// view speaks: to people in text, to programs in JSON. What it is given is
// computed before; it decides nothing but form.
type view interface {
	// Plan shows what would be done.
	Plan(*plan.Plan)
	// Changed tells of one change as it ends, in an apply.
	Changed(reconcile.Event)
	// Outcome shows what an apply did.
	Outcome(*reconcile.Outcome)
	// Diagnostics shows errors and warnings of the configuration or the run.
	Diagnostics(report)
	// Close writes what is still unwritten.
	Close() error
}

// text is the view for people.
type text struct {
	console
	err     console // for diagnostics
	command string
	compact bool

	left  int  // objects that could not be planned
	begun bool // a change has been told
	said  bool // something stands above
}

// gap sets the next section apart from what stands above it.
func (t *text) gap() {
	if t.said {
		t.printf("\n")
	}
	t.said = true
}

func (t *text) Close() error { return nil }

func (t *text) Diagnostics(r report) { r.write(t.err) }

// Plan prints the changes, then everything that keeps them from being done,
// and last the one line that sums them up.
func (t *text) Plan(p *plan.Plan) {
	t.left = len(p.Blocked)
	drift := t.command == "drift"
	var outputs []config.Output
	if t.command == "plan" && !p.Empty() { // an apply tells them at its end, when they are known
		outputs = p.Outputs
	}
	notes := p.Notes
	if p.Ledgerless && drift {
		notes = append(slices.Clone(notes), "There is no ledger of this configuration, so hew cannot tell drift from change: every difference is shown.")
	}
	t.items(items(p))
	t.blocked(p.Blocked)
	t.guards(p.Guards)
	t.outputs(outputs)
	t.notes(notes)
	if len(p.Blocked)+len(p.Guards)+len(outputs)+len(notes) > 0 {
		t.printf("\n")
	}
	t.printf("%s\n", t.paint.in(bold, total(p, drift)))
	t.said = true
	if len(p.Guards) > 0 && t.command != "plan" && !drift {
		t.printf("Nothing was changed.\n")
	}
}

// stops are the columns at which values and causes begin.
type stops struct{ value, cause int }

const (
	nameAt    = 4 // after an item's sign
	attrAt    = 6
	elementAt = 8 // after an element's sign
	valueAt   = 24
	causeAt   = 52
	maxValue  = 40
	maxCause  = 72
	minCause  = 28 // columns that a cause should have
)

func stopsOf(all []item, compact bool) stops {
	s := stops{valueAt, causeAt}
	for _, it := range all {
		s.cause = max(s.cause, nameAt+utf8.RuneCountInString(it.name)+2)
		if compact {
			continue
		}
		for _, r := range it.rows {
			s.value = max(s.value, r.start()+utf8.RuneCountInString(r.name)+2)
		}
	}
	s.value = min(s.value, maxValue)
	s.cause = min(s.cause, maxCause)
	return s
}

func (r row) start() int {
	if r.sign != 0 {
		return elementAt
	}
	return attrAt
}

func (t *text) items(all []item) {
	t.said = t.said || len(all) > 0
	s := stopsOf(all, t.compact)
	if t.width > 0 {
		s.cause = min(s.cause, max(valueAt, t.width-minCause))
	}
	for _, it := range all {
		t.printf("  %s ", t.paint.sign(rune(it.sign)))
		t.cells(nameAt, s.cause, it.name, it.title, it.cause, t.paint.in(bold, it.name))
		if t.compact {
			continue
		}
		for _, r := range it.rows {
			t.row(r, s)
		}
	}
}

func (t *text) row(r row, s stops) {
	at := r.start()
	lead := strings.Repeat(" ", attrAt)
	if r.sign != 0 {
		lead += t.paint.sign(rune(r.sign)) + " "
	}
	name := r.name
	if r.value != "" {
		name = pad(r.name, at, s.value)
	}
	t.printf("%s", lead)
	t.cells(at, s.cause, name+r.value, "", r.cause, name+r.value)
	for _, l := range r.body {
		t.printf("%s%s\n", strings.Repeat(" ", elementAt+2), t.paint.in(signColour[l.op], string(l.op)+" "+l.text))
	}
}

// cells prints the rest of a line: its first cell (shown is the same, in
// colour), at the stop its second, then the cause. Where the terminal is too
// narrow, the second moves up and the cause goes to a line of its own.
func (t *text) cells(used, stop int, first, second, cause, shown string) {
	line, painted := first, shown
	for _, cell := range nonEmpty(second) {
		filled := pad(line, used, stop)
		if !t.fits(used, filled+cell) {
			filled = pad(line, used, 0)
		}
		painted += filled[len(line):] + cell
		line = filled + cell
	}
	if cause != "" {
		filled := pad(line, used, stop)
		if !t.fits(used, filled+cause) {
			painted += "\n" + strings.Repeat(" ", elementAt+2)
		} else {
			painted += filled[len(line):]
		}
		painted += t.paint.in(dim, cause)
	}
	t.printf("%s\n", painted)
}

// fits tells whether a text has room on a line of which a part is used.
func (t *text) fits(used int, s string) bool {
	return t.width <= 0 || used+utf8.RuneCountInString(s) <= t.width
}

func (t *text) blocked(all []config.Blocked) {
	if len(all) == 0 {
		return
	}
	t.gap()
	t.printf("%s\n", t.paint.in(red, "Not planned, "+count(len(all), "object")+":"))
	for _, b := range all {
		t.printf("  ")
		t.cells(2, causeAt, b.Addr.String(), where(&b.Decl), "", b.Addr.String())
		t.paragraph(6, sentence(b.Why))
		if len(b.By) > 0 {
			t.paragraph(6, "It waits for "+list(b.By)+".")
		}
	}
}

func (t *text) guards(all []plan.Finding) {
	for _, g := range all {
		t.gap()
		t.cells(0, causeAt, "Guard: "+g.Code, where(g.Decl), "", t.paint.in(red, "Guard: "+g.Code))
		t.paragraph(2, g.Text)
		for _, o := range g.Objects[:min(len(g.Objects), foldAt)] {
			t.printf("    %s\n", clean(o))
		}
		if more := len(g.Objects) - foldAt; more > 0 {
			t.printf("    … %d more\n", more)
		}
		t.paragraph(2, g.Fix)
	}
}

func (t *text) outputs(all []config.Output) {
	if len(all) == 0 {
		return
	}
	t.gap()
	t.printf("Outputs:\n")
	for _, o := range all {
		value := literal(o.Value)
		switch {
		case o.Sensitive:
			value = "(sensitive)"
		case len(value) > longList && iterable(o.Value):
			value = value[:1] + "\n    " + strings.Join(entries(o.Value), ",\n    ") + "\n  " + value[len(value)-1:]
		}
		t.printf("  %s = %s\n", o.Name, value)
	}
}

func (t *text) notes(all []string) {
	if len(all) > 0 {
		t.gap()
	}
	for _, n := range all {
		t.paragraph(0, "Note: "+n)
	}
}
