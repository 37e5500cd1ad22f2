package view

import (
	"bufio"
	"strings"

	"hew/reconcile/report"
	"hew/reconcile/report/prose"
	"hew/schema/pattern"
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

// causeStop returns the column at which the causes of a plan begin.
func causeStop(all []report.Group) int {
	stop := causeAt
	for i := range all {
		stop = max(stop, nameAt+prose.Columns(all[i].Name)+2)
	}
	return min(stop, maxCause)
}

// valueStop returns the column at which the values of an item begin. Names too long to leave room
// do not count.
func valueStop(rows []report.Row) int {
	stop := valueAt
	for _, r := range rows {
		if end := startOf(r) + prose.Columns(r.Name) + 2; end <= maxValue {
			stop = max(stop, end)
		}
	}
	return stop
}

func startOf(r report.Row) int {
	if r.Sign != 0 {
		return elementAt
	}
	return attrAt
}

// groups prints the changes of a plan; what gives somebody more comes last, below a heading.
func (t *Text) groups(all []report.Group) {
	defer t.buffered()()
	if len(all) == 0 {
		return
	}
	t.Gap()
	cause := causeStop(all)
	if t.Width > 0 {
		cause = min(cause, max(valueAt, t.Width-minCause))
	}
	others, opening := report.SplitOpening(all)
	for i := range others {
		t.group(&others[i], cause)
	}
	if len(opening) > 0 {
		if len(others) > 0 {
			t.Printf("\n")
		}
		t.Printf("%s\n", t.Paint.In(yellow, report.OpensHeading+":"))
	}
	for i := range opening {
		t.group(&opening[i], cause)
	}
	if isFolded(all) {
		t.Paragraph(nameAt, "Equal changes are shown once and long lists are cut; -verbose shows each change.")
	}
}

func (t *Text) group(g *report.Group, cause int) {
	t.Printf("  %s ", t.Paint.sign(rune(g.Sign)))
	title := g.Title
	switch {
	case t.Compact && g.IsAlone():
		title += g.Also
	case t.Compact:
		title = g.Gist()
	}
	t.cells(nameAt, cause, g.Name, title, g.Cause, t.Paint.In(Bold, g.Name))
	if !t.Compact {
		value := valueStop(g.Rows)
		for _, r := range g.Rows {
			t.row(r, value, cause)
		}
	}
	if !g.IsAlone() {
		t.members(g)
	}
	if !t.Compact {
		t.Paragraph(attrAt, undone(g))
	}
	t.Paragraph(attrAt, noted(g.Note))
}

// noted returns a note of one entry as it is printed, "" for none.
func noted(s string) string {
	if s == "" {
		return ""
	}
	return "Note: " + s
}

// buffered buffers the output until done is called.
func (t *Text) buffered() (done func()) {
	out := t.Writer
	lines := bufio.NewWriterSize(out, 1<<16)
	t.Writer = lines
	return func() {
		_ = lines.Flush() // the stream keeps its error
		t.Writer = out
	}
}

func (t *Text) row(r report.Row, value, cause int) {
	at := startOf(r)
	lead := strings.Repeat(" ", attrAt)
	if r.Sign != 0 {
		lead += t.Paint.sign(rune(r.Sign)) + " "
	}
	name, shown := r.Name, r.Value
	if r.Value != "" {
		name = prose.Pad(r.Name, at, value)
	}
	if r.Words != nil {
		shown = t.words(shown)
	}
	t.Printf("%s", lead)
	t.cells(at, cause, name+r.Value, "", r.Cause, name+shown)
	for _, l := range r.Body {
		t.Printf("%s\n", strings.TrimRight(strings.Repeat(" ", elementAt+2+4*l.Depth)+t.line(l), " "))
	}
}

// line returns a line of a difference in its colour, or where it holds both the old and the new,
// in theirs.
func (t *Text) line(l report.DiffLine) string {
	if l.Words != nil {
		return t.Paint.sign(l.Op) + " " + t.words(l.Text)
	}
	return t.Paint.In(signColour[l.Op], strings.TrimRight(string(l.Op)+" "+l.Text, " "))
}

var marks = pattern.Lazy(`\[-.*?-\]|\{\+.*?\+\}`)

// words colours the marked words of a text.
func (t *Text) words(marked string) string {
	return marks().ReplaceAllStringFunc(marked, func(m string) string { return t.Paint.In(signColour[rune(m[1])], m) })
}

// cells prints the rest of a line: first at once (shown is the same in colour), second at the
// stop, then the cause. On a narrow terminal second moves up and the cause gets a line of its own.
func (t *Text) cells(used, stop int, first, second, cause, shown string) {
	line, painted := first, shown
	for _, cell := range prose.NonEmpty(second) {
		filled := prose.Pad(line, used, stop)
		if !t.fits(used, filled+cell) {
			filled = prose.Pad(line, used, 0)
		}
		painted += filled[len(line):] + cell
		line = filled + cell
	}
	if cause != "" {
		filled := prose.Pad(line, used, stop)
		if !t.fits(used, filled+cause) {
			painted += "\n" + strings.Repeat(" ", elementAt+2)
		} else {
			painted += filled[len(line):]
		}
		painted += t.Paint.In(dim, cause)
	}
	t.Printf("%s\n", painted)
}

// fits reports whether a text fits on a line of which used columns are taken.
func (t *Text) fits(used int, s string) bool {
	return t.Width <= 0 || used+prose.Columns(s) <= t.Width
}
