package view

import (
	"strings"

	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// undeclared prints the undeclared objects beside managed ones.
func (t *Text) undeclared(all []report.Undeclared) {
	if len(all) == 0 {
		return
	}
	t.Gap()
	t.Printf("%s\n", t.Paint.In(yellow, "Undeclared, "+prose.Count(len(all), "object")+":"))
	for _, r := range report.UndeclaredRows(all) {
		t.Printf("  %s ", t.Paint.In(yellow, "?"))
		t.cells(nameAt, causeAt, r.Name, r.Of, r.Origin, r.Name)
	}
}

func (m *Markdown) undeclared(all []report.Undeclared) {
	var entries []entry
	for _, r := range report.UndeclaredRows(all) {
		line := strings.TrimSuffix("- "+Verbatim("? "+r.Name)+" "+Plainly(r.Of, Verbatim), " ")
		if r.Origin != "" {
			line += ", " + Plainly(r.Origin, Verbatim)
		}
		entries = append(entries, entry{line: line + "\n"})
	}
	m.add(rankChanges, "Undeclared: "+prose.Count(len(all), "object"), entries)
}
