package rewrite

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
)

// Result is how the files change to adopt a drift. Nothing is written yet.
type Result struct {
	Files   []File  // that change, sorted by name
	Written []Value // in the order of the plan
	Manual  []Value
}

// File is a file that changes, without a byte order mark and with \n line ends.
type File struct {
	Name          string
	Before, After []byte
	// Redacted is Before and After with redacted secrets. Only it may be printed.
	Redacted Versions
}

// Versions is a text before and after.
type Versions struct{ Before, After string }

// Value is one value that drifted.
type Value struct {
	Addr addr.Instance
	Attr string    // as the block names it; "" for the whole object
	Live string    // as an expression; "" if there is none or it must not be shown
	At   hcl.Range // the argument, else the block
	Why  string    // the reason if it was not written
}

// Adopt returns how to change the files of a configuration so that they state what others have
// changed on the host. It uses the drift of the plan, and no pending changes of the configuration.
func Adopt(cfg *config.Config, p *plan.Plan) *Result {
	w := &adopter{cfg: cfg, files: map[string]*source{}, redacted: cfg.Sources(), result: &Result{}}
	for i := 0; i < len(p.Changes); {
		c := &p.Changes[i]
		if set, ok := setAddr(c.Addr); ok {
			n := 1
			for i+n < len(p.Changes) && isElementOf(set, p.Changes[i+n].Addr) {
				n++
			}
			w.adoptSet(set, p.Changes[i:i+n])
			i += n
			continue
		}
		if i++; c.Drifted() {
			w.adoptObject(c)
		}
	}
	for _, s := range w.files {
		if len(s.edits) > 0 {
			w.result.Files = append(w.result.Files, s.toFile(w.redacted[s.name].Bytes))
		}
	}
	slices.SortFunc(w.result.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return w.result
}

// adopter is the state of one Adopt.
type adopter struct {
	cfg      *config.Config
	files    map[string]*source
	redacted map[string]*hcl.File
	result   *Result
}

// record adds the edits for a value to the file, or the value to Left if there is a reason why.
func (w *adopter) record(v Value, s *source, edits []edit, why string) {
	if why == "" && len(edits) == 0 {
		why = "hew found nothing to change there"
	}
	if v.Why = why; why != "" {
		w.result.Manual = append(w.result.Manual, v)
		return
	}
	s.edits = append(s.edits, edits...)
	w.result.Written = append(w.result.Written, v)
}

// recordLeft adds a value to Left.
func (w *adopter) recordLeft(v Value, why string) { w.record(v, nil, nil, why) }

// setAddr returns the address of the set of an element; ok is false for other addresses.
func setAddr(a addr.Instance) (set addr.Instance, ok bool) {
	if a.Mode != addr.Resource || a.Elem == "" || a.Deposed() {
		return a, false
	}
	a.Elem = ""
	return a, true
}

func isElementOf(set, of addr.Instance) bool {
	of, is := setAddr(of)
	return is && of == set
}
