// Package rewrite puts what others have changed on the host into the files of a
// configuration, as their writers would: a literal takes the live value in its
// place, and whatever else stands in the file, comments and layout, stays. What
// is no literal is left, and listed with the reason.
//
// Adopt walks over the drift: values of objects by object.go, the entries of a
// set by set.go. Where a value is written is found by site.go; literal.go changes
// it there, list.go and entries.go what consists of others (bracket.go: how
// elements come and go), blocks.go lists that are written as nested blocks, and
// other.go what another tool writes otherwise. spell.go has the words of people,
// mean.go makes sure that they mean the value, splice.go makes a file of it.
package rewrite

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
)

// Result is what adopting a drift comes to. Nothing is written yet.
type Result struct {
	Files   []File  // those that change, by name
	Written []Value // in the order of the plan
	Left    []Value
}

// File is a file that changes, without byte order mark and with plain line ends.
type File struct {
	Name          string
	Before, After []byte
	// Shown is the same with its secrets covered: this alone may be printed.
	Shown Versions
}

// Versions are a text before and after.
type Versions struct{ Before, After string }

// Value is one value that drifted.
type Value struct {
	Addr addr.Instance
	Attr string    // as the block calls it; "" for an object as a whole
	Live string    // as a configuration writes it; "" where it may not be shown, or there is none
	At   hcl.Range // where it is written, else the block
	Why  string    // it was left
}

// Adopt works out how the files of a configuration come to say what others have
// made of the host. Of the plan it takes what is drift, and nothing that is only
// pending.
func Adopt(cfg *config.Config, p *plan.Plan) *Result {
	w := &writer{cfg: cfg, files: map[string]*source{}, covered: cfg.Sources(), out: &Result{}}
	for i := 0; i < len(p.Changes); {
		c := &p.Changes[i]
		if set, ok := setOf(c.Addr); ok {
			n := 1
			for i+n < len(p.Changes) && sameSet(set, p.Changes[i+n].Addr) {
				n++
			}
			w.set(set, p.Changes[i:i+n])
			i += n
			continue
		}
		if i++; c.Drifted() {
			w.object(c)
		}
	}
	for _, s := range w.files {
		if len(s.edits) > 0 {
			w.out.Files = append(w.out.Files, s.file(w.covered[s.name].Bytes))
		}
	}
	slices.SortFunc(w.out.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return w.out
}

// writer is a walk over a drift.
type writer struct {
	cfg     *config.Config
	files   map[string]*source
	covered map[string]*hcl.File
	out     *Result
}

// write notes edits that a value takes; with a reason it is left instead.
func (w *writer) write(v Value, s *source, edits []edit, why string) {
	if why == "" && len(edits) == 0 {
		why = "hew found nothing there to change"
	}
	if v.Why = why; why != "" {
		w.out.Left = append(w.out.Left, v)
		return
	}
	s.edits = append(s.edits, edits...)
	w.out.Written = append(w.out.Written, v)
}

// leave notes that a value is not written, and why.
func (w *writer) leave(v Value, why string) { w.write(v, nil, nil, why) }

// setOf is the set that an element belongs to.
func setOf(a addr.Instance) (addr.Instance, bool) {
	if a.Mode != addr.Resource || a.Elem == "" || a.Deposed() {
		return a, false
	}
	a.Elem = ""
	return a, true
}

func sameSet(set, of addr.Instance) bool {
	of, is := setOf(of)
	return is && of == set
}
