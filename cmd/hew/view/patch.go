package view

import (
	"strings"

	"hew/reconcile/report/prose"
)

// Patch writes what unified has found, for people in colours. Line breaks of
// another sort they would not see; patch needs them as they are.
func (c Console) Patch(text string, people bool) {
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if people {
			line = prose.Clean(line)
		}
		colour := ""
		switch {
		case n < 2: // the names
		case line[0] == '@':
			colour = cyan
		default:
			colour = signColour[rune(line[0])]
		}
		c.Printf("%s\n", c.Paint.In(colour, line))
		n++
	}
}
