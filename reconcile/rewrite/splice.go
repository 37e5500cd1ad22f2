package rewrite

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2/hclwrite"
)

// edit puts a text in the place of another; where from is to, it comes before
// what stands there.
type edit struct {
	from, to int
	text     string
}

// spliced is a text with edits, which do not overlap, made.
func spliced(src []byte, edits []edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, src[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, src[at:]...)
}

// file is what the file becomes. covered is the same text without its secrets.
func (s *source) file(covered []byte) File {
	f := File{Name: s.name, Before: s.src, After: s.after(s.src)}
	f.Shown = Versions{string(covered), string(s.after(covered))}
	return f
}

// after makes the edits in the file's text, or in one with something covered. A
// block that was in the canonical layout is so again; in another one nothing
// moves but what is changed.
func (s *source) after(text []byte) []byte {
	var out []byte
	at := 0
	for _, b := range s.body.Blocks {
		from, to := b.Range().Start.Byte, b.Range().End.Byte
		var own []edit
		for _, e := range s.edits {
			if from <= e.from && e.to <= to {
				own = append(own, edit{e.from - from, e.to - from, e.text})
			}
		}
		if len(own) == 0 {
			continue
		}
		block := spliced(text[from:to], own)
		if was := s.src[from:to]; bytes.Equal(hclwrite.Format(was), was) {
			block = hclwrite.Format(block)
		}
		out = append(append(out, text[at:from]...), block...)
		at = to
	}
	return append(out, text[at:]...)
}
