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

	"hew/reconcile/config"
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

// A snippet shows which reference is wrong, and no secret that lacks its quotes.
func TestMaskedReferences(t *testing.T) {
	t.Parallel()
	for token, shown := range map[string]bool{
		"var.nope":                   true,
		"group.nope.id":              true,
		"gitlab_grup.acme.id":        true,
		"random_password.ci.result":  true,
		"terraform.workspace":        true,
		"[for h in var.x : h.nope]":  true,
		"hunter2":                    false,
		"glpat-1a2b3c":               false,
		"glpat-1a2b3c.d4.e5":         false,
		"eyJhbGciOi.eyJzdWIi.SflKxw": false,
		"sk_live_1a2b3c":             false,
	} {
		src := "resource \"project_hook\" \"x\" {\n  project = 1\n  url = \"https://a.example.com\"\n" +
			"  token = " + token + "\n}\n"
		cfg, diags := read(fstest.MapFS{"main.hcl": {Data: []byte(src)}}, config.Vars{})
		require.True(t, diags.HasErrors(), token)
		line := strings.Split(string(cfg.Sources()["main.hcl"].Bytes), "\n")[3]
		if shown {
			require.Equal(t, "  token = "+token, line)
		} else {
			require.NotContains(t, line, token)
		}
	}
}

// No error and no snippet shows a value of a variables file, whatever its syntax and its mistakes:
// it may be a secret even if its variable is not, or if the file was given by mistake.
func TestVariablesFilesAreNotShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, content, shown string }{
		{"x.tfvars.json", "{\"s\" : \"" + marker + "\",\n \"t\": " + marker + "}\n", `{"s" :`},
		{"x.hclvars.json", "{\"s\": \"" + marker + "\" \"" + marker + "\"}\n", `{"s":`},
		{"x.hclvars", "t = 1\ns = \"" + marker + "\"\ns = \"" + marker + "\"\n", "s ="},
		{"x.hclvars", "s = \"" + marker + "\n", "s ="},
		{"x.hclvars", "s = [\n  " + marker + " = 1,\n  \"" + marker + "\",\n]\n", "s ="},
		{"x.hclvars", "s = <<EOT\n" + marker + "=\nEOT\nt = nope\n", "t ="},
		{"x.hclvars", "u = \"" + marker + "\"\n", "u ="},
		{"token.txt", marker + "-token\n", ""},
		{"token.txt", marker + "\n" + marker + "=\n", ""},
		{"key.pem", "-----BEGIN KEY-----\n" + marker + "/" + marker + "+x==\n", ""},
	} {
		src := "variable \"s\" {\n  default = null\n}\nvariable \"t\" {\n  type = number\n  default = 0\n}\n"
		for _, flag := range []bool{true, false} {
			fsys, vars, name := fstest.MapFS{"main.hcl": {Data: []byte(src)}}, config.Vars{}, c.file
			if auto := strings.TrimPrefix(c.file, "x."); !flag && auto != c.file {
				name = "x.auto." + auto
				fsys[name] = &fstest.MapFile{Data: []byte(c.content)}
			} else {
				vars.Args = []config.Var{{File: name, Content: []byte(c.content)}}
			}
			cfg, diags := read(fsys, vars)
			require.True(t, len(diags) > 0 || strings.Contains(c.content, "[\n"), "%s", c.content)
			for _, d := range diags {
				require.NotContains(t, said(d), marker, c.content)
			}
			text := string(cfg.Sources()[name].Bytes)
			require.NotContains(t, text, marker, c.content)
			require.Contains(t, text, c.shown)
		}
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
