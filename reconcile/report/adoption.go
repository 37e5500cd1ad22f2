package report

import (
	"fmt"
	"strings"

	"hew/reconcile/report/prose"
	"hew/reconcile/rewrite"
)

// Adoption is the result of -adopt, for programs and, at the end, for people.
type Adoption struct {
	Files   []File    `json:"files"`
	Written []Adopted `json:"written"`
	Left    []Adopted `json:"left"`
}

// File is a file that was written, as the difference to what it was.
type File struct {
	Name string `json:"name"`
	Diff string `json:"diff"`
}

// Adopted is a value that drifted, or an object as a whole.
type Adopted struct {
	Address   string `json:"address"`
	Attribute string `json:"attribute,omitempty"`
	Live      string `json:"live,omitempty"` // as a configuration writes it
	Declared  string `json:"declared,omitempty"`
	Why       string `json:"why,omitempty"` // it was left
}

// AdoptionOf returns the report of a drift that was written to files: the files and the values.
func AdoptionOf(r *rewrite.Result) *Adoption {
	j := &Adoption{Files: []File{}, Written: adoptedOf(r.Written), Left: adoptedOf(r.Manual)}
	for _, f := range r.Files {
		j.Files = append(j.Files, File{f.Name, Unified(f.Name, f.Redacted.Before, f.Redacted.After)})
	}
	return j
}

func adoptedOf(all []rewrite.Value) []Adopted {
	out := []Adopted{}
	for _, v := range all {
		out = append(out, Adopted{v.Addr.String(), v.Attr, v.Live, where(&v.At), v.Why})
	}
	return out
}

// About names what drifted: group.acme visibility = "internal".
func (j Adopted) About() string {
	text := strings.Join(append([]string{j.Address}, prose.NonEmpty(j.Attribute)...), " ")
	if j.Live != "" {
		text += " = " + j.Live
	}
	return prose.Clean(text)
}

// Sum returns a sentence about what was written and what is left.
func (j *Adoption) Sum() string {
	text := fmt.Sprintf(
		"Adopted %s in %s.", prose.Count(len(j.Written), "difference"), prose.Count(len(j.Files), "file"),
	)
	if len(j.Written) == 0 {
		text = "Nothing was adopted."
	}
	if n := len(j.Left); n > 0 {
		text += fmt.Sprintf(" %d left.", n)
	}
	return text
}
