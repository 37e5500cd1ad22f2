package view

import (
	"fmt"
	"strings"

	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// WriteDiagnostics prints diagnostics for people.
func WriteDiagnostics(r report.Diagnostics, c Console) { printDiagnostics(c, report.DiagnosticsOf(r)) }

var severityColours = map[string]string{"error": red, "warning": yellow}

// printDiagnostics prints each diagnostic with its place, lines and detail, equal ones once, and
// then how many there are.
func printDiagnostics(c Console, all []report.Diagnostic) {
	n := map[string]int{}
	for _, d := range all {
		n[d.Severity]++
	}
	for _, d := range report.GroupDiagnostics(all) {
		colour := severityColours[d.Severity]
		c.Printf("%s %s\n", c.Paint.In(colour, d.Gravity()+":"), c.Paint.In(Bold, prose.Clean(d.Summary)))
		if d.Range != nil {
			c.Printf("  %s\n",
				prose.Clean(fmt.Sprintf("%s:%d:%d", d.Range.Filename, d.Range.Start.Line, d.Range.Start.Column)))
		}
		for _, l := range d.Snippet {
			if c.Width > 40 {
				l = l.Crop(c.Width - len("123456 | "))
			}
			number := strings.Repeat(" ", 5) + "…"
			if l.Line > 0 {
				number = fmt.Sprintf("%6d", l.Line)
			}
			c.Printf("%s%s\n", c.Paint.In(dim, number+" |"), leading(prose.Clean(l.Code)))
			if l.Marks != "" {
				c.Printf("%s%s\n", c.Paint.In(dim, "       |")+" ", c.Paint.In(colour, prose.Clean(l.Marks)))
			}
		}
		c.Paragraph(2, prose.Sentence(d.Detail))
		printOthers(c, d)
		c.Printf("\n")
	}
	if len(all) > 1 {
		var counts []string
		for _, severity := range []string{"error", "warning"} {
			if n[severity] > 0 {
				counts = append(counts, prose.Count(n[severity], severity))
			}
		}
		c.Printf("%s\n", c.Paint.In(Bold, strings.Join(counts, ", ")+"."))
	}
}

// WriteError prints an error that has no summary, such as that of a wrong flag.
func WriteError(c Console, err error) {
	const gravity = "Error:"
	var b strings.Builder
	plain := c
	plain.Writer = &b
	plain.Paragraph(0, prose.Sentence(gravity+" "+err.Error()))
	c.Printf("%s%s", c.Paint.In(red, gravity), strings.TrimPrefix(b.String(), gravity))
}

// printOthers prints what the equal ones of a diagnostic are about.
func printOthers(c Console, g report.DiagnosticGroup) {
	listed, more := g.Listed()
	if len(listed) > 0 {
		c.Printf("  The same for:\n")
	}
	for _, about := range listed {
		c.Printf("    %s\n", about)
	}
	if more > 0 {
		c.Printf("    and %d more\n", more)
	}
}

// leading returns a text with a blank before it, or "".
func leading(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}
