package expression_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/ci/expression"
)

func TestGlobs(t *testing.T) {
	t.Parallel()
	for pattern, paths := range map[string]struct{ match, not string }{
		"docs/*":                  {"docs/a.md docs/.hidden", "docs docs/a/b.md a/docs/a.md"},
		"*.go":                    {"a.go .go", "src/a.go a.gox"},
		"**/*.go":                 {"a.go src/a.go src/x/.y/a.go", "a.rs"},
		"src/**/*.{go,rs}":        {"src/a.go src/x/y.rs", "src/a.c a.go"},
		"src/**/*":                {"src/a src/x/y", "src lib/a"},
		"src/**":                  {"src/a", "src/a/b"},
		"**/go.mod":               {"go.mod a/b/go.mod", "a/go.modx"},
		"**/x/**/y":               {"x/y a/x/b/c/y", "xy"},
		"*/go.mod":                {"a/go.mod", "go.mod a/b/go.mod"},
		"a?c":                     {"abc", "a/c ac"},
		"[a-c]x":                  {"ax cx", "dx"},
		"[!a-c]x":                 {"dx", "ax /x"},
		"[^a]":                    {"b", "a"},
		"{a,b{c,d}}.txt":          {"a.txt bc.txt bd.txt", "b.txt c.txt"},
		"{**/,}x":                 {"x a/b/x", "y"},
		`\*.go`:                   {"*.go", "a.go"},
		"Dockerfile":              {"Dockerfile", "dockerfile a/Dockerfile"},
		"a{b":                     {"a{b", "ab"},
		"a.b":                     {"a.b", "axb"},
		"(a|b)+*":                 {"(a|b)+c", "a"},
		"[a":                      {"", "[a a"},
		"{a[}]":                   {"", "a a}"},
		"[]":                      {"", "[]"},
		"[z-a]":                   {"", "z a -"},
		"é*":                      {"éa", "e"},
		strings.Repeat("*", 2000): {"", "a"},
	} {
		g := expression.NewGlob(pattern)
		for path := range strings.FieldsSeq(paths.match) {
			require.True(t, g.Match(path), "%s against %s", pattern, path)
		}
		for path := range strings.FieldsSeq(paths.not) {
			require.False(t, g.Match(path), "%s against %s", pattern, path)
		}
	}
}

func TestAnyExists(t *testing.T) {
	t.Parallel()
	paths := []string{"Dockerfile", "a/b/go.mod"}
	for pattern, want := range map[string]bool{
		"Dockerfile": true, "*/go.mod": false, "**/go.mod": true, "go.mod": false, "a/b/": true, "a/": true, "b/": false,
		"Docker*": true, "go*": false, "**/*.mod": true, "/": false, "": false, "**/": true,
	} {
		got, err := expression.AnyExists(t.Context(), []string{pattern}, paths)
		require.NoError(t, err)
		require.Equal(t, want, got, pattern)
	}
}

// More than 50,000 comparisons make a clause hold; those of plain paths do not count.
func TestComparisonLimit(t *testing.T) {
	t.Parallel()
	paths := make([]string, 25_001)
	for i := range paths {
		paths[i] = "dir/file"
	}
	for _, c := range []struct {
		patterns []string
		match    func(context.Context, []string, []string) (bool, error)
		want     bool
	}{
		{[]string{"a/*.x", "b/*.x"}, expression.AnyMatch, true},
		{[]string{"a/*.x"}, expression.AnyMatch, false},
		{[]string{"a/*.x", "b/*.x"}, expression.AnyExists, true},
		{[]string{"a/*.x", "b/c", "**/*.y"}, expression.AnyExists, false},
		{[]string{"*.x", "*.y"}, expression.AnyExists, false}, // only the top level is looked at
	} {
		got, err := c.match(t.Context(), c.patterns, paths)
		require.NoError(t, err)
		require.Equal(t, c.want, got, c.patterns)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := expression.AnyMatch(ctx, []string{"a*"}, paths)
	require.ErrorIs(t, err, context.Canceled)
}

// Stars and braces cost no more than their length.
func TestHostileGlobs(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	path := strings.Repeat("a/", 200) + strings.Repeat("a", 200)
	for _, pattern := range []string{
		strings.Repeat("*a", 100) + "b", strings.Repeat("**/", 100) + "b", strings.Repeat("{a,aa}", 100) + "b",
		strings.Repeat("{", 1000), strings.Repeat("{a,", 300) + strings.Repeat("}", 300), strings.Repeat("?*", 400),
	} {
		for range 100 {
			require.False(t, expression.NewGlob(pattern).Match(path), pattern)
		}
	}
	require.Less(t, time.Since(begin), 30*time.Second)
}
