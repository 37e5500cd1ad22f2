package config_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
)

// blocks writes n separate project blocks in ten groups, a hundred files.
func blocks(n int) fstest.MapFS {
	fsys := fstest.MapFS{}
	for f := range 100 {
		var b strings.Builder
		for i := f; i < n; i += 100 {
			fmt.Fprintf(&b, `resource "group" "p%d" {
  path        = "p%d"
  name        = "Project %d"
  parent      = group.g%d.id
  description = "number %d of ${local.many}"
  visibility  = "private"
}
`, i, i, i, i%10, i)
		}
		fsys[fmt.Sprintf("f%02d.hcl", f)] = &fstest.MapFile{Data: []byte(b.String())}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "locals { many = %d }\n", n)
	for i := range 10 {
		fmt.Fprintf(&b, "resource \"group\" \"g%d\" { path = \"g%d\" }\n", i, i)
	}
	fsys["groups.hcl"] = &fstest.MapFile{Data: []byte(b.String())}
	return fsys
}

// each writes one block with n keys, made by an expression that takes n.
func each(n int, keys string) fstest.MapFS {
	return fstest.MapFS{"main.hcl": {Data: []byte(fmt.Sprintf(`
resource "group" "g" { path = "g" }
resource "group" "p" {
  for_each    = %s
  path        = each.key
  name        = "Project ${each.key}"
  parent      = group.g.id
  description = "number ${each.key}"
  visibility  = "private"
}`, fmt.Sprintf(keys, n)))}}
}

func benchmark(b *testing.B, fsys fstest.MapFS, want int) {
	kinds := catalog()
	b.ReportAllocs()
	for b.Loop() {
		cfg, diags := config.Load(b.Context(), fsys, ".", kinds, config.Vars{})
		require.False(b, diags.HasErrors())
		res, diags := cfg.NewEval().Run(b.Context(), nil)
		require.False(b, diags.HasErrors())
		require.Len(b, res.Instances, want)
	}
}

func BenchmarkBlocks10000(b *testing.B) { benchmark(b, blocks(10_000), 10_010) }
func BenchmarkForEach10000(b *testing.B) {
	benchmark(b, each(10_000, `{ for i in range(%d) : "p${i}" => i }`), 10_001)
}
func BenchmarkForSet10000(b *testing.B) {
	benchmark(b, each(10_000, `toset([for i in range(%d) : "p${i}"])`), 10_001)
}

// hidden writes one block with n keys above a chain of n locals. The parent of each instance is a
// new object that a function hides.
func hidden(n int) fstest.MapFS {
	var b strings.Builder
	b.WriteString(`locals {
  l0 = "p"
`)
	for i := range n {
		fmt.Fprintf(&b, "  l%d = local.l%d\n", i+1, i)
	}
	fmt.Fprintf(&b, `}
resource "group" "g" { path = "g" }
resource "group" "p" {
  for_each = toset([for i in range(%d) : "${local.l%[1]d}${i}"])
  path     = each.key
  parent   = coalesce(group.g.id, 0)
}`, n)
	return fstest.MapFS{"main.hcl": {Data: []byte(b.String())}}
}

func BenchmarkHidden1000(b *testing.B) { benchmark(b, hidden(1000), 1001) }
