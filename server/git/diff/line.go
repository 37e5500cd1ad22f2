package diff

import (
	"fmt"
	"strings"
)

// Line is a line that a patch shows, counted from 1. Old is 0 for an added line, New for a removed
// one.
type Line struct{ Old, New int }

// FindLine returns a line that a patch shows, by its number in the new file or, with old, in the
// old one; ok is false if it is not shown.
func FindLine(patch string, number int, old bool) (line Line, ok bool) {
	var at Line // the next line of the old and of the new file
	for text := range strings.Lines(patch) {
		shown := at
		switch text[0] {
		case '@':
			at = hunkStart(text)
			continue
		case ' ':
			at.Old, at.New = at.Old+1, at.New+1
		case '-':
			at.Old, shown.New = at.Old+1, 0
		case '+':
			at.New, shown.Old = at.New+1, 0
		default:
			continue
		}
		if old && shown.Old == number || !old && shown.New == number {
			return shown, number > 0
		}
	}
	return Line{}, false
}

// Counters returns a line that a patch shows with both numbers: for a side that does not have it,
// the number of the line there that comes next.
func Counters(patch string, line Line) Line {
	var at Line
	for text := range strings.Lines(patch) {
		switch text[0] {
		case '@':
			at = hunkStart(text)
			continue
		case ' ', '-', '+':
		default:
			continue
		}
		if line.New == 0 && text[0] == '-' && at.Old == line.Old ||
			line.New != 0 && text[0] != '-' && at.New == line.New {
			return at
		}
		if text[0] != '+' {
			at.Old++
		}
		if text[0] != '-' {
			at.New++
		}
	}
	return line
}

// hunkStart reads the first lines of a hunk from "@@ -1,3 +1,4 @@".
func hunkStart(header string) (at Line) {
	for field := range strings.FieldsSeq(header) {
		switch field[0] {
		case '-':
			_, _ = fmt.Sscanf(field, "-%d", &at.Old)
		case '+':
			_, _ = fmt.Sscanf(field, "+%d", &at.New)
			return at
		}
	}
	return at
}
