// Package manual writes pages of the manual in the language that man reads. Both programs make their pages of their own
// flags and commands with it.
package manual

import (
	"fmt"
	"iter"
	"strings"
)

// Page is a page, written from its top to its end. The zero value is ready to use, and String is what man reads: requests
// begin a line with a dot, and everything else is text in which few characters mean more than themselves.
type Page struct{ strings.Builder }

// Title begins the page: its name and section, and whose manual it is in. It has no date and no version, so that a page
// changes with its subject alone.
func (p *Page) Title(name, section, program string) {
	p.request("TH", strings.ToUpper(name), section, "", program, "Manual of "+program)
}

// Section begins a section.
func (p *Page) Section(title string) { p.request("SH", title) }

// Subsection begins a part of a section.
func (p *Page) Subsection(title string) { p.request("SS", title) }

// Text is a paragraph.
func (p *Page) Text(text string) { p.Line("%s", Escape(text)) }

// Line writes what is in the language of man already.
func (p *Page) Line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// List is a section of names, and what is to be said of each; without any there is no section. What follows a "=" in a
// name stands for a value.
func (p *Page) List(title string, facts iter.Seq2[string, string]) {
	begun := false
	for name, is := range facts {
		if !begun {
			p.Section(title)
			begun = true
		}
		p.Item(name, is)
	}
}

// Item is a name, and what is to be said of it.
func (p *Page) Item(name, is string) {
	p.request("TP")
	name, value, ok := strings.Cut(name, "=")
	if ok {
		value = `=\fI` + Escape(value) + `\fR`
	}
	p.Line(`\fB%s\fR%s`, Escape(name), value)
	p.Text(is)
}

// Verbatim keeps lines as they are.
func (p *Page) Verbatim(text string) {
	p.request("PP")
	p.request("nf")
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		p.Text(line)
	}
	p.request("fi")
}

// Help is a text that was written for a terminal: its paragraphs flow, and what is indented in it is kept as it is.
func (p *Page) Help(text string) {
	for i, block := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		switch {
		case strings.HasPrefix(block, "  "):
			p.Verbatim(block)
		case i > 0:
			p.request("PP")
			fallthrough
		default:
			p.Text(strings.ReplaceAll(block, "\n", " "))
		}
	}
}

// request is a macro with its arguments, all of them quoted.
func (p *Page) request(name string, args ...string) {
	p.WriteString("." + name)
	for _, a := range args {
		fmt.Fprintf(p, " \"%s\"", Escape(a))
	}
	p.WriteByte('\n')
}

// special are the characters that man would set as others, or obey.
var special = strings.NewReplacer(
	`\`, `\e`, `-`, `\-`, `'`, `\(aq`, `"`, `\(dq`, "`", `\(ga`, `^`, `\(ha`, `~`, `\(ti`,
)

// Escape makes text of s, whatever it holds.
func Escape(s string) string {
	s = special.Replace(s)
	var b strings.Builder
	for _, r := range s {
		if r > '~' {
			fmt.Fprintf(&b, `\[u%04X]`, r) // no reader has to guess the encoding
			continue
		}
		b.WriteRune(r)
	}
	if s = b.String(); strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}
