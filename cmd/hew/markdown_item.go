package main

import (
	"strings"

	"hew/reconcile/plan"
)

// markdown is an item on a line, and folded with a diff of what changes in it.
func (it dangerous) markdown() entry {
	name := string(it.sign) + " " + it.name
	tell := func(code func(string) string, title string) string {
		said := code(name)
		if title != "" {
			said += " " + plainly(title, code)
		}
		if it.cause != "" {
			said += ", " + plainly(it.cause, code)
		}
		return said
	}
	e := entry{line: "- " + tell(verbatim, it.title+it.also) + "\n"}
	if lines := it.diff(); len(lines) > 0 {
		f := fence(3, lines...)
		e.full = "<details>\n<summary>" + tell(verbatimHTML, it.title) + "</summary>\n\n" +
			f + "diff\n" + strings.Join(lines, "\n") + "\n" + f + "\n\n</details>\n\n"
	}
	return e
}

// diff renders the rows as a difference in the form that hosts colour: what
// goes, what comes, and (!) what changes in itself.
func (it item) diff() (lines []string) {
	ofSet := len(it.rows) > 0 && it.rows[0].sign != 0
	for _, r := range it.rows {
		said := ""
		if r.cause != "" {
			said = "  # " + r.cause
		}
		switch {
		case ofSet && r.sign == 0: // more of the element above
			lines = append(lines, "!   "+r.value+said)
		case ofSet:
			lines = append(lines, mark(rune(r.sign))+strings.TrimSpace(r.name+"  "+r.value)+said)
		case it.sign == plan.Create && r.name != "" && r.name != notStated:
			lines = append(lines, "+ "+r.name+" = "+r.value+said)
		case r.arrow != arrow{}:
			lines = append(lines, "- "+r.name+" = "+r.arrow.from, "+ "+r.name+" = "+r.arrow.to+strings.TrimPrefix(r.value, r.arrow.String())+said)
		case r.name == "" || r.name == notStated:
			lines = append(lines, "  "+strings.TrimSpace(r.name+" "+r.value)+said)
		default:
			lines = append(lines, "! "+r.name+" "+r.value+said)
		}
		for _, l := range r.body {
			lines = append(lines, strings.TrimRight(mark(l.op)+strings.Repeat("    ", l.depth+1)+l.text, " "))
		}
	}
	return lines
}

// mark begins a line of a diff. Hosts know no other signs.
func mark(op rune) string {
	switch op {
	case '+', '-':
		return string(op) + " "
	case '~', '±':
		return "! "
	case 0, ' ':
		return "  "
	}
	return "  " + string(op) + " "
}
