package config

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/hcl/v2"
)

// report gathers errors, so that one run shows all of them.
type report struct{ diags hcl.Diagnostics }

func (r *report) fail(at hcl.Range, summary, format string, args ...any) {
	r.diags = append(r.diags, &hcl.Diagnostic{
		Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &at,
	})
}

// errors is how many there are so far.
func (r *report) errors() int { return len(r.diags.Errs()) }

func (r *report) add(diags hcl.Diagnostics) { r.diags = append(r.diags, diags...) }

// didYouMean proposes the candidate closest to name, as a sentence to append,
// or "" where none is near.
func didYouMean(name string, candidates []string) string {
	if best := nearest(name, candidates); best != "" {
		return fmt.Sprintf(" Did you mean %q?", best)
	}
	return ""
}

// nearest is the candidate that name is probably a misspelling of, or "".
func nearest(name string, candidates []string) string {
	best, least := "", min(1+len(name)/5, len(name)-1)
	for _, c := range candidates {
		if d := distance(strings.ToLower(name), strings.ToLower(c)); d <= least && c != name {
			best, least = c, d-1
		}
	}
	return best
}

// distance counts slips of the fingers; two neighbours that changed places are
// one.
func distance(a, b string) int {
	if len(a) == len(b) {
		for i := 1; i < len(a); i++ {
			if a[:i-1]+string(a[i])+string(a[i-1])+a[i+1:] == b && a != b {
				return 1
			}
		}
	}
	return levenshtein.Distance(a, b, nil)
}

// orList is a list of names in words: "a, b or c".
func orList(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
