package view

import (
	"fmt"
	"strings"

	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// head names the host and the user of a plan, and explains its signs.
func (t *Text) head(d *report.Document, groups []report.Group) {
	to := host(d)
	legend := d.Legend(groups)
	if to == "" && len(legend) == 0 {
		return
	}
	t.Gap()
	if to != "" {
		t.Printf("%s %s\n", map[bool]string{false: "Plan for", true: "Drift on"}[t.Command == "drift"], to)
	}
	signs := make([]string, len(legend))
	for i, e := range legend {
		signs[i] = t.Paint.sign(rune(e.Sign)) + " " + e.Meaning
	}
	if len(signs) > 0 {
		t.Printf("%s\n", strings.Join(signs, "  "))
	}
}

// host returns the host of a plan and the user whose token was used, as far as the document names
// them.
func host(d *report.Document) string {
	to := prose.Clean(d.Host)
	if to != "" && d.User != "" {
		to += " as " + prose.Clean(d.User)
	}
	return to
}

// table prints how many changes each kind has of each action.
func (t *Text) table(of report.Table) {
	if len(of.Rows) == 0 {
		return
	}
	t.Gap()
	widest := 0
	for _, r := range of.Rows {
		widest = max(widest, prose.Columns(r.Kind))
	}
	stop := nameAt + widest + 2
	line := func(kind string, cells []string, shown func(i int) string) {
		t.Printf("%s", strings.TrimRight(prose.Pad(strings.Repeat(" ", nameAt)+kind, 0, stop), "\n"))
		for i, c := range cells {
			t.Printf("%s%s", strings.Repeat(" ", max(1, tableCell-prose.Columns(c))), shown(i))
		}
		t.Printf("\n")
	}
	signs := make([]string, len(of.Actions))
	for i, a := range of.Actions {
		signs[i] = string(a)
	}
	line("", signs, func(i int) string { return t.Paint.sign(rune(of.Actions[i])) })
	for _, r := range of.Rows {
		counts := make([]string, len(r.Counts))
		for i, n := range r.Counts {
			counts[i] = count(n)
		}
		line(r.Kind, counts, func(i int) string { return counts[i] })
	}
}

// tableCell is the width of a column of numbers.
const tableCell = 6

// count prints a number in a table; zero is a dot, so that numbers stand out.
func count(n int) string {
	if n == 0 {
		return "·"
	}
	return fmt.Sprint(n)
}

// members prints the members of a group: removals and wider access on a line each, others in a
// sentence.
func (t *Text) members(g *report.Group) {
	if g.Blocks != "" {
		t.Paragraph(attrAt, "of "+g.Blocks)
	}
	if !g.IsListed() {
		t.Paragraph(attrAt, g.Also)
		return
	}
	stop := valueAt
	for _, r := range g.Listed {
		stop = max(stop, elementAt+prose.Columns(r.Name)+2)
	}
	stop = min(stop, causeAt)
	for _, r := range g.Listed {
		t.Printf("%s%s ", strings.Repeat(" ", attrAt), t.Paint.sign(rune(r.Sign)))
		t.cells(elementAt, stop, r.Name, r.Value, "", r.Name)
	}
	if g.Hidden > 0 {
		last := g.Listed[len(g.Listed)-1]
		t.Printf("%s%s … %d more\n", strings.Repeat(" ", attrAt), t.Paint.sign(rune(last.Sign)), g.Hidden)
	}
}

// isFolded reports whether any change of a plan has no entry of its own.
func isFolded(groups []report.Group) bool {
	for i := range groups {
		if g := &groups[i]; !g.IsAlone() || g.Cut > 0 {
			return true
		}
	}
	return false
}
