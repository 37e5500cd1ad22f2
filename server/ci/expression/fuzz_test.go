package expression_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci/expression"
)

func FuzzParse(f *testing.F) {
	for _, text := range []string{`$A == "1" && !($B =~ /ab\/c/i || null != 'x')`, `$A =~ $B`, `((`, `/ab/`, `$A!~"b"`} {
		f.Add(text, "/a+/")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		parsed, err := expression.Parse(text)
		if err != nil {
			require.ErrorIs(t, err, expression.ErrSyntax)
			return
		}
		var v expression.Evaluator
		lookup := func(string) (string, bool) { return value, true }
		first, _ := v.Evaluate(parsed, lookup)
		again, _ := v.Evaluate(parsed, lookup)
		require.Equal(t, first, again)
		negated, err := expression.Parse("!(" + text + ")")
		if holds, expensive := v.Evaluate(parsed, lookup); err == nil && expensive == nil {
			opposite, _ := v.Evaluate(negated, lookup)
			require.NotEqual(t, holds, opposite)
		}
	})
}

func FuzzExpand(f *testing.F) {
	f.Add("$A${B}%C%$$", "$B", "x")
	f.Add("%%${A", "$A", "${B}")
	f.Fuzz(func(t *testing.T, text, a, b string) {
		list := []expression.Variable{{Key: "A", Value: a}, {Key: "B", Value: b}, {Key: "C", Value: text}}
		expression.Expand(text, expression.Values(list))
		none := func(string) (string, bool) { return "", false }
		require.Equal(t, text, expression.ExpandKnown(text, none))
		for _, use := range []expression.Use{expression.ForServer, expression.ForRunner} {
			resolved, err := expression.Resolve(list, use)
			if err == nil {
				require.Len(t, resolved, 3)
			}
		}
	})
}

func FuzzGlob(f *testing.F) {
	for _, text := range []string{"**/*.{go,rs}", "[a-z]", "{a[}]", `\`, "{,}", "[!/]?*"} {
		f.Add(text, "a/b.go")
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		expression.NewGlob(pattern).Match(path)
		found, err := expression.AnyExists(t.Context(), []string{pattern}, []string{path})
		require.NoError(t, err)
		// Directories, and ranges with a slash in them.
		special := strings.HasSuffix(pattern, "/") || strings.Contains(pattern, "[")
		if expression.NewGlob(pattern).Match(path) && !found && !special {
			t.Fatalf("%q matches %q and does not exist", pattern, path)
		}
	})
}
