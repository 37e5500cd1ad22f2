package reporttest

import (
	"bytes"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
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

// Diagnosed is everything that there can be to say, and the files that it is about.
func Diagnosed(t *testing.T) (hcl.Diagnostics, map[string]*hcl.File) {
	file, diags := hclsyntax.ParseConfig([]byte(source), "main.hcl", hcl.InitialPos)
	require.False(t, diags.HasErrors())
	text := span(t, "***************")
	bad := &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Unsupported argument", Subject: span(t, "oops"),
		Detail: `A project_hook has no argument "oops". Did you mean "id"?`}
	return hcl.Diagnostics{
		{Severity: hcl.DiagError, Summary: "No host", Detail: "Set HEW_URL."},
		bad,
		{Severity: hcl.DiagWarning, Summary: "Weak token", Detail: "It is short.\nMake it longer.", Subject: text},
		{Severity: hcl.DiagWarning, Summary: "Odd host", Subject: span(t, `"https://ci.example.com/größe"`)},
		bad,
		{Severity: hcl.DiagError, Summary: "Elsewhere\x1b[2J",
			Subject: &hcl.Range{Filename: "other.hcl", Start: hcl.InitialPos, End: hcl.InitialPos}},
		{Severity: hcl.DiagError, Summary: "Whole block", Detail: "It is at main.hcl:1:1 and at dir/b.hcl:4:3.",
			Subject: span(t, source[:len(source)-1])},
		{Severity: hcl.DiagError, Summary: "Two lines",
			Subject: span(t, "token = \"***************\" # set by hand\n\toops")},
	}, map[string]*hcl.File{"main.hcl": file}
}
