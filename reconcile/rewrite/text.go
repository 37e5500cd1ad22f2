package rewrite

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// sourceValue returns a live value as people write it. n is the Terraform name of the argument, if
// the block uses it. written is the value in the configuration now, cty.NilVal for none: a
// reference or a level that is written as a number stays one.
func sourceValue(a *schema.Attr, n *schema.Naming, live, written cty.Value) cty.Value {
	live, _ = live.UnmarkDeep()
	switch {
	case a.ManyRefs():
		refs := schema.Refs(live)
		items := make([]cty.Value, len(refs))
		for i, r := range refs {
			items[i] = refValue(r, isNumeric(written))
		}
		return cty.TupleVal(items)
	case a.RefKind() != "" && schema.AsRef(live) != nil:
		return refValue(schema.AsRef(live), isNumeric(written))
	case live.IsNull() && a.Type == cty.String:
		return cty.StringVal("")
	case live.IsNull():
		return live
	case n != nil && n.Out != nil:
		return n.Out(live)
	case a.Show != nil && !isNumeric(written):
		if name := cty.StringVal(a.Show(live)); a.Equal(name, live) {
			return name
		}
	}
	return live
}

// isNumeric reports whether a value is a number, or a list of numbers.
func isNumeric(v cty.Value) bool {
	switch {
	case v == cty.NilVal || v.IsNull():
		return false
	case isList(v):
		for _, item := range v.AsValueSlice() {
			if !isNumeric(item) {
				return false
			}
		}
		return v.LengthInt() > 0
	}
	return v.Type() == cty.Number
}

// refValue returns a reference by path or name, else by id.
func refValue(r *schema.Ref, number bool) cty.Value {
	if r.Path != "" && !(number && r.ID != "") || r.ID == "" {
		return cty.StringVal(r.String())
	}
	if id, err := cty.ParseNumberVal(r.ID); err == nil {
		return id
	}
	return cty.StringVal(r.ID)
}

// literalText returns the text for a value in place of an expression: a heredoc stays a heredoc.
func (r *rewriter) literalText(e hclsyntax.Expression, v cty.Value) string {
	if v.Type() == cty.String && !v.IsNull() {
		if text, ok := heredoc(string(e.Range().SliceBytes(r.src)), v.AsString()); ok {
			return text
		}
	}
	return oneLine(v)
}

// heredoc returns a text as a heredoc with the marker and indentation of an old one. ok is false if
// old is not a heredoc, or if a heredoc cannot hold the text.
func heredoc(old, s string) (text string, ok bool) {
	opening, rest, ok := strings.Cut(old, "\n")
	if !ok || !strings.HasPrefix(opening, "<<") || !strings.HasSuffix(s, "\n") || strings.ContainsFunc(s, isInvisible) {
		return "", false
	}
	margin := ""
	if strings.HasPrefix(opening, "<<-") {
		margin = rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))]
	}
	var b strings.Builder
	b.WriteString(opening + "\n")
	for line := range strings.Lines(strings.NewReplacer("${", "$${", "%{", "%%{").Replace(s)) {
		if line != "\n" {
			b.WriteString(margin)
		}
		b.WriteString(line)
	}
	b.WriteString(old[strings.LastIndexByte(old, '\n')+1:])
	return b.String(), evaluatesTo(b.String()+"\n", s)
}

// isInvisible reports whether a rune would be invisible in a heredoc.
func isInvisible(r rune) bool {
	return r != '\n' && r != '\t' && (r == utf8.RuneError || !unicode.IsPrint(r))
}

// oneLine returns a value on one line.
func oneLine(v cty.Value) string {
	switch {
	case isObject(v):
		var fields []string
		for key, field := range v.Elements() {
			if !field.IsNull() {
				fields = append(fields, objectKey(key.AsString())+" = "+oneLine(field))
			}
		}
		return joinFields(fields)
	case isList(v):
		var items []string
		for _, item := range v.Elements() {
			items = append(items, oneLine(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case v.Type() == cty.String && !v.IsNull():
		return quote(v.AsString())
	}
	return string(hclwrite.TokensForValue(v).Bytes())
}

func joinFields(fields []string) string {
	if len(fields) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(fields, ", ") + " }"
}

// quote returns a text in quotes. The escapes of hclwrite do not cover all texts, such as $${; for
// those it escapes the braces.
func quote(s string) string {
	text := string(hclwrite.TokensForValue(cty.StringVal(s)).Bytes())
	if evaluatesTo(text, s) {
		return text
	}
	parts := strings.Split(s, "{")
	for i, part := range parts {
		part = string(hclwrite.TokensForValue(cty.StringVal(part)).Bytes())
		parts[i] = part[1 : len(part)-1]
	}
	return `"` + strings.Join(parts, `\u007b`) + `"`
}

// evaluatesTo reports whether an expression evaluates to a string.
func evaluatesTo(expression, s string) bool {
	e, diags := hclsyntax.ParseExpression([]byte(expression), "", hcl.InitialPos)
	if diags.HasErrors() {
		return false
	}
	v, diags := e.Value(nil)
	return !diags.HasErrors() && v.Type() == cty.String && v.AsString() == cty.StringVal(s).AsString()
}

// objectKey returns a key of an object, in quotes if it is not an identifier or is a keyword.
func objectKey(key string) string {
	switch key {
	case "for", "null", "true", "false":
		return quote(key)
	}
	if hclsyntax.ValidIdentifier(key) {
		return key
	}
	return quote(key)
}
