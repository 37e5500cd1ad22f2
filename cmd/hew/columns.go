package main

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// columns is how wide a text is on a terminal: East Asian wide characters and
// emoji take two columns, combining marks none. Ambiguous ones count as one,
// which they are everywhere but in East Asian fonts.
func columns(s string) (n int) {
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	switch {
	case r < 0x300: // most of what there is
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// pad fills s up to the given column, with two spaces at the least.
func pad(s string, used, column int) string {
	return s + strings.Repeat(" ", max(2, column-used-columns(s)))
}
