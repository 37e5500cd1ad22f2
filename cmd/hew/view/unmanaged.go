package view

import (
	"strings"

	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// unmanaged prints the unmanaged objects beside managed ones.
func (t *Text) unmanaged(all []report.Unmanaged) {
	if len(all) == 0 {
		return
	}
	t.Gap()
	t.Printf("%s\n", t.Paint.In(yellow, "Undeclared, "+prose.Count(len(all), "object")+":"))
	for _, r := range report.UnmanagedRows(all) {
		t.Printf("  %s ", t.Paint.In(yellow, "?"))
		t.cells(nameAt, causeAt, r.Name, r.Of, r.Origin, r.Name)
	}
}

func (m *Markdown) unmanaged(all []report.Unmanaged) {
	var entries []entry
	for _, r := range report.UnmanagedRows(all) {
		line := strings.TrimSuffix("- "+Verbatim("? "+r.Name)+" "+Plainly(r.Of, Verbatim), " ")
		if r.Origin != "" {
			line += ", " + Plainly(r.Origin, Verbatim)
		}
		entries = append(entries, entry{line: line + "\n"})
	}
	m.add(rankChanges, "Undeclared: "+prose.Count(len(all), "object"), entries)
}
