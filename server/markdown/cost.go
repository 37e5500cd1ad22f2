package markdown

import "strings"

// The limits of what is converted. The converter takes a time that grows with the square of each of
// the last three, so that a megabyte of asterisks would take minutes.
const (
	maxText       = 256 << 10 // bytes
	maxDelimiters = 4000      // asterisks and underscores of a paragraph
	maxNesting    = 100       // quotes and lists within each other
	maxReferences = 2000      // definitions of links
)

// isCostly reports whether a text exceeds a limit.
func isCostly(text string) bool {
	if len(text) > maxText || strings.Count(text, "]:") > maxReferences {
		return true
	}
	delimiters := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			delimiters = 0
			continue
		}
		delimiters += strings.Count(line, "*") + strings.Count(line, "_") + strings.Count(line, "~")
		if delimiters > maxDelimiters || nesting(line) > maxNesting {
			return true
		}
	}
	return false
}

// nesting counts the marks of quotes and lists at the beginning of a line.
func nesting(line string) (n int) {
	for i, c := range line {
		switch {
		case c == '>':
			n++
		case strings.ContainsRune("-+*.)", c):
			if i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t') {
				n++
			}
		case c != ' ' && c != '\t' && (c < '0' || c > '9'):
			return n
		}
	}
	return n
}
