package view

import (
	"bytes"
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
