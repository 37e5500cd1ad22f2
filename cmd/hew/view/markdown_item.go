package view

import (
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report"
)

// markdownEntry is an item on a line, and folded with a diff of what changes in it.
func markdownEntry(it report.Ranked) entry {
	name := string(it.Sign) + " " + it.Name
	tell := func(code func(string) string, title string) string {
		said := code(name)
		if title != "" {
			said += " " + Plainly(title, code)
		}
		if it.Cause != "" {
			said += ", " + Plainly(it.Cause, code)
		}
		return said
	}
	e := entry{line: "- " + tell(Verbatim, it.Title+it.Also) + "\n"}
	if lines := diffOf(it.Item); len(lines) > 0 {
		f := fence(3, lines...)
		e.full = "<details>\n<summary>" + tell(verbatimHTML, it.Title) + "</summary>\n\n" +
			f + "diff\n" + strings.Join(lines, "\n") + "\n" + f + "\n\n</details>\n\n"
	}
	return e
}

// diffOf renders the rows as a difference in the form that hosts colour: what
// goes, what comes, and (!) what changes in itself.
func diffOf(it report.Item) (lines []string) {
	ofSet := len(it.Rows) > 0 && it.Rows[0].Sign != 0
	for _, r := range it.Rows {
		said := ""
		if r.Cause != "" {
			said = "  # " + r.Cause
		}
		switch {
		case ofSet && r.Sign == 0: // more of the element above
			lines = append(lines, "!   "+r.Value+said)
		case ofSet:
			lines = append(lines, mark(rune(r.Sign))+strings.TrimSpace(r.Name+"  "+r.Value)+said)
		case it.Sign == plan.Create && r.Name != "" && r.Name != report.NotStated:
			lines = append(lines, "+ "+r.Name+" = "+r.Value+said)
		case r.Arrow != report.Arrow{}:
			lines = append(lines, "- "+r.Name+" = "+r.Arrow.From, "+ "+r.Name+" = "+r.Arrow.To+strings.TrimPrefix(r.Value, r.Arrow.String())+said)
		case r.Name == "" || r.Name == report.NotStated:
			lines = append(lines, "  "+strings.TrimSpace(r.Name+" "+r.Value)+said)
		default:
			lines = append(lines, "! "+r.Name+" "+r.Value+said)
		}
		for _, l := range r.Body {
			lines = append(lines, strings.TrimRight(mark(l.Op)+strings.Repeat("    ", l.Depth+1)+l.Text, " "))
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
