package main

import (
	"bytes"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

const source = `resource "project_hook" "ci" {
	url   = "https://ci.example.com/größe"
	token = "***************" # set by hand
	oops  = true
}
`

// span is the range of a piece of the source.
func span(t *testing.T, piece string) *hcl.Range {
	t.Helper()
	start := bytes.Index([]byte(source), []byte(piece))
	require.GreaterOrEqual(t, start, 0)
	tokens, diags := hclsyntax.LexConfig([]byte(source[:start]), "main.hcl", hcl.InitialPos)
	require.False(t, diags.HasErrors())
	r := hcl.Range{Filename: "main.hcl", Start: tokens[len(tokens)-1].Range.End}
	r.End = r.Start
	r.End.Byte += len(piece)
	r.End.Column += len(piece)
	return &r
}

// TestDiagnostics: in the order of the source, each once, no control characters, for
// people and for programs.
func TestDiagnostics(t *testing.T) {
	t.Parallel()
	file, diags := hclsyntax.ParseConfig([]byte(source), "main.hcl", hcl.InitialPos)
	require.False(t, diags.HasErrors())
	text := span(t, "***************")
	bad := &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Unsupported argument", Subject: span(t, "oops"),
		Detail: `A project_hook has no argument "oops". Did you mean "id"?`}
	r := report{
		Diagnostics: hcl.Diagnostics{
			{Severity: hcl.DiagError, Summary: "No host", Detail: "Set HEW_URL."},
			bad,
			{Severity: hcl.DiagWarning, Summary: "Weak token", Detail: "It is short.\nMake it longer.", Subject: text},
			{Severity: hcl.DiagWarning, Summary: "Odd host", Subject: span(t, `"https://ci.example.com/größe"`)},
			bad,
			{Severity: hcl.DiagError, Summary: "Elsewhere\x1b[2J", Subject: &hcl.Range{Filename: "other.hcl", Start: hcl.InitialPos, End: hcl.InitialPos}},
			{Severity: hcl.DiagError, Summary: "Whole block", Subject: span(t, source[:len(source)-1])},
		},
		sources: sources{"main.hcl": file},
	}
	var people, program bytes.Buffer
	r.write(console{Writer: &people})
	require.NoError(t, writeJSON(&program, diagnosticsOf(r)))
	for _, b := range []*bytes.Buffer{&people, &program} {
		require.NotContains(t, b.String(), "\x1b")
	}
	golden(t, "diagnostics", txtar.File{Name: "text", Data: people.Bytes()}, txtar.File{Name: "json", Data: program.Bytes()})
}
