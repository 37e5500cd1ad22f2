package main

import (
	"bufio"
	"regexp"
	"strings"
)

// The columns at which things begin.
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

// causeStop is where causes begin, for all of a plan.
func causeStop(all []item) int {
	stop := causeAt
	for _, it := range all {
		stop = max(stop, nameAt+columns(it.name)+2)
	}
	return min(stop, maxCause)
}

// valueStop is where the values of an item begin. Names that are too long to
// leave room do not count.
func valueStop(rows []row) int {
	stop := valueAt
	for _, r := range rows {
		if end := r.start() + columns(r.name) + 2; end <= maxValue {
			stop = max(stop, end)
		}
	}
	return stop
}

func (r row) start() int {
	if r.sign != 0 {
		return elementAt
	}
	return attrAt
}

func (t *text) items(all []item) {
	defer t.gathered()()
	t.said = t.said || len(all) > 0
	cause := causeStop(all)
	if t.width > 0 {
		cause = min(cause, max(valueAt, t.width-minCause))
	}
	for _, it := range all {
		t.printf("  %s ", t.paint.sign(rune(it.sign)))
		title := it.title
		if t.compact {
			title += it.also
		}
		t.cells(nameAt, cause, it.name, title, it.cause, t.paint.in(bold, it.name))
		if t.compact {
			continue
		}
		value := valueStop(it.rows)
		for _, r := range it.rows {
			t.row(r, value, cause)
		}
	}
}

// gathered has many lines written at once, until done.
func (t *text) gathered() (done func()) {
	out := t.Writer
	lines := bufio.NewWriterSize(out, 1<<16)
	t.Writer = lines
	return func() {
		_ = lines.Flush() // the stream keeps its error
		t.Writer = out
	}
}

func (t *text) row(r row, value, cause int) {
	at := r.start()
	lead := strings.Repeat(" ", attrAt)
	if r.sign != 0 {
		lead += t.paint.sign(rune(r.sign)) + " "
	}
	name, shown := r.name, r.value
	if r.value != "" {
		name = pad(r.name, at, value)
	}
	if r.words != nil {
		shown = t.words(shown)
	}
	t.printf("%s", lead)
	t.cells(at, cause, name+r.value, "", r.cause, name+shown)
	for _, l := range r.body {
		t.printf("%s\n", strings.TrimRight(strings.Repeat(" ", elementAt+2+4*l.depth)+t.line(l), " "))
	}
}

// line is a line of a difference in its colour, or where it holds both the old
// and the new, in theirs.
func (t *text) line(l diffLine) string {
	if l.words != nil {
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
