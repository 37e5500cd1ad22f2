package main

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// paint colours text, or leaves it as it is.
type paint bool

// The colours of hew's output; signs have theirs in signColour.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	purple = "35"
	cyan   = "36"
)

var signColour = map[rune]string{
	'+': green, '-': red, '~': yellow, '±': purple, '=': cyan, '>': cyan, 'x': purple, '…': dim,
}

func (p paint) in(colour, s string) string {
	if !p || colour == "" || s == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

func (p paint) sign(r rune) string { return p.in(signColour[r], string(r)) }

// isTerminal tells whether a person sits at the other end.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// widthOf is the number of columns of a terminal, 0 for anything else: no
// limit.
func widthOf(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if cols, _, err := term.GetSize(int(f.Fd())); err == nil {
			return cols
		}
	}
	return 0
}

// pad fills s up to the given column, with two spaces at the least.
func pad(s string, used, column int) string {
	return s + strings.Repeat(" ", max(2, column-used-utf8.RuneCountInString(s)))
}
