package config_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
)

// slips are what a name, a text or a number becomes by mistake.
var slips = []func(string) string{
	func(s string) string { return s + "x" },
	func(string) string { return "" },
	func(string) string { return "null" },
	func(string) string { return "[1]" },
	func(string) string { return "true" },
	func(string) string { return "{}" },
}

// A slip anywhere in a valid configuration never panics, and gives well-formed
// diagnostics. Nothing is reported as unknown because it has an error itself.
func TestSlips(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/good/*.txtar")
	require.NoError(t, err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			arc, err := txtar.ParseFile(file)
			require.NoError(t, err)
			fsys := fstest.MapFS{}
			for _, f := range arc.Files {
				fsys[f.Name] = &fstest.MapFile{Data: f.Data}
			}
			for name, f := range fsys {
				if filepath.Ext(name) != ".hcl" {
					continue
				}
				tokens, _ := hclsyntax.LexConfig(f.Data, name, hcl.InitialPos)
				n := 0
				for _, tok := range tokens {
					switch tok.Type {
					case hclsyntax.TokenIdent, hclsyntax.TokenQuotedLit, hclsyntax.TokenNumberLit:
					default:
						continue
					}
					if n++; n%3 != 0 { // a third of all keeps the test short
						continue
					}
					slip := slips[n/3%len(slips)](string(tok.Bytes))
					mistaken := maps.Clone(fsys)
					mistaken[name] = &fstest.MapFile{
						Data: slices.Concat(f.Data[:tok.Range.Start.Byte], []byte(slip), f.Data[tok.Range.End.Byte:]),
					}
					_, diags := read(mistaken, config.Vars{Partial: true})
					t.Run(fmt.Sprintf("%s:%d %s for %s", name, tok.Range.Start.Line, slip, tok.Bytes),
						func(t *testing.T) {
							wellSaid(t, diags)
							for _, d := range diags {
								require.NotEqual(t, "Unknown variable", d.Summary, said(d))
							}
						})
				}
			}
		})
	}
}
