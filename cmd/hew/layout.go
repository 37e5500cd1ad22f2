package main

import (
	"regexp"
	"strings"
)

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
		s.cause = max(s.cause, nameAt+columns(it.name)+2)
		if compact {
			continue
		}
		for _, r := range it.rows {
			s.value = max(s.value, r.start()+columns(r.name)+2)
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
	name, shown := r.name, r.value
	if r.value != "" {
		name = pad(r.name, at, s.value)
	}
	if r.marked {
		shown = t.words(shown)
	}
	t.printf("%s", lead)
	t.cells(at, s.cause, name+r.value, "", r.cause, name+shown)
	for _, l := range r.body {
		t.printf("%s\n", strings.TrimRight(strings.Repeat(" ", elementAt+2+4*l.depth)+t.line(l), " "))
	}
}

// line is a line of a difference in its colour, or where it holds both the old
// and the new, in theirs.
func (t *text) line(l diffLine) string {
	if l.marked {
		return t.paint.sign(l.op) + " " + t.words(l.text)
	}
	return t.paint.in(signColour[l.op], strings.TrimRight(string(l.op)+" "+l.text, " "))
}

var marks = regexp.MustCompile(`\[-.*?-\]|\{\+.*?\+\}`)

// words colours what is marked in a text.
func (t *text) words(marked string) string {
	return marks.ReplaceAllStringFunc(marked, func(m string) string { return t.paint.in(signColour[rune(m[1])], m) })
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
	return t.width <= 0 || used+columns(s) <= t.width
}
