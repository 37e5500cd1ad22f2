package report

import (
	"fmt"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/report/prose"
	"hew/schema/pattern"
)

// DiagnosticGroup is a diagnostic, and what equal ones are about: a line each, without its own.
type DiagnosticGroup struct {
	Diagnostic
	Others []string
}

// GroupDiagnostics joins three or more diagnostics that have the same summary, line and detail,
// except for addresses and quoted names. A block with for_each, or a module that is called twice,
// has an error as often as it has instances. The order stays.
func GroupDiagnostics(all []Diagnostic) (groups []DiagnosticGroup) {
	forms, others := make([]string, len(all)), map[string][]string{}
	for i, d := range all {
		form, about := d.form()
		if forms[i] = form; about != "" {
			others[form] = append(others[form], about)
		}
	}
	begun := map[string]bool{}
	for i, d := range all {
		switch form := forms[i]; {
		case len(others[form]) < leastGrouped:
			groups = append(groups, DiagnosticGroup{Diagnostic: d})
		case !begun[form]:
			begun[form] = true
			groups = append(groups, DiagnosticGroup{d, others[form][1:]})
		}
	}
	return groups
}

// quotedName matches a quoted name in a detail.
var quotedName = pattern.Lazy(`"(?:[^"\\]|\\.)*"`)

// form returns the text of a diagnostic without the addresses and names in its detail, and these
// addresses. Both are "" if the place is unknown.
func (d Diagnostic) form() (form, about string) {
	if d.Range == nil {
		return "", ""
	}
	var addresses []string
	words := strings.Fields(d.Detail)
	for i, w := range words {
		w = strings.TrimRight(w, ".,:;")
		if at, err := addr.Parse(w); err == nil && (at.Key != "" || at.Elem != "" || at.Block.Module != "") {
			addresses, words[i] = append(addresses, prose.Clean(w)), anyKey
		}
	}
	var b formWriter
	b.write(d.Severity, d.Summary, fmt.Sprintf("%s:%d", d.Range.Filename, d.Range.Start.Line),
		quotedName().ReplaceAllString(strings.Join(words, " "), anyKey))
	return b.String(), strings.Join(addresses, " and ")
}

// Listed returns the first of the others, so that ten are named with the diagnostic itself, and how
// many more there are. It hides two at least or none.
func (g DiagnosticGroup) Listed() (first []string, more int) {
	if len(g.Others) <= prose.MaxListed {
		return g.Others, 0
	}
	return g.Others[:prose.MaxListed-1], len(g.Others) - prose.MaxListed + 1
}
