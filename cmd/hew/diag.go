package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/config"
)

// report is what there is to say about a configuration or a run, with the
// sources that its snippets come from.
type report struct {
	hcl.Diagnostics
	sources sources
}

// sorted is the report in the order of files and lines, each diagnostic once;
// those without a place come last. Two runs print the same.
func (r report) sorted() hcl.Diagnostics {
	all := slices.Clone(r.Diagnostics)
	slices.SortStableFunc(all, func(x, y *hcl.Diagnostic) int {
		if x.Subject == nil || y.Subject == nil {
			return cmp.Or(boolOrder(x.Subject == nil, y.Subject == nil), cmp.Compare(x.Severity, y.Severity), cmp.Compare(x.Summary, y.Summary), cmp.Compare(x.Detail, y.Detail))
		}
		return cmp.Or(cmp.Compare(x.Subject.Filename, y.Subject.Filename), cmp.Compare(x.Subject.Start.Byte, y.Subject.Start.Byte),
			cmp.Compare(x.Severity, y.Severity), cmp.Compare(x.Summary, y.Summary), cmp.Compare(x.Detail, y.Detail))
	})
	return slices.CompactFunc(all, func(x, y *hcl.Diagnostic) bool {
		return x.Severity == y.Severity && x.Summary == y.Summary && x.Detail == y.Detail && where(x.Subject) == where(y.Subject)
	})
}

func boolOrder(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

var severities = map[hcl.DiagnosticSeverity]string{hcl.DiagError: "error", hcl.DiagWarning: "warning"}

// write prints the report for people.
func (r report) write(c console) { writeDiagnostics(c, diagnosticsOf(r)) }

var severityColours = map[string]string{"error": red, "warning": yellow}

// writeDiagnostics prints what is wrong, where (with the lines themselves), why
// and what to do, and how many there are.
func writeDiagnostics(c console, all []jsonDiagnostic) {
	n := map[string]int{}
	for _, d := range all {
		n[d.Severity]++
		colour := severityColours[d.Severity]
		c.printf("%s %s\n", c.paint.in(colour, d.gravity()+":"), c.paint.in(bold, clean(d.Summary)))
		if d.Range != nil {
			c.printf("  %s\n", clean(fmt.Sprintf("%s:%d:%d", d.Range.Filename, d.Range.Start.Line, d.Range.Start.Column)))
		}
		for _, l := range d.Snippet {
			if c.width > 40 {
				l = l.crop(c.width - len("123456 | "))
			}
			number := strings.Repeat(" ", 5) + "…"
			if l.Line > 0 {
				number = fmt.Sprintf("%6d", l.Line)
			}
			c.printf("%s%s\n", c.paint.in(dim, number+" |"), leading(clean(l.Code)))
			if l.Marks != "" {
				c.printf("%s%s\n", c.paint.in(dim, "       |")+" ", c.paint.in(colour, clean(l.Marks)))
			}
		}
		c.paragraph(2, sentence(d.Detail))
		c.printf("\n")
	}
	if len(all) > 1 {
		var counts []string
		for _, severity := range []string{"error", "warning"} {
			if n[severity] > 0 {
				counts = append(counts, count(n[severity], severity))
			}
		}
		c.printf("%s\n", c.paint.in(bold, strings.Join(counts, ", ")+"."))
	}
}

// leading sets a text apart from what is before it, if there is one.
func leading(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

// diagnosticsOf is the report as programs get it, and as people do in the end.
func diagnosticsOf(r report) []jsonDiagnostic {
	out := []jsonDiagnostic{}
	for _, d := range r.sorted() {
		j := jsonDiagnostic{Severity: severities[d.Severity], Summary: d.Summary, Detail: d.Detail}
		if d.Subject != nil {
			j.Range = &jsonRange{d.Subject.Filename, position(d.Subject.Start), position(d.Subject.End)}
			j.Snippet = r.sources.snippet(d.Subject)
		}
		out = append(out, j)
	}
	return out
}

func validationOf(r report, notes []string) validation {
	v := validation{FormatVersion: formatVersion, Notes: append([]string{}, notes...), Diagnostics: diagnosticsOf(r)}
	for _, d := range v.Diagnostics {
		if d.Severity == severities[hcl.DiagError] {
			v.Errors++
		} else {
			v.Warnings++
		}
	}
	v.Valid = v.Errors == 0
	return v
}

func position(p hcl.Pos) jsonPos { return jsonPos{p.Line, p.Column, p.Byte} }

// where prints a place, "" for none.
func where(r *hcl.Range) string {
	if r == nil || r.Filename == "" {
		return ""
	}
	return clean(config.Place(*r))
}
