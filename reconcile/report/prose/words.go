// Package prose words texts for people: counts, lists, sentences, the room that they take on a
// terminal, and control characters made visible.
package prose

import (
	"fmt"
	"slices"
	"strings"

	"hew/schema/pattern"
)

// MaxListed is how many of many things are named before the rest is only counted.
const MaxListed = 10

// Sentence makes a sentence of the text of an error, which begins small and ends
// without a stop. What begins with a name stays as it is.
func Sentence(s string) string {
	s = strings.TrimSpace(s)
	first, _, _ := strings.Cut(s, " ")
	if plainWord().MatchString(first) && first != "hew" && !ofArgument().MatchString(s) {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if s != "" && !strings.ContainsRune(".!?:\n", rune(s[len(s)-1])) && !strings.HasSuffix(s, ".)") {
		s += "."
	}
	return s
}

var plainWord = pattern.Lazy(`^[a-z]+,?$`)

// ofArgument matches the beginning of an error about an argument of a block: url of
// project_hook.ci: …
var ofArgument = pattern.Lazy(`^[a-z]+ of \S+\.\S+: `)

// NonEmpty returns a list of the text, empty for an empty one.
func NonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// Count puts a number before a noun or a phrase: 1 hook, 2 hooks. What becomes
// another with it is given, too.
func Count(n int, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) > 0:
		return fmt.Sprintf("%d %s", n, many[0])
	case strings.HasSuffix(one, "s"):
		return fmt.Sprintf("%d %s", n, one)
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// needsNoQuotes is a word that no shell makes something else of.
var needsNoQuotes = pattern.Lazy(`^[\w./:@%+,=-]+$`)

// Pasted is a word of a command that people copy: in quotes, if a shell would make
// something else of it.
func Pasted(word string) string {
	if needsNoQuotes().MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// WithCost ends a line that sums up with what it took.
func WithCost(line string, requests int, seconds float64) string {
	return line + "  " + Cost(requests, seconds) + "."
}

// Cost is what a run took.
func Cost(requests int, seconds float64) string {
	if seconds < 120 {
		return fmt.Sprintf("%s, %.1f s", Count(requests, "request"), seconds)
	}
	return fmt.Sprintf("%s, %d min %d s", Count(requests, "request"), int(seconds)/60, int(seconds)%60)
}

// List joins what has a name for a sentence.
func List[T fmt.Stringer](all []T) string {
	names := make([]string, 0, len(all))
	for _, a := range all {
		names = append(names, Clean(a.String()))
	}
	return SomeOf(names)
}

// SomeOf joins names for a sentence, the first few of them.
func SomeOf(names []string) string {
	if len(names) > MaxListed {
		names = slices.Concat(names[:MaxListed], []string{fmt.Sprintf("%d more", len(names)-MaxListed)})
	}
	return strings.Join(names, ", ")
}

// Series is a list of names in a sentence: "a, b or c".
func Series(names []string, conjunction string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " " + conjunction + " " + names[last]
}
