package expression

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxBraces bounds how deep braces are nested.
const maxBraces = 20

// translation writes a glob as a regular expression. Alternatives stay alternatives, so that the
// result is as large as the glob, however many combinations there are.
type translation struct {
	text    string
	at      int
	segment bool // what comes next is at the beginning of a path segment
	broken  bool // nothing matches
	out     strings.Builder
}

// run translates up to the end of the text, or of an alternative if it is within braces.
func (t *translation) run(depth int) {
	for t.at < len(t.text) {
		rest := t.text[t.at:]
		switch c := rest[0]; {
		case depth > 0 && (c == ',' || c == '}'):
			return
		case strings.HasPrefix(rest, "**/") && t.segment:
			t.out.WriteString(`(?:[^/]+/)*`)
			t.at += 3
		case c == '*':
			t.add(1, `[^/]*`)
		case c == '?':
			t.add(1, `[^/]`)
		case c == '[':
			t.set(rest)
		case c == '{' && depth < maxBraces && closes(rest):
			t.braces(depth)
		case c == '\\' && len(rest) > 1:
			t.at++
			t.plain(rest[1:])
		default:
			t.plain(rest)
		}
	}
}

// add writes the translation of some bytes of the glob.
func (t *translation) add(size int, re string) {
	t.at += size
	t.out.WriteString(re)
	t.segment = false
}

// plain translates a character that stands for itself.
func (t *translation) plain(rest string) {
	_, size := utf8.DecodeRuneInString(rest)
	t.add(size, regexp.QuoteMeta(rest[:size]))
	t.segment = rest[0] == '/'
}

// set translates a set of characters. One that does not end matches nothing.
func (t *translation) set(rest string) {
	end := strings.IndexByte(rest[1:], ']')
	if end < 0 {
		t.broken = true
		t.at = len(t.text)
		return
	}
	inner, negated := rest[1:1+end], ""
	if inner != "" && (inner[0] == '!' || inner[0] == '^') {
		inner, negated = inner[1:], "^/"
	}
	inner = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `^`, `\^`, `&`, `\&`, `~`, `\~`).Replace(inner)
	set := "[" + negated + inner + "]"
	if _, err := regexp.Compile(set); err != nil || inner == "" {
		t.broken = true
	}
	t.add(end+2, set)
}

// braces translates alternatives.
func (t *translation) braces(depth int) {
	before, after := t.segment, false
	t.out.WriteString("(?:")
	for {
		t.at++ // the brace or the comma
		t.segment = before
		t.run(depth + 1)
		after = after || t.segment
		if t.at == len(t.text) { // the partner is in a set
			t.broken = true
			return
		}
		if t.text[t.at] == '}' {
			break
		}
		t.out.WriteString("|")
	}
	t.at++
	t.out.WriteString(")")
	t.segment = after
}

// closes reports whether the brace at the beginning of a text has a partner.
func closes(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth--
			if depth == 0 {
				return true
			}
		}
	}
	return false
}
