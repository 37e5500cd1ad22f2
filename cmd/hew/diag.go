package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// report is what there is to say about a configuration or a run, with the
// sources that its snippets come from.
type report struct {
	hcl.Diagnostics
	sources sources
}

// sources are the files of a configuration by name, their secrets covered.
type sources map[string]*hcl.File

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

var severities = map[hcl.DiagnosticSeverity]struct{ title, name, colour string }{
	hcl.DiagError:   {"Error", "error", red},
	hcl.DiagWarning: {"Warning", "warning", yellow},
}

// write prints the report for people: what, where (with the line itself), why
// and what to do.
func (r report) write(c console) {
	for _, d := range r.sorted() {
		s := severities[d.Severity]
		c.printf("%s %s\n", c.paint.in(s.colour, s.title+":"), c.paint.in(bold, clean(d.Summary)))
		if d.Subject != nil {
			c.printf("  %s\n", where(d.Subject))
			if line, under := r.sources.snippet(d.Subject); line != "" {
				number := fmt.Sprintf("%6d | ", d.Subject.Start.Line)
				c.printf("%s%s\n", c.paint.in(dim, number), line)
				c.printf("%s%s\n", c.paint.in(dim, fmt.Sprintf("%*s", len(number), "| ")), c.paint.in(s.colour, under))
			}
		}
		c.paragraph(2, sentence(d.Detail))
		c.printf("\n")
	}
}

// where prints a place as editors and terminals know it: file:line:column.
func where(r *hcl.Range) string {
	if r == nil || r.Filename == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", clean(r.Filename), r.Start.Line, r.Start.Column)
}

// snippet returns the first line of a range and a line of marks under it.
func (s sources) snippet(r *hcl.Range) (line, under string) {
	f := s[r.Filename]
	if f == nil || r.Start.Byte > len(f.Bytes) {
		return "", ""
	}
	begin := bytes.LastIndexByte(f.Bytes[:r.Start.Byte], '\n') + 1
	length := bytes.IndexByte(f.Bytes[begin:], '\n')
	if length < 0 {
		length = len(f.Bytes) - begin
	}
	var shown, marks strings.Builder
	for i, c := range string(f.Bytes[begin : begin+length]) {
		if c == '\t' {
			c = ' '
		}
		mark, cell := " ", clean(string(c))
		if at := begin + i; r.Start.Byte <= at && at < r.End.Byte {
			mark = "^"
		}
		shown.WriteString(cell)
		marks.WriteString(strings.Repeat(mark, utf8.RuneCountInString(cell)))
	}
	if under = strings.TrimRight(marks.String(), " "); under == "" {
		under = marks.String() + "^"
	}
	return strings.TrimRight(shown.String(), " "), under
}
