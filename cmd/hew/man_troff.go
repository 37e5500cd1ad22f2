package main

import (
	"fmt"
	"strings"
)

// troff writes what man reads: requests and macros begin a line with a dot, and
// everything else is text in which few characters mean more than themselves.
type troff struct{ strings.Builder }

func (t *troff) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

// request is a macro with its arguments, all of them quoted.
func (t *troff) request(name string, args ...string) {
	t.WriteString("." + name)
	for _, a := range args {
		fmt.Fprintf(t, " \"%s\"", escape(a))
	}
	t.WriteByte('\n')
}

func (t *troff) section(title string) { t.request("SH", title) }

// text is a paragraph.
func (t *troff) text(s string) { t.line("%s", escape(s)) }

// list is a section of names and what is to be said of them; without any there
// is no section.
func (t *troff) list(title string, facts []fact) {
	if len(facts) == 0 {
		return
	}
	t.section(title)
	for _, f := range facts {
		t.request("TP")
		name, value, ok := strings.Cut(f.name, "=")
		if ok {
			value = `=\fI` + escape(value) + `\fR`
		}
		t.line(`\fB%s\fR%s`, escape(name), value)
		t.text(f.is)
	}
}

// verbatim keeps lines as they are.
func (t *troff) verbatim(s string) {
	t.request("PP")
	t.request("nf")
	for line := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		t.text(line)
	}
	t.request("fi")
}

func (t *troff) page(path string) *page {
	p := &page{path: path, raw: true}
	p.WriteString(t.String())
	return p
}

// special are the characters that troff would set as others, or obey.
var special = strings.NewReplacer(
	`\`, `\e`, `-`, `\-`, `'`, `\(aq`, `"`, `\(dq`, "`", `\(ga`, `^`, `\(ha`, `~`, `\(ti`,
)

// escape makes text of s, whatever it holds.
func escape(s string) string {
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
