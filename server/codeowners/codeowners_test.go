package codeowners_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/codeowners"
)

// shown returns the rules for a path, such as "docs /docs/ @ann; codeowners * @bob".
func shown(f *codeowners.File, path string) string {
	var list []string
	for _, m := range f.Match(path) {
		words := []string{m.Section.Name, m.Rule.Pattern}
		for _, o := range m.Rule.Owners {
			switch {
			case o.Role != "":
				words = append(words, "@@"+o.Role)
			case o.Name != "":
				words = append(words, "@"+o.Name)
			default:
				words = append(words, o.Email)
			}
		}
		list = append(list, strings.Join(words, " "))
	}
	return strings.Join(list, "; ")
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, path, want string }{
		{"* @ann", "a/b/.c", "codeowners * @ann"},
		{"* @ann\n*.md @bob", "a/b.md", "codeowners *.md @bob"},
		{"*.md @bob\n* @ann", "a/b.md", "codeowners * @ann"},
		{"/*.md @bob", "a/b.md", ""},
		{"/*.md @bob", "b.md", "codeowners /*.md @bob"},
		{"b.md @bob", "a/c/b.md", "codeowners b.md @bob"},
		{"docs/ @bob", "docs/a/b", "codeowners docs/ @bob"},
		{"docs/ @bob", "x/docs/a", "codeowners docs/ @bob"},
		{"/docs/ @bob", "x/docs/a", ""},
		{"/docs @bob", "docs/a", ""},
		{"/docs/*.md @bob", "docs/a/b.md", ""},
		{"/docs/**/*.md @bob", "docs/a/b.md", "codeowners /docs/**/*.md @bob"},
		{"/docs/**/*.md @bob", "docs/b.md", "codeowners /docs/**/*.md @bob"},
		{"/a/** @bob", "a/b/c", "codeowners /a/** @bob"},
		{"*.rb @bob", ".hidden.rb", "codeowners *.rb @bob"},
		{`a\ b @bob`, "a b", "codeowners a b @bob"},
		{`\#x @bob`, "#x", "codeowners #x @bob"},
		{"{a,b} @bob", "a", ""},
		{"{a,b} @bob", "{a,b}", "codeowners {a,b} @bob"},
		{"[ab].go @bob", "a.go", "codeowners [ab].go @bob"},
		{"[ab @bob", "[ab", ""}, // a pattern that is not closed
		{"A.go @bob", "a.go", ""},
		{"* @ann\nb.md", "b.md", "codeowners b.md"}, // nobody owns it
		{"* @ann # and @bob", "a", "codeowners * @ann @bob"},
		{"# * @ann", "a", ""},
		{"* @@Developers @@guest ann@example.com @ @a/b nobody @@owner", "a",
			"codeowners * @@developer ann@example.com @a/b @@owner"},
		{"* @ann @ann", "a", "codeowners * @ann"},
		{"[Docs] @ann\n*.md\n*.txt @bob", "a.md", "Docs *.md @ann"},
		{"[Docs] @ann\n*.md\n*.txt @bob", "a.txt", "Docs *.txt @bob"},
		{"* @ann\n[Docs] @bob\n*.md", "a.md", "codeowners * @ann; Docs *.md @bob"},
		{"[Docs]\n*.md @ann\n[Code]\n*.go @eve\n[DOCS] @bob\n*.md", "a.md", "Docs *.md @bob"},
		{"[Docs\n*.md @ann", "a.md", "codeowners *.md @ann"},
		{"[Docs] @ann\n*\n!*.md\n/a.md @bob", "a.md", ""},
		{"[Docs] @ann\n*\n!*.md", "a.go", "Docs * @ann"},
		{"[Docs] @ann\n*\n!*.md\n[Code] @eve\n*", "a.md", "Code * @eve"},
		{"\ufeff* @ann", "a", "codeowners * @ann"},
	} {
		require.Equal(t, tt.want, shown(parse(t, tt.text), tt.path), "%q of %q", tt.path, tt.text)
	}
}

func TestSections(t *testing.T) {
	t.Parallel()
	f := parse(t, strings.Join([]string{
		"* @a", "^[Docs][3] @a", "[docs][2]", "[None][0]", "[Odd][x]", "^[Free]", "[Unclosed][2 @a", "[many][99999999999]",
	}, "\r\n"))
	var got []string
	for _, s := range f.Sections {
		got = append(got, fmt.Sprint(s.Name, " ", s.Optional, " ", s.Approvals, " ", len(s.Rules)))
	}
	require.Equal(t, []string{
		"codeowners false 1 1", "Docs false 3 0", "None false 1 0", "Odd false 1 0", "Free true 1 1", "many false 1 0",
	}, got)
	require.Equal(t, 7, f.Sections[4].Rules[0].Line)
}

// A file within the limits is read and matched in a time that grows with its size, whatever is in
// it: a test of much more would not end.
func TestHostileFile(t *testing.T) {
	t.Parallel()
	stars := parse(t, strings.Repeat(strings.Repeat("**/*a*", 15)+"b @ann\n", codeowners.MaxRules))
	require.Empty(t, stars.Match(strings.Repeat("a/", 200)+"c"))
	var headings strings.Builder
	for i := range 80_000 {
		fmt.Fprintf(&headings, "[%d]\n", i)
	}
	require.Len(t, parse(t, headings.String()).Sections, 80_000)

	_, err := codeowners.Parse(strings.Repeat("*\n", codeowners.MaxRules+1))
	require.ErrorIs(t, err, codeowners.ErrTooLarge)
	_, err = codeowners.Parse(strings.Repeat("#", codeowners.MaxSize+1))
	require.ErrorIs(t, err, codeowners.ErrTooLarge)
}

func parse(t *testing.T, text string) *codeowners.File {
	t.Helper()
	f, err := codeowners.Parse(text)
	require.NoError(t, err)
	return f
}

func FuzzParse(f *testing.F) {
	f.Add("[Docs][2] @a\n*.md @@owner\n!x", "a/b.md")
	f.Fuzz(func(t *testing.T, text, path string) {
		file, err := codeowners.Parse(text)
		if err != nil {
			return
		}
		sections := map[string]bool{}
		for _, m := range file.Match(path) {
			name := strings.ToLower(m.Section.Name)
			require.False(t, sections[name], "two rules of a section")
			sections[name] = true
			require.Contains(t, m.Section.Rules, m.Rule)
		}
	})
}
