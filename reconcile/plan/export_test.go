package plan

import "slices"

// Liftable lists the words that allow = [...] takes.
func Liftable() []string {
	words := []string{Restore}
	for _, g := range guards {
		if g.lift {
			words = append(words, g.code)
		}
	}
	slices.Sort(words)
	return words
}
