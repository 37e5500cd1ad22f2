package hew_test

import (
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// Lines of Go end within maxWidth columns and comments within maxCommentWidth; a tab counts
// tabWidth.
const (
	maxWidth        = 120
	maxCommentWidth = 100
	tabWidth        = 4
)

// TestWidth keeps lines short enough to read beside another file.
func TestWidth(t *testing.T) {
	t.Parallel()
	for name, src := range sources(t) {
		for _, at := range wideLines(src) {
			t.Errorf("%s:%s: break the line after a comma, an operator or an opening bracket", name, at)
		}
	}
}

// TestWideLinesBite shows what the check finds and what it lets pass.
func TestWideLinesBite(t *testing.T) {
	t.Parallel()
	pad := func(columns int) string { return strings.Repeat("x", columns) }
	src := strings.Join([]string{
		"package x",
		"var a = 1 + " + pad(100) + " + y",
		"var b = f(" + pad(110) + ", y)",
		"var c = \"" + pad(150) + "\"",
		"var d = f(\"" + pad(150) + "\"), y",
		"// " + pad(60) + " " + pad(60),
		"// https://example.com/" + pad(100),
		"\tvar e = 1 // " + pad(60) + " " + pad(60),
		"var f = `",
		pad(200),
		"`",
	}, "\n")
	require.Equal(
		t, []string{"3: 124 columns", "5: 166 columns", "6: 124 columns", "8: 138 columns"}, wideLines([]byte(src)),
	)
}

// wideLines returns the lines that are too wide, as "line: N columns". The end of a string may
// stand beyond the limit, since neither struct tags nor messages to search for can be broken; so
// may a comment of one word and the output of an example.
func wideLines(src []byte) (wide []string) {
	lines := strings.Split(string(src), "\n")
	file := token.NewFileSet().AddFile("", 1, len(src))
	file.SetLinesForContent(src)
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	report := func(line, limit int) {
		at := fmt.Sprintf("%d: %d columns", line, width(lines[line-1]))
		if width(lines[line-1]) > limit && !slices.Contains(wide, at) {
			wide = append(wide, at)
		}
	}
	printed := false // by an example, after its line Output:
	for {
		pos, tok, text := s.Scan()
		at := file.Position(pos)
		if tok == token.EOF {
			return wide
		}
		before := lines[at.Line-1]
		before = before[:min(at.Column-1, len(before))]
		printed = tok == token.COMMENT && (printed || text == "// Output:")
		switch tok {
		case token.COMMENT:
			switch {
			case printed, strings.HasPrefix(text, "/*"), !strings.Contains(strings.TrimSpace(text[2:]), " "):
			case strings.TrimSpace(before) == "" && !strings.HasPrefix(text, "//\t"):
				report(at.Line, maxCommentWidth)
			default:
				report(at.Line, maxWidth)
			}
		case token.STRING, token.COMMA, token.SEMICOLON, token.RPAREN, token.RBRACK, token.RBRACE:
		default:
			if width(before)+len(text) > maxWidth {
				report(at.Line, maxWidth)
			}
		}
	}
}

// width returns the columns of a line.
func width(line string) int {
	return utf8.RuneCountInString(line) + (tabWidth-1)*strings.Count(line, "\t")
}
