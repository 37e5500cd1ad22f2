package config_test

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"
)

// A secret that is put in the place of any value of any bad configuration, in
// the root or in a module, as the value itself or in a text, is never told.
func TestSecretsAreNeverTold(t *testing.T) {
	t.Parallel()
	forms := []string{"var.planted", `"x/${var.planted}"`, "{ (var.planted) = var.planted }"}
	declared := fmt.Sprintf("variable \"planted\" {\n  sensitive = true\n  default   = %q\n}\n", marker)
	for _, b := range badOnes(t) {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			for name, f := range b.fsys {
				if filepath.Ext(name) != ".hcl" {
					continue
				}
				for i, at := range literalsIn(f.Data, name) {
					fsys, planted := maps.Clone(b.fsys), forms[i%len(forms)]
					fsys[name] = &fstest.MapFile{
						Data: slices.Concat(f.Data[:at.Start.Byte], []byte(planted), f.Data[at.End.Byte:]),
					}
					fsys[filepath.Join(filepath.Dir(name), "planted.hcl")] = &fstest.MapFile{Data: []byte(declared)}
					cfg, diags := read(fsys, b.vars)
					for _, d := range diags {
						require.NotContains(
							t, said(d), marker, "%s in %s", planted, bytes.TrimSpace(lineAt(f.Data, at)),
						)
					}
					for file, f := range cfg.Sources() {
						require.NotContains(t, string(f.Bytes), marker, file)
					}
				}
			}
		})
	}
}

func lineAt(src []byte, at hcl.Range) []byte {
	return bytes.Split(src, []byte("\n"))[at.Start.Line-1]
}

// literalsIn finds the values that stand in a file as they are.
func literalsIn(src []byte, name string) (found []hcl.Range) {
	f, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	if diags.HasErrors() || strings.Contains(string(src), marker) {
		return nil
	}
	_ = hclsyntax.VisitAll(f.Body.(*hclsyntax.Body), func(n hclsyntax.Node) hcl.Diagnostics {
		switch n := n.(type) {
		case *hclsyntax.TemplateExpr:
			if n.IsStringLiteral() {
				found = append(found, n.Range())
			}
		case *hclsyntax.LiteralValueExpr:
			if src[n.SrcRange.Start.Byte] >= '0' && src[n.SrcRange.Start.Byte] <= '9' {
				found = append(found, n.Range())
			}
		}
		return nil
	})
	return found
}
