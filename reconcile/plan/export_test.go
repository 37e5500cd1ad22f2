package plan

import "slices"

// Liftable lists the words that allow = [...] takes.
func Liftable() []string {
	words := []string{Restore}
	for _, g := range Rules() {
		if g.Lift {
			words = append(words, g.Code)
		}
	}
	slices.Sort(words)
	return words
}
