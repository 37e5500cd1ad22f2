package hew_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// topLevel is all that may stand at the root, beside what begins with a dot. What the build leaves
// there is in leavings.
var (
	topLevel = strings.Fields("cmd schema reconcile provider server examples testacc go.mod go.sum README.md " +
		"ARCHITECTURE.md Makefile arch_test.go links_test.go tree_test.go width_test.go")
	leavings = strings.Fields("bin dist")
)

// maxLines bounds a file of code: past it, there are two subjects in it. Tables of fields may be
// any length, and give their reason here.
const maxLines = 250

var longTables = map[string]string{}

// TestTopLevel keeps the root to the few entries that a newcomer has to learn.
func TestTopLevel(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || slices.Contains(topLevel, name) || slices.Contains(leavings, name) ||
			strings.HasSuffix(name, ".test") || strings.HasSuffix(name, ".prof") {
			continue
		}
		t.Errorf("%s does not belong at the top: put it into the folder of its subject, or under .ci if only checks "+
			"use it", name)
	}
}

// TestFiles holds what is asked of every file of Go: its length, and no raw comparison of cty
// values.
func TestFiles(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for name, src := range sources(t) {
		if lines := bytes.Count(src, []byte("\n")); lines > maxLines && !strings.HasSuffix(name, "_test.go") {
			used[name] = longTables[name] != ""
			if !used[name] {
				t.Errorf("%s has %d lines, over %d: split it by subject (a plain table of fields may have a reason "+
					"in longTables)", name, lines, maxLines)
			}
		}
		if !strings.HasPrefix(name, "schema/") {
			for _, at := range rawComparisons(t, name, src) {
				t.Errorf("%s: Equals(…).True() panics on unknown and marked values: use schema.Equal", at)
			}
		}
	}
	for name := range longTables {
		require.True(t, used[name], "%s is short enough or gone: take it out of longTables", name)
	}
}

// guided are the packages of so many files that their doc.go says in which order to read them.
var guided = []string{"reconcile", "reconcile/config", "reconcile/match"}

// TestReadingOrder holds these guides to the files that there are.
func TestReadingOrder(t *testing.T) {
	t.Parallel()
	file := regexp.MustCompile(`\b[a-z_]+\.go\b`)
	for _, dir := range guided {
		guide, err := os.ReadFile(dir + "/doc.go")
		require.NoError(t, err)
		named := map[string]bool{"doc.go": true}
		for _, name := range file.FindAllString(string(guide), -1) {
			named[name] = true
		}
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range entries {
			if name := e.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
				require.True(t, named[name], "%s/doc.go does not say what %s is for", dir, name)
				delete(named, name)
			}
		}
		require.Empty(t, named, "%s/doc.go names files that are not there", dir)
	}
}

// TestRawComparisonsBite shows that the search finds one over two lines, and no more than that.
func TestRawComparisonsBite(t *testing.T) {
	t.Parallel()
	const src = `package x
var bad = a.Equals(b).
	True()
var fine = a.True() && schema.Equal(a, b) && a.Equals(b).IsKnown()
`
	require.Equal(t, []string{"x.go:2"}, rawComparisons(t, "x.go", []byte(src)))
}

// rawComparisons lists where a file calls True or False on the result of Equals.
func rawComparisons(t *testing.T, name string, src []byte) (found []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, src, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if inner, ok := method(n, "True", "False").(*ast.CallExpr); ok && method(inner, "Equals") != nil {
			at := files.Position(n.Pos())
			at.Column = 0
			found = append(found, at.String())
		}
		return true
	})
	return found
}

// method returns what a node calls one of the named methods on, or nil if it does not.
func method(n ast.Node, names ...string) ast.Expr {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(names, sel.Sel.Name) {
		return nil
	}
	return sel.X
}

// sources reads every file of Go below the root, by its path; folders that go itself skips are
// skipped.
func sources(t *testing.T) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	require.NoError(t, fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go"):
			found[name], err = os.ReadFile(name)
		}
		return err
	}))
	require.NotEmpty(t, found)
	return found
}
