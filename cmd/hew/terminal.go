package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mitchellh/go-wordwrap"
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

// console is a stream for people: what goes there is coloured and wrapped as
// it can bear.
type console struct {
	io.Writer
	paint paint
	width int // in columns; 0 is without limit
}

// console is how a stream of this run is written to.
func (a *app) console(w io.Writer) console {
	return console{w, paint(!a.noColor && coloured(a.env, a.tty(w))), widthOf(w)}
}

// coloured tells by the usual variables whether a stream takes colour:
// NO_COLOR wins, CLICOLOR_FORCE has it in pipes as well (the log of a pipeline
// shows it), CLICOLOR=0 is a no.
func coloured(env map[string]string, terminal bool) bool {
	switch force := env["CLICOLOR_FORCE"]; {
	case env["NO_COLOR"] != "":
		return false
	case force != "" && force != "0":
		return true
	case env["CLICOLOR"] == "0" || env["TERM"] == "dumb":
		return false
	}
	return terminal
}

// printf writes text. An error is told at the end of the run.
func (c console) printf(format string, args ...any) { fmt.Fprintf(c, format, args...) }

// paragraph writes prose, indented, and wrapped on a terminal. An empty one
// takes no line.
func (c console) paragraph(indent int, prose string) {
	if prose == "" {
		return
	}
	for line := range strings.SplitSeq(strings.TrimSpace(prose), "\n") {
		line = clean(line)
		if c.width > indent+20 {
			line = wordwrap.WrapString(line, uint(c.width-indent))
		}
		for l := range strings.SplitSeq(line, "\n") {
			c.printf("%s\n", strings.TrimRight(strings.Repeat(" ", indent)+l, " "))
		}
	}
}

// isTerminal tells whether a person sits at the other end.
func isTerminal(stream any) bool {
	f, ok := bare(stream).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// widthOf is the number of columns of a terminal, 0 for anything else: no
// limit.
func widthOf(w io.Writer) int {
	if f, ok := bare(w).(*os.File); ok {
		if cols, _, err := term.GetSize(int(f.Fd())); err == nil {
			return cols
		}
	}
	return 0
}
