package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// Quote writes a string as an HCL literal: \d as \\d, ${ as $${.
func Quote(s string) string {
	return string(hclwrite.TokensForValue(cty.StringVal(s)).Bytes())
}

// Clean makes control characters visible. Names and messages come from hosts
// where others may write what they like; none of it may move a cursor.
func Clean(s string) string {
	if strings.IndexFunc(s, Unprintable) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if Unprintable(r) {
			q := Quote(string(r))
			b.WriteString(q[1 : len(q)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// CleanLines cleans a text of several lines, which stay as they are.
func CleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Clean(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Unprintable reports whether a character would do something to a terminal, or cannot be seen
// there.
func Unprintable(r rune) bool {
	return r == utf8.RuneError || !unicode.IsPrint(r)
}
