// Package manual writes man pages. Both programs generate theirs from their flags and commands with
// it.
package manual

import (
	"fmt"
	"iter"
	"strings"
)

// Page is a man page, written from top to bottom. The zero value is an empty page. String returns
// it in the language of man(7): lines that begin with a dot are macros, all others are text.
type Page struct{ strings.Builder }

// Title begins the page with its name and section, and the program that it belongs to. It writes no
// date and no version, so that a page changes only with its content.
func (p *Page) Title(name, section, program string) {
	p.macro("TH", strings.ToUpper(name), section, "", program, "Manual of "+program)
}

// Section begins a section.
func (p *Page) Section(title string) { p.macro("SH", title) }

// Subsection begins a subsection.
func (p *Page) Subsection(title string) { p.macro("SS", title) }

// Text writes a paragraph.
func (p *Page) Text(text string) { p.Line("%s", Escape(text)) }

// Line writes a line that is in the language of man(7) already.
func (p *Page) Line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// List writes a section with an item for each name, or nothing if there are no names.
func (p *Page) List(title string, facts iter.Seq2[string, string]) {
	begun := false
	for name, description := range facts {
		if !begun {
			p.Section(title)
			begun = true
		}
		p.Item(name, description)
	}
}

// Item writes a name and its description. What follows "=" in the name is set as a placeholder.
func (p *Page) Item(name, description string) {
	p.macro("TP")
	name, value, ok := strings.Cut(name, "=")
	if ok {
		value = `=\fI` + Escape(value) + `\fR`
	}
	p.Line(`\fB%s\fR%s`, Escape(name), value)
	p.Text(description)
}

// Verbatim writes lines without filling them.
func (p *Page) Verbatim(text string) {
	p.macro("PP")
	p.macro("nf")
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		p.Text(line)
	}
	p.macro("fi")
}

// Help writes the help text of a command: it fills its paragraphs and keeps what is indented.
func (p *Page) Help(text string) {
	for i, block := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		switch {
		case strings.HasPrefix(block, "  "):
			p.Verbatim(block)
		case i > 0:
			p.macro("PP")
			fallthrough
		default:
			p.Text(strings.ReplaceAll(block, "\n", " "))
		}
	}
}

// macro writes a macro with its arguments in quotes.
func (p *Page) macro(name string, args ...string) {
	p.WriteString("." + name)
	for _, a := range args {
		fmt.Fprintf(p, " \"%s\"", Escape(a))
	}
	p.WriteByte('\n')
}

// escapes replaces the characters that man changes or interprets.
var escapes = strings.NewReplacer(
	`\`, `\e`, `-`, `\-`, `'`, `\(aq`, `"`, `\(dq`, "`", `\(ga`, `^`, `\(ha`, `~`, `\(ti`,
)

// Escape returns s so that man sets it as it is.
func Escape(s string) string {
	s = escapes.Replace(s)
	var b strings.Builder
	for _, r := range s {
		if r > '~' {
			fmt.Fprintf(&b, `\[u%04X]`, r) // independent of the encoding that man expects
			continue
		}
		b.WriteRune(r)
	}
	if s = b.String(); strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}
