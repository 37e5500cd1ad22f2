package config_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/golden"
)

// Every summary is a constant, none is like another by accident, and for each
// there is a bad configuration that shows it.
func TestSummaries(t *testing.T) {
	t.Parallel()
	summaries := slices.Sorted(maps.Keys(summariesOf(t)))
	list := strings.Join(summaries, "\n") + "\n"
	golden.Equal(t, "testdata/summaries.txt", list)

	shown := map[string]bool{}
	for _, b := range badOnes(t) {
		for _, w := range b.want {
			shown[w.summary] = true
		}
	}
	for _, s := range summaries {
		require.True(t, shown[s] || slices.Contains(shownElsewhere, s), "no bad configuration shows %q", s)
	}
}

// shownElsewhere are summaries that no text of a configuration leads to, or none that is short.
var shownElsewhere = []string{"Unreadable directory", "Unreadable file", "Interrupted",
	"Evaluation takes too long",
	"Evaluation needs too much memory", "Invalid memory limit", "Value too large", "Too many nested modules"}

// summaryArgs is which argument of a function is a summary.
var summaryArgs = map[string]int{"fail": 1, "Fail": 1, "checkConditions": 2}

// summariesOf reads the package's source, and that of calls of functions.
func summariesOf(t *testing.T) map[string]bool {
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, pattern := range []string{"composite/*.go", "foreign/*.go", "../function/table.go"} {
		more, err := filepath.Glob(pattern)
		require.NoError(t, err)
		names = append(names, more...)
	}
	found, consts := map[string]bool{}, map[string]string{}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		files = append(files, f)
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
				for i, value := range v.Values {
					if text, ok := literal(value, nil); ok {
						consts[v.Names[i].Name] = text
					}
				}
			}
			return true
		})
	}
	take := func(e ast.Expr) {
		text, ok := literal(e, consts)
		if handed, is := e.(*ast.Ident); !ok && is && handed.Name == "summary" {
			return // a parameter, whose callers are looked at
		}
		require.True(t, ok, "a summary that is no constant: %#v", e)
		found[text] = true
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
					if i, ok := summaryArgs[sel.Sel.Name]; ok {
						take(n.Args[i])
					}
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Summary" {
					take(n.Value)
				}
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if sel, ok := left.(*ast.SelectorExpr); ok && sel.Sel.Name == "Summary" {
						take(n.Rhs[i])
					}
				}
			}
			return true
		})
	}
	return found
}

func literal(e ast.Expr, consts map[string]string) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.Ident:
		text, ok := consts[e.Name]
		return text, ok
	}
	return "", false
}
