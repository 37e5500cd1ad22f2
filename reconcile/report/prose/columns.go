package prose

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Columns is how wide a text is on a terminal: East Asian wide characters and
// emoji take two columns, combining marks none. Ambiguous ones count as one,
// which they are everywhere but in East Asian fonts.
func Columns(s string) (n int) {
	for _, r := range s {
		n += ColumnsOf(r)
	}
	return n
}

// ColumnsOf returns how many columns a character takes on a terminal: 0, 1 or 2.
func ColumnsOf(r rune) int {
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

// Pad fills s up to the given column, with two spaces at the least.
func Pad(s string, used, column int) string {
	return s + strings.Repeat(" ", max(2, column-used-Columns(s)))
}
