package view

import (
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// Adopted shows the difference in each file, and what is left.
func (t *Text) Adopted(j *report.Adoption) {
	for _, f := range j.Files {
		t.Gap()
		t.Patch(f.Diff, bool(t.Paint) || t.Width > 0)
	}
	if len(j.Left) > 0 {
		t.Gap()
		t.Printf("Not written:\n")
	}
	for _, l := range j.Left {
		t.Printf("  ")
		t.cells(2, causeAt, l.About(), prose.Clean(l.Declared), "", l.About())
		t.Paragraph(6, prose.Sentence(l.Why))
	}
	t.Gap()
	t.headline(j.Sum())
}

// Adopted shows each file that was written, and what is left.
func (m *Markdown) Adopted(j *report.Adoption) {
	m.Err.Paragraph(0, j.Sum())
	m.sum(j.Sum())
	var left, files []entry
	for _, l := range j.Left {
		left = append(left, entry{line: m.bullet(Verbatim(l.About()), l.Declared, prose.Sentence(l.Why))})
	}
	for _, f := range j.Files {
		mark := fence(3, f.Diff)
		line := m.bullet(Verbatim(prose.Clean(f.Name)), "", "")
		files = append(files, entry{line: line, full: line + "\n" + mark + "diff\n" + f.Diff + mark + "\n"})
	}
	m.add(rankNotDone, "Not written: "+prose.Count(len(left), "difference"), left)
	m.add(rankChanges, "Written: "+prose.Count(len(files), "file"), files)
}
