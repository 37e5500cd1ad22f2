package view

import (
	"strings"

	"github.com/mitchellh/go-wordwrap"
)

// Page prints a page for people: prose is wrapped to the terminal, list items hang, code stays as
// it is.
func (c Console) Page(text string) {
	verbatim := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		fence := strings.HasPrefix(line, "```")
		verbatim = verbatim != fence
		if c.Width > 20 && !verbatim && !fence {
			indent := ""
			if strings.HasPrefix(line, "- ") {
				indent = "  "
			}
			line = wordwrap.WrapString(line, uint(c.Width-len(indent)))
			line = strings.ReplaceAll(line, "\n", "\n"+indent)
		}
		c.Printf("%s\n", line)
	}
}
