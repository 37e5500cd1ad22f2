package view

import (
	"strings"

	"hew/reconcile/report"
)

// strays prints the unmanaged objects beside managed ones.
func (t *Text) strays(all []report.Stray) {
	if len(all) == 0 {
		return
	}
	t.Gap()
	t.Printf("%s\n", t.Paint.In(yellow, report.StraysTitle(all)+":"))
	for _, r := range report.StrayRows(all) {
		t.Printf("  %s ", t.Paint.In(yellow, "?"))
		t.cells(nameAt, causeAt, r.Name, r.Of, r.Origin, r.Name)
	}
}

func (m *Markdown) strays(all []report.Stray) {
	var entries []entry
	for _, r := range report.StrayRows(all) {
		line := strings.TrimSuffix("- "+Verbatim("? "+r.Name)+" "+Plainly(r.Of, Verbatim), " ")
		if r.Origin != "" {
			line += ", " + Plainly(r.Origin, Verbatim)
		}
		entries = append(entries, entry{line: line + "\n"})
	}
	m.add(changing, report.StraysTitle(all), entries)
}
