package report

import (
	"bytes"
	"encoding/json"
	"slices"
)

// canonical returns JSON in the one form that does not depend on who laid it out:
// without blanks, members sorted by name, texts escaped alike, numbers as they
// are. Members of the outermost object that are called without are left out.
// Decoding into values and encoding those takes six times as long.
func canonical(document []byte, without string) ([]byte, error) {
	var compact bytes.Buffer
	compact.Grow(len(document))
	if err := json.Compact(&compact, document); err != nil {
		return nil, err
	}
	return canonicalOf(compact.Bytes(), without), nil
}

// canonicalOf returns the same of JSON that encoding/json wrote on one line.
func canonicalOf(compact []byte, without string) []byte {
	w := rewriter{rest: bytes.TrimSpace(compact), out: make([]byte, 0, len(compact)), without: without}
	w.value()
	return w.out
}

// rewriter goes through compact JSON that is known to be sound.
type rewriter struct {
	rest, out []byte
	without   string
	members   []member // of the objects that it is in
	depth     int      // how many these are
	sorted    []byte   // of the last object; kept for the next one
}

// member is one of an object, and where it is in what was written.
type member struct {
	name     []byte
	from, to int
}

func (w *rewriter) value() {
	switch w.rest[0] {
	case '{':
		w.object()
	case '[':
		w.array()
	case '"':
		w.out = append(w.out, w.text()...)
	default: // a number, or a word
		end := bytes.IndexAny(w.rest, ",]}")
		if end < 0 {
			end = len(w.rest)
		}
		w.out = append(w.out, w.take(end)...)
	}
}

func (w *rewriter) take(n int) []byte {
	taken := w.rest[:n]
	w.rest = w.rest[n:]
	return taken
}

func (w *rewriter) array() {
	w.out = append(w.out, w.take(1)...)
	for w.rest[0] != ']' {
		w.value()
		if w.rest[0] == ',' {
			w.out = append(w.out, w.take(1)...)
		}
	}
	w.out = append(w.out, w.take(1)...)
}

// object writes the members one after the other, and then in their order.
func (w *rewriter) object() {
	w.depth++
	begin, outer := len(w.out), len(w.members)
	for w.take(1); w.rest[0] != '}'; {
		from, name := len(w.out), w.text()
		w.out = append(append(w.out, name...), w.take(1)...)
		if w.value(); w.depth == 1 && string(name) == `"`+w.without+`"` {
			w.out = w.out[:from]
		} else {
			w.members = append(w.members, member{name, from, len(w.out)})
		}
		if w.rest[0] == ',' {
			w.take(1)
		}
	}
	w.take(1)
	mine := w.members[outer:]
	slices.SortStableFunc(mine, func(a, b member) int { return bytes.Compare(a.name, b.name) })
	w.sorted = append(w.sorted[:0], '{')
	for i, m := range mine {
		if i > 0 {
			w.sorted = append(w.sorted, ',')
		}
		w.sorted = append(w.sorted, w.out[m.from:m.to]...)
	}
	w.out = append(append(w.out[:begin], w.sorted...), '}')
	w.members = w.members[:outer]
	w.depth--
}

// text takes a text, escaped as encoding/json does it.
func (w *rewriter) text() []byte {
	end := 1
	for w.rest[end] != '"' {
		if w.rest[end] == '\\' {
			end++
		}
		end++
	}
	raw := w.take(end + 1)
	if !bytes.ContainsAny(raw, "\\<>&\u2028\u2029") {
		return raw
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return raw
	}
	again, _ := json.Marshal(s) // a text always can be
	return again
}
