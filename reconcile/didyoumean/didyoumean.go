// Package didyoumean suggests a name for a misspelled one: of a kind, an attribute, a function, a
// flag or an address. All suggestions come from here, so that the same misspelling is recognised
// everywhere.
package didyoumean

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"
)

// Nearest returns the candidate that name is probably a misspelling of, or "". A longer name may
// differ in more letters. Of equally near candidates it returns the first.
func Nearest(name string, candidates []string) string {
	best, least := "", min(1+len(name)/5, len(name)-1)
	for _, c := range candidates {
		if d := distance(strings.ToLower(name), strings.ToLower(c)); d <= least && c != name {
			best, least = c, d-1
		}
	}
	return best
}

// Hint returns " Did you mean …?" with the nearest candidate, to append to a sentence, or "" if
// none is near.
func Hint(name string, candidates []string) string {
	if best := Nearest(name, candidates); best != "" {
		return fmt.Sprintf(" Did you mean %q?", best)
	}
	return ""
}

// distance counts typing errors. Two letters in the wrong order are one error.
func distance(a, b string) int {
	if len(a) == len(b) && a != b {
		for i := 1; i < len(a); i++ {
			if a[:i-1]+string(a[i])+string(a[i-1])+a[i+1:] == b {
				return 1
			}
		}
	}
	return levenshtein.Distance(a, b, nil)
}
