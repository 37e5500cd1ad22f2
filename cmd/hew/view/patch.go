package view

import (
	"strings"

	"hew/reconcile/report/prose"
)

// Patch prints a unified diff in colours. For people control characters are made visible; patch
// needs them as they are.
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
