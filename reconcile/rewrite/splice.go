package rewrite

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2/hclwrite"
)

// edit replaces the bytes from from to to by text.
type edit struct {
	from, to int
	text     string
}

// splice returns src with the edits applied. They must not overlap.
func splice(src []byte, edits []edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from),
			cmp.Compare(a.to, b.to))
	})
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, src[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, src[at:]...)
}

// toFile returns the changed file. redacted is its text with redacted secrets, of the same length.
func (s *source) toFile(redacted []byte) File {
	f := File{Name: s.name, Before: s.src, After: s.applyEdits(s.src)}
	f.Redacted = Versions{string(redacted), string(s.applyEdits(redacted))}
	return f
}

// applyEdits applies the edits to the file's text or to its redacted text. A block in canonical
// layout is formatted again; in any other block only the edits change something.
func (s *source) applyEdits(text []byte) []byte {
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
		block := splice(text[from:to], own)
		if was := s.src[from:to]; bytes.Equal(hclwrite.Format(was), was) {
			block = hclwrite.Format(block)
		}
		out = append(append(out, text[at:from]...), block...)
		at = to
	}
	return append(out, text[at:]...)
}
