// Package didyoumean finds the name that somebody probably meant: of a kind, an
// attribute, a function, a flag, an address. Everything that proposes one asks
// here, so that the same slip is forgiven everywhere.
package didyoumean

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"
)

// Nearest is the candidate that name is probably a misspelling of, or "". The
// longer a name, the more slips it may have; of candidates that are equally near
// the first one is taken.
func Nearest(name string, candidates []string) string {
	best, least := "", min(1+len(name)/5, len(name)-1)
	for _, c := range candidates {
		if d := distance(strings.ToLower(name), strings.ToLower(c)); d <= least && c != name {
			best, least = c, d-1
		}
	}
	return best
}

// Hint proposes the nearest candidate, as a sentence to append to another, or is
// "" where none is near.
func Hint(name string, candidates []string) string {
	if best := Nearest(name, candidates); best != "" {
		return fmt.Sprintf(" Did you mean %q?", best)
	}
	return ""
}

// distance counts slips of the fingers; two neighbours that changed places are
// one.
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
