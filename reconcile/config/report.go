package config

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// report collects errors, so that one run shows all of them.
type report struct{ diags hcl.Diagnostics }

func (r *report) fail(at hcl.Range, summary, format string, args ...any) {
	r.diags = append(r.diags, &hcl.Diagnostic{
		Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &at,
	})
}

// errors returns the number of errors so far.
func (r *report) errors() int { return len(r.diags.Errs()) }

func (r *report) add(diags hcl.Diagnostics) { r.diags = append(r.diags, diags...) }

// FormatRange returns a range in the form that editors and terminals link: file:line:column.
func FormatRange(r hcl.Range) string {
	return fmt.Sprintf("%s:%d:%d", r.Filename, r.Start.Line, r.Start.Column)
}

// orList returns names in words: "a, b or c".
func orList(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
