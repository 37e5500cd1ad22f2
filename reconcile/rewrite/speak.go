package rewrite

import (
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// How a value is written where nothing is written yet.

// Spoken is a live value as people write it: references by path or name, levels
// by name.
func Spoken(a *schema.Attr, live cty.Value) cty.Value { return spoken(a, nil, live, cty.NilVal) }

// Means is an error where a written value would be refused, or would not be taken
// for the live one. Of references it knows nothing.
func Means(a *schema.Attr, written, live cty.Value) error { return means(a, nil, written, live) }

// wide is from how many characters on a list or an object takes several lines.
const wide = 100

// Expression writes a value: lines of text as a heredoc, what is short on one
// line, all else an element a line. A field that is null is written out, for an
// object is stated with all its fields. The layout is the formatter's.
func Expression(v cty.Value) string {
	if v.Type() == cty.String && !v.IsNull() {
		return paragraph(v.AsString())
	}
	if !keyed(v) && !listed(v) {
		return string(hclwrite.TokensForValue(v).Bytes())
	}
	var items []string
	for key, item := range v.Elements() {
		text := Expression(item)
		if keyed(v) {
			text = Key(key.AsString()) + " = " + text
		}
		items = append(items, text)
	}
	return Enclosed(items, keyed(v))
}

// Enclosed puts elements, or fields, between their brackets.
func Enclosed(items []string, fields bool) string {
	one, open, end, after := "["+strings.Join(items, ", ")+"]", "[", "]", ","
	if fields {
		one, open, end, after = object(items), "{", "}", ""
	}
	if utf8.RuneCountInString(one) <= wide && !strings.Contains(one, "\n") {
		return one
	}
	return open + "\n" + strings.Join(items, after+"\n") + after + "\n" + end
}

// Key writes the key of an object.
func Key(key string) string { return label(key) }

// margins of a heredoc in a block.
const margins = "<<-EOT\n    \n  EOT"

// paragraph writes several lines as such. A heredoc ends with a line break, so
// one that the text does not have is taken off again.
func paragraph(s string) string {
	if strings.Count(strings.TrimSuffix(s, "\n"), "\n") == 0 {
		return quoted(s)
	}
	if text, ok := heredoc(margins, s); ok {
		return text
	}
	if text, ok := heredoc(margins, s+"\n"); ok && !strings.HasSuffix(s, "\n") {
		return "chomp(" + text + "\n)"
	}
	return quoted(s)
}
