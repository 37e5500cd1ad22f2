package diff

import (
	"fmt"
	"strings"
)

// ShowsLine reports whether a patch shows a line, counted from 1 in the new file or, with old, in
// the old one.
func ShowsLine(patch string, line int, old bool) bool {
	var at [2]int // the next line of the old and of the new file
	side, other := 1, byte('-')
	if old {
		side, other = 0, '+'
	}
	for text := range strings.Lines(patch) {
		switch text[0] {
		case '@':
			at = hunkStart(text)
		case ' ', '-', '+':
			if text[0] == other {
				at[1-side]++
				continue
			}
			if at[side] == line {
				return true
			}
			at[side]++
		}
	}
	return false
}

// hunkStart reads the first lines of a hunk from "@@ -1,3 +1,4 @@".
func hunkStart(header string) (at [2]int) {
	for field := range strings.FieldsSeq(header) {
		switch field[0] {
		case '-':
			_, _ = fmt.Sscanf(field, "-%d", &at[0])
		case '+':
			_, _ = fmt.Sscanf(field, "+%d", &at[1])
			return at
		}
	}
	return at
}
