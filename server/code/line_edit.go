package code

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// LineEdit replaces lines of a file, as a suggestion does.
type LineEdit struct {
	First, Last int    // counted from 1, ends included
	Text        string // of the new lines, "" for none; the last line feed may be missing
}

// ErrOverlap is the error of edits of the same lines.
var ErrOverlap = errors.New("two of the edits change the same lines")

// ReplaceLines applies edits, whose numbers are all those of the text before, in any order. New
// lines end as those that they replace, with a carriage return or without, and the last line of a
// file keeps to be without a line feed. The error is ErrOverlap, or that the text has no such lines.
func ReplaceLines(text string, edits []LineEdit) (string, error) {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	edits = slices.SortedFunc(slices.Values(edits), func(a, b LineEdit) int { return cmp.Compare(a.First, b.First) })
	var out strings.Builder
	done := 0 // lines
	for _, e := range edits {
		switch {
		case e.First < 1 || e.Last < e.First || e.Last > len(lines):
			return "", fmt.Errorf("the file has %d lines: lines %d to %d cannot be replaced", len(lines), e.First, e.Last)
		case e.First <= done:
			return "", ErrOverlap
		}
		out.WriteString(strings.Join(lines[done:e.First-1], ""))
		out.WriteString(e.in(lines[e.First-1 : e.Last]))
		done = e.Last
	}
	out.WriteString(strings.Join(lines[done:], ""))
	return out.String(), nil
}

// in returns the new lines with the ends of those that they replace.
func (e LineEdit) in(old []string) string {
	if e.Text == "" {
		return ""
	}
	text := strings.ReplaceAll(strings.TrimSuffix(e.Text, "\n"), "\r\n", "\n") + "\n"
	if strings.HasSuffix(old[0], "\r\n") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if !strings.HasSuffix(old[len(old)-1], "\n") {
		text = strings.TrimRight(text, "\r\n")
	}
	return text
}
