package view

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
)

// TestDiagnostics: in the order of the source, each once, no control characters, for
// people and for programs.
func TestDiagnostics(t *testing.T) {
	t.Parallel()
	diags, files := reporttest.Diagnosed(t)
	r := report.Diagnostics{Diagnostics: diags, Sources: files}
	var people, programs bytes.Buffer
	WriteDiagnostics(r, Console{Writer: &people})
	require.NoError(t, report.WriteJSON(&programs, report.DiagnosticsOf(r)))
	for _, b := range []*bytes.Buffer{&people, &programs} {
		reporttest.Harmless(t, b.String())
	}
	reporttest.Wanted(t, "diagnostics", txtar.File{Name: "text", Data: people.Bytes()},
		txtar.File{Name: "json", Data: programs.Bytes()})
}

// TestEqualErrorsArePrintedOnce: an error of every instance of a block is printed once, with ten of
// the addresses; errors that differ in more than names stay apart.
func TestEqualErrorsArePrintedOnce(t *testing.T) {
	t.Parallel()
	duplicates := func(n, line int, end string) (all []report.Diagnostic) {
		for i := range n {
			at := report.Range{Filename: "mod/main.hcl", Start: report.Pos{Line: line, Column: 1}}
			said := fmt.Sprintf(`Both module.b.label.l["%d"] and module.a.label.l["%[1]d"] (mod/main.hcl:%[2]d:1) `+
				`manage "my bug %[1]d". %[3]s`, i, line, end)
			all = append(all,
				report.Diagnostic{Severity: "error", Summary: "Duplicate resource", Detail: said, Range: &at})
		}
		return all
	}
	printed := func(all []report.Diagnostic) string {
		var b bytes.Buffer
		printDiagnostics(Console{Writer: &b}, all)
		return b.String()
	}
	text := printed(duplicates(100, 3, "Remove one"))
	require.Equal(t, 1, strings.Count(text, "Error: Duplicate resource"))
	require.Equal(t, 10, strings.Count(text, `module.a.label.l[`))
	require.Contains(t, text, `  The same for:
    module.b.label.l["1"] and module.a.label.l["1"]
`)
	require.Contains(t, text, "\n    and 90 more\n\n100 errors.\n")
	require.NotContains(t, printed(duplicates(11, 3, "Remove one")), " more")

	for _, all := range [][]report.Diagnostic{duplicates(2, 3, "Remove one"),
		append(duplicates(2, 3, "Remove one"), duplicates(2, 4, "Remove one")...),
		append(duplicates(2, 3, "Remove one"), duplicates(2, 3, "Rename one")...)} {
		require.Equal(t, len(all), strings.Count(printed(all), "Error: "))
	}
}
