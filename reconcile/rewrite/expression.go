package rewrite

import (
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// SourceValue returns a live value as people write it: references by path or name, access levels by
// name.
func SourceValue(a *schema.Attr, live cty.Value) cty.Value {
	return sourceValue(a, nil, live, cty.NilVal)
}

// CheckMeaning fails if a written value would be refused, or would not mean the live one. It does
// not check references.
func CheckMeaning(a *schema.Attr, written, live cty.Value) error {
	return checkMeaning(a, nil, written, live)
}

// maxInline is the number of characters up to which a list or object is written on one line.
const maxInline = 100

// Expression returns a value as an expression: text of several lines as a heredoc, short values on
// one line, others with one element a line. It writes null fields of an object, too. Indentation is
// left to the formatter.
func Expression(v cty.Value) string {
	if v.Type() == cty.String && !v.IsNull() {
		return multiline(v.AsString())
	}
	if !isObject(v) && !isList(v) {
		return string(hclwrite.TokensForValue(v).Bytes())
	}
	var items []string
	for key, item := range v.Elements() {
		text := Expression(item)
		if isObject(v) {
			text = Key(key.AsString()) + " = " + text
		}
		items = append(items, text)
	}
	return Enclose(items, isObject(v))
}

// Enclose puts the elements of a list, or the fields of an object, between brackets.
func Enclose(items []string, fields bool) string {
	one, open, end, separator := "["+strings.Join(items, ", ")+"]", "[", "]", ","
	if fields {
		one, open, end, separator = joinFields(items), "{", "}", ""
	}
	if utf8.RuneCountInString(one) <= maxInline && !strings.Contains(one, "\n") {
		return one
	}
	return open + "\n" + strings.Join(items, separator+"\n") + separator + "\n" + end
}

// Key returns a key of an object as it is written, quoted if necessary.
func Key(key string) string { return objectKey(key) }

// heredocFrame is an indented heredoc of one empty line.
const heredocFrame = "<<-EOT\n    \n  EOT"

// multiline writes a text of several lines as a heredoc. If the text does not end with a line
// break, chomp removes the one that a heredoc has.
func multiline(s string) string {
	if strings.Count(strings.TrimSuffix(s, "\n"), "\n") == 0 {
		return quote(s)
	}
	if text, ok := heredoc(heredocFrame, s); ok {
		return text
	}
	if text, ok := heredoc(heredocFrame, s+"\n"); ok && !strings.HasSuffix(s, "\n") {
		return "chomp(" + text + "\n)"
	}
	return quote(s)
}
