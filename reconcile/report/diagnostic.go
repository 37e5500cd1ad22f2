package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/config"
	"hew/reconcile/report/prose"
)

// Diagnostics are the diagnostics of a configuration or a run, with the sources for
// their snippets.
type Diagnostics struct {
	hcl.Diagnostics
	Sources Sources
}

// sorted returns the report in the order of files and lines, each diagnostic once;
// those without a place come last. Two runs print the same.
func (r Diagnostics) sorted() hcl.Diagnostics {
	all := slices.Clone(r.Diagnostics)
	slices.SortStableFunc(all, func(x, y *hcl.Diagnostic) int {
		if x.Subject == nil || y.Subject == nil {
			return cmp.Or(boolOrder(x.Subject == nil, y.Subject == nil), cmp.Compare(x.Severity, y.Severity),
				cmp.Compare(x.Summary, y.Summary), cmp.Compare(x.Detail, y.Detail))
		}
		return cmp.Or(cmp.Compare(x.Subject.Filename, y.Subject.Filename),
			cmp.Compare(x.Subject.Start.Byte, y.Subject.Start.Byte),
			cmp.Compare(x.Severity, y.Severity), cmp.Compare(x.Summary, y.Summary), cmp.Compare(x.Detail, y.Detail))
	})
	return slices.CompactFunc(all, func(x, y *hcl.Diagnostic) bool {
		return x.Severity == y.Severity && x.Summary == y.Summary && x.Detail == y.Detail &&
			where(x.Subject) == where(y.Subject)
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

// BySeverity returns diagnostics with the errors first, else in their order.
func BySeverity(all []Diagnostic) []Diagnostic {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(x, y Diagnostic) int { return boolOrder(x.IsWarning(), y.IsWarning()) })
	return sorted
}

// DiagnosticsOf returns the report as programs get it, and as people do in the end.
func DiagnosticsOf(r Diagnostics) []Diagnostic {
	out := []Diagnostic{}
	for _, d := range r.sorted() {
		j := Diagnostic{Severity: severities[d.Severity], Summary: d.Summary, Detail: d.Detail}
		if d.Subject != nil {
			j.Range = &Range{d.Subject.Filename, position(d.Subject.Start), position(d.Subject.End)}
			j.Snippet = r.Sources.snippet(d.Subject)
		}
		out = append(out, j)
	}
	return BySeverity(out)
}

// ValidationOf returns the report of validate for programs.
func ValidationOf(r Diagnostics, notes []string) Validation {
	v := Validation{FormatVersion: FormatVersion, Notes: append([]string{}, notes...), Diagnostics: DiagnosticsOf(r)}
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

func position(p hcl.Pos) Pos { return Pos{p.Line, p.Column, p.Byte} }

// where prints a place, "" for none.
func where(r *hcl.Range) string {
	if r == nil || r.Filename == "" {
		return ""
	}
	return prose.Clean(config.FormatRange(*r))
}

// ErrorsAt returns the errors of a report about files of a commit, with file names as git shows
// them. It drops warnings, since a commit cannot be changed.
func (r Diagnostics) ErrorsAt(ref string) Diagnostics {
	there := Diagnostics{Sources: Sources{}}
	for _, d := range r.Errs() {
		d := *d.(*hcl.Diagnostic)
		if d.Subject != nil {
			name := d.Subject.Filename
			at := *d.Subject
			at.Filename = ref + ":./" + name
			d.Subject, there.Sources[at.Filename] = &at, r.Sources[name]
		}
		there.Diagnostics = append(there.Diagnostics, &d)
	}
	return there
}

// Problem returns an error without a place in a file; detail is a format of package fmt.
func Problem(summary, detail string, args ...any) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(detail, args...)}
}
