package view

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mitchellh/go-wordwrap"
	"golang.org/x/term"

	"hew/reconcile/report/prose"
)

// Paint colours text if it is true.
type Paint bool

// The colours of hew's output; signs have theirs in signColour.
const (
	Bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	purple = "35"
	cyan   = "36"
)

var signColour = map[rune]string{
	'+': green, '-': red, '~': yellow, '±': purple, '=': cyan, '>': cyan, 'x': purple, '?': yellow, '…': dim,
}

// In returns a text in a colour, or as it is.
func (p Paint) In(colour, s string) string {
	if !p || colour == "" || s == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

func (p Paint) sign(r rune) string { return p.In(signColour[r], string(r)) }

// Console is a stream for people, with colours and a width.
type Console struct {
	io.Writer
	Paint Paint
	Width int // in columns; 0 is without limit
}

// Sink is what a stream leads to.
type Sink int

// The sinks. The log of a CI job is a pipe.
const (
	Pipe Sink = iota
	Terminal
	File
)

// SinkOf returns what a writer leads to; isTerminal is [IsTerminal] but in tests.
func SinkOf(w any, isTerminal func(any) bool) Sink {
	if isTerminal(w) {
		return Terminal
	}
	if f, ok := unwrapped(w).(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return File
		}
	}
	return Pipe
}

// Colored reports whether a stream is colored: NO_COLOR disables color, CLICOLOR_FORCE and
// FORCE_COLOR enable it, and otherwise a terminal and the log of a GitLab CI job are colored,
// unless CLICOLOR=0 or TERM=dumb. The value 0 of CLICOLOR_FORCE, FORCE_COLOR and GITLAB_CI, and
// false, count as not set.
func Colored(env map[string]string, sink Sink) bool {
	switch {
	case env["NO_COLOR"] != "":
		return false
	case isSet(env["CLICOLOR_FORCE"]) || isSet(env["FORCE_COLOR"]):
		return true
	case env["CLICOLOR"] == "0" || env["TERM"] == "dumb":
		return false
	}
	return sink == Terminal || sink == Pipe && isSet(env["GITLAB_CI"])
}

// isSet reports whether the value of an environment variable is anything but a no.
func isSet(value string) bool { return value != "" && value != "0" && value != "false" }

// Printf writes text. An error is reported at the end of the run.
func (c Console) Printf(format string, args ...any) { fmt.Fprintf(c, format, args...) }

// Paragraph writes prose, indented, wrapped on a terminal. An empty text takes no line.
func (c Console) Paragraph(indent int, p string) {
	if p == "" {
		return
	}
	for line := range strings.SplitSeq(strings.TrimSpace(p), "\n") {
		line = prose.Clean(line)
		if c.Width > indent+20 {
			line = wordwrap.WrapString(line, uint(c.Width-indent))
		}
		for l := range strings.SplitSeq(line, "\n") {
			c.Printf("%s\n", strings.TrimRight(strings.Repeat(" ", indent)+l, " "))
		}
	}
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := unwrapped(stream).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// WidthOf returns the columns of a terminal, 0 (no limit) for anything else.
func WidthOf(w io.Writer) int {
	if f, ok := unwrapped(w).(*os.File); ok {
		if cols, _, err := term.GetSize(int(f.Fd())); err == nil {
			return cols
		}
	}
	return 0
}
