package main

import (
	"fmt"
	"strings"

	"hew/reconcile/rewrite"
)

// jsonAdoption is what -adopt made of a drift, as programs get it, and as people
// do in the end.
type jsonAdoption struct {
	Files   []jsonFile    `json:"files"`
	Written []jsonAdopted `json:"written"`
	Left    []jsonAdopted `json:"left"`
}

// jsonFile is a file that was written, as the difference to what it was.
type jsonFile struct {
	Name string `json:"name"`
	Diff string `json:"diff"`
}

// jsonAdopted is a value that drifted, or an object as a whole.
type jsonAdopted struct {
	Address   string `json:"address"`
	Attribute string `json:"attribute,omitempty"`
	Live      string `json:"live,omitempty"` // as a configuration writes it
	Declared  string `json:"declared,omitempty"`
	Why       string `json:"why,omitempty"` // it was left
}

func adoptionOf(r *rewrite.Result) *jsonAdoption {
	j := &jsonAdoption{Files: []jsonFile{}, Written: adoptedOf(r.Written), Left: adoptedOf(r.Left)}
	for _, f := range r.Files {
		j.Files = append(j.Files, jsonFile{f.Name, unified(f.Name, f.Shown.Before, f.Shown.After)})
	}
	return j
}

func adoptedOf(all []rewrite.Value) []jsonAdopted {
	out := []jsonAdopted{}
	for _, v := range all {
		out = append(out, jsonAdopted{v.Addr.String(), v.Attr, v.Live, where(&v.At), v.Why})
	}
	return out
}

// about names what drifted: group.acme visibility = "internal".
func (j jsonAdopted) about() string {
	text := strings.Join(append([]string{j.Address}, nonEmpty(j.Attribute)...), " ")
	if j.Live != "" {
		text += " = " + j.Live
	}
	return clean(text)
}

// sum tells in a sentence what was written and what is left.
func (j *jsonAdoption) sum() string {
	text := fmt.Sprintf("Adopted %s in %s.", count(len(j.Written), "difference"), count(len(j.Files), "file"))
	if len(j.Written) == 0 {
		text = "Nothing was adopted."
	}
	if n := len(j.Left); n > 0 {
		text += fmt.Sprintf(" %d left.", n)
	}
	return text
}

// Adopted shows the difference in each file, and what is left.
func (t *text) Adopted(j *jsonAdoption) {
	for _, f := range j.Files {
		t.gap()
		t.patch(f.Diff, bool(t.paint) || t.width > 0)
	}
	if len(j.Left) > 0 {
		t.gap()
		t.printf("Not written:\n")
	}
	for _, l := range j.Left {
		t.printf("  ")
		t.cells(2, causeAt, l.about(), clean(l.Declared), "", l.about())
		t.paragraph(6, sentence(l.Why))
	}
	t.gap()
	t.headline(j.sum())
}

// Adopted enters it into the document.
func (v *programs) Adopted(j *jsonAdoption) {
	v.doc.Adoption = j
	v.err.paragraph(0, j.sum())
}

// Adopted tells of each file, and of what is left.
func (m *markdown) Adopted(j *jsonAdoption) {
	m.err.paragraph(0, j.sum())
	m.sum(j.sum())
	var left, files []entry
	for _, l := range j.Left {
		left = append(left, entry{line: bullet(verbatim(l.about()), l.Declared, sentence(l.Why))})
	}
	for _, f := range j.Files {
		mark := fence(3, f.Diff)
		line := bullet(verbatim(clean(f.Name)), "", "")
		files = append(files, entry{line: line, full: line + "\n" + mark + "diff\n" + f.Diff + mark + "\n"})
	}
	m.add(stuck, "Not written: "+count(len(left), "difference"), left)
	m.add(changing, "Written: "+count(len(files), "file"), files)
}
