package main

import (
	"bytes"
	"strings"
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

// diagnosed is a report of everything that there can be to say.
func diagnosed(t *testing.T) report {
	file, diags := hclsyntax.ParseConfig([]byte(source), "main.hcl", hcl.InitialPos)
	require.False(t, diags.HasErrors())
	text := span(t, "***************")
	bad := &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Unsupported argument", Subject: span(t, "oops"),
		Detail: `A project_hook has no argument "oops". Did you mean "id"?`}
	return report{
		Diagnostics: hcl.Diagnostics{
			{Severity: hcl.DiagError, Summary: "No host", Detail: "Set HEW_URL."},
			bad,
			{Severity: hcl.DiagWarning, Summary: "Weak token", Detail: "It is short.\nMake it longer.", Subject: text},
			{Severity: hcl.DiagWarning, Summary: "Odd host", Subject: span(t, `"https://ci.example.com/größe"`)},
			bad,
			{Severity: hcl.DiagError, Summary: "Elsewhere\x1b[2J", Subject: &hcl.Range{Filename: "other.hcl", Start: hcl.InitialPos, End: hcl.InitialPos}},
			{Severity: hcl.DiagError, Summary: "Whole block", Detail: "It is at main.hcl:1:1 and at dir/b.hcl:4:3.", Subject: span(t, source[:len(source)-1])},
			{Severity: hcl.DiagError, Summary: "Two lines", Subject: span(t, "token = \"***************\" # set by hand\n\toops")},
		},
		sources: sources{"main.hcl": file},
	}
}

// TestDiagnostics: in the order of the source, each once, no control characters, for
// people and for programs.
func TestDiagnostics(t *testing.T) {
	t.Parallel()
	r := diagnosed(t)
	var people, programs bytes.Buffer
	r.write(console{Writer: &people})
	require.NoError(t, writeJSON(&programs, diagnosticsOf(r)))
	for _, b := range []*bytes.Buffer{&people, &programs} {
		harmless(t, b.String())
	}
	wanted(t, "diagnostics", txtar.File{Name: "text", Data: people.Bytes()}, txtar.File{Name: "json", Data: programs.Bytes()})
}

// TestLongLines: of a line that no terminal shows, the part is shown that is
// meant.
func TestLongLines(t *testing.T) {
	t.Parallel()
	line := `{"group": {"a": {"名": "` + strings.Repeat("字", 200) + `", "oops": 1, "b": "` + strings.Repeat("y", 300) + `"}}}`
	at := strings.Index(line, `"oops"`)
	s := sources{"main.hcl.json": {Bytes: []byte(line)}}
	for _, from := range []int{0, at, len(line) - 2} {
		lines := s.snippet(&hcl.Range{Filename: "main.hcl.json", Start: hcl.Pos{Line: 1, Byte: from}, End: hcl.Pos{Line: 1, Byte: min(from+6, len(line))}})
		require.Len(t, lines, 1)
		require.LessOrEqual(t, columns(lines[0].Code), snippetWidth)
		marked := strings.Index(lines[0].Marks, "^")
		wide := 0
		for i, r := range lines[0].Code {
			if wide == marked {
				require.True(t, strings.HasPrefix(lines[0].Code[i:], line[from:min(from+6, len(line))]), lines[0])
			}
			wide += columnsOf(r)
		}
	}
}

// TestColumns: how much room texts of all scripts take.
func TestColumns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "abc": 3, "größe": 5, "gro\u0308ße": 5, "平台": 4, "ﾌﾟ": 2, "Ａ": 2, "🎉": 2, "한국": 4, "ไทย": 3, "กี่": 1, "→…": 2} {
		require.Equal(t, want, columns(text), text)
	}
}
