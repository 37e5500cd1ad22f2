package document

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"unicode"
)

// maxSimpleKey is the length up to which a key stands before its colon without a question mark.
const maxSimpleKey = 128

// MergedYAML returns the merged definition as YAML, beginning with `---`. All keys are text.
func (d *Document) MergedYAML() string {
	var w yamlWriter
	w.WriteString("---")
	w.value(d.Root, 0, false)
	return w.String()
}

// yamlWriter writes a tree in block style, lists not indented below their key.
type yamlWriter struct {
	strings.Builder
}

// value writes what comes after a key, a dash or the beginning of the document, with the end of
// its line. Level is the indentation of a map or a list, which begins on the same line if inline
// says so.
func (w *yamlWriter) value(n *Node, level int, inline bool) {
	block := n.Kind == Map && len(n.Entries) > 0 || n.Kind == List && len(n.Items) > 0
	if !block {
		w.leaf(n, level)
		return
	}
	if !inline {
		w.WriteByte('\n')
	}
	begin := func(i int) {
		if i == 0 && inline {
			w.WriteByte(' ')
		} else {
			w.WriteString(strings.Repeat("  ", level))
		}
	}
	for i, e := range n.Entries {
		begin(i)
		w.key(e.Key, level)
		if e.Value.Kind == List {
			w.value(e.Value, level, false)
		} else {
			w.value(e.Value, level+1, false)
		}
	}
	for i, item := range n.Items {
		begin(i)
		w.WriteByte('-')
		w.value(item, level+1, true)
	}
}

// leaf writes a value that is no map and no list, or an empty one.
func (w *yamlWriter) leaf(n *Node, level int) {
	switch {
	case n.Kind == Map:
		w.WriteString(" {}")
	case n.Kind == List || n.Kind == Reference:
		w.WriteString(" []")
	case n.Kind == Null:
	case n.Kind == String && isLiteral(n.Text):
		w.literal(n.Text, level)
	case n.Kind == String:
		w.WriteString(" " + quoteYAML(n.Text))
	case n.Kind == Float && math.IsNaN(n.Float):
		w.WriteString(" .nan")
	case n.Kind == Float && math.IsInf(n.Float, 1):
		w.WriteString(" .inf")
	case n.Kind == Float && math.IsInf(n.Float, -1):
		w.WriteString(" -.inf")
	default:
		w.WriteString(" " + n.ScalarText())
	}
	w.WriteByte('\n')
}

// key writes a key with its colon.
func (w *yamlWriter) key(key string, level int) {
	if len(key) > maxSimpleKey {
		w.WriteString("? " + escapeYAML(key) + "\n" + strings.Repeat("  ", level) + ":")
		return
	}
	w.WriteString(quoteYAML(key) + ":")
}

// literal writes a text of several lines as it is, without the end of its last line.
func (w *yamlWriter) literal(text string, level int) {
	w.WriteString(" |")
	body, ended := strings.CutSuffix(text, "\n")
	if !ended {
		w.WriteByte('-')
	}
	indent := strings.Repeat("  ", max(1, level))
	for line := range strings.SplitSeq(body, "\n") {
		w.WriteByte('\n')
		if line != "" {
			w.WriteString(indent + line)
		}
	}
}

// isLiteral reports whether a text of several lines can be written as it is.
func isLiteral(text string) bool {
	if !strings.Contains(text, "\n") || strings.HasSuffix(text, "\n\n") || strings.ContainsAny(text[:1], " \t\n") {
		return false
	}
	return printable(strings.NewReplacer("\n", "", "\t", "").Replace(text))
}

// printable reports whether a text has only characters that a line can show.
func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsPrint(r) || r == unicode.ReplacementChar
	})
}

// quoteYAML returns a text of one line for any place in YAML, with as few quotes as are safe.
func quoteYAML(text string) string {
	switch {
	case !printable(text):
		return escapeYAML(text)
	case isPlain(text):
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// ambiguous finds texts that other readers take for dates or booleans.
var ambiguous = regexp.MustCompile(`^(\d{4}-\d|[yYnN]$)`)

// isPlain reports whether a text without quotes is read as that text.
func isPlain(text string) bool {
	if text == "" || ambiguous.MatchString(text) || strings.TrimSpace(text) != text ||
		plainScalar(text).Kind != String {
		return false
	}
	if strings.ContainsAny(text[:1], "-?:,[]{}#&*!|>'\"%@`=<.") || strings.HasSuffix(text, ":") {
		// A point begins names of hidden jobs, which are plain unless all of it is points.
		return text[0] == '.' && strings.Trim(text, ".") != "" && isPlain(strings.TrimLeft(text, "."))
	}
	return !strings.Contains(text, ": ") && !strings.Contains(text, " #")
}

// escapeYAML returns a text in double quotes.
func escapeYAML(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r) && r < 0x7f:
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
