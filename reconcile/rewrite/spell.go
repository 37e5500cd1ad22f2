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

// spoken is a live value as people write it, by the other tool's name n if the
// block has that, and in the place of what they wrote, NilVal for nothing.
func spoken(a *schema.Attr, n *schema.Naming, live, written cty.Value) cty.Value {
	live, _ = live.UnmarkDeep()
	switch {
	case a.ManyRefs():
		refs := schema.Refs(live)
		items := make([]cty.Value, len(refs))
		for i, r := range refs {
			items[i] = referred(r, numbers(written))
		}
		return cty.TupleVal(items)
	case a.RefKind() != "" && schema.AsRef(live) != nil:
		return referred(schema.AsRef(live), numbers(written))
	case live.IsNull() && a.Type == cty.String:
		return cty.StringVal("")
	case live.IsNull():
		return live
	case n != nil && n.Out != nil:
		return n.Out(live)
	case a.Show != nil && !numbers(written):
		if name := cty.StringVal(a.Show(live)); a.Equal(name, live) {
			return name
		}
	}
	return live
}

// numbers tells whether what is written is a number, or numbers alone.
func numbers(v cty.Value) bool {
	switch {
	case v == cty.NilVal || v.IsNull():
		return false
	case listed(v):
		for _, item := range v.AsValueSlice() {
			if !numbers(item) {
				return false
			}
		}
		return v.LengthInt() > 0
	}
	return v.Type() == cty.Number
}

// referred is a reference by path or name, else by the id.
func referred(r *schema.Ref, number bool) cty.Value {
	if r.Path != "" && !(number && r.ID != "") || r.ID == "" {
		return cty.StringVal(r.String())
	}
	if id, err := cty.ParseNumberVal(r.ID); err == nil {
		return id
	}
	return cty.StringVal(r.ID)
}

// literal writes a value in the place of another: a heredoc stays one.
func (r *rewriting) literal(e hclsyntax.Expression, v cty.Value) string {
	if v.Type() == cty.String && !v.IsNull() {
		if text, ok := heredoc(string(e.Range().SliceBytes(r.src)), v.AsString()); ok {
			return text
		}
	}
	return inline(v)
}

// heredoc writes lines of text as a heredoc with the marker and the margin of
// another; ok is false where there is none, or it cannot hold the text.
func heredoc(old, s string) (text string, ok bool) {
	opening, rest, ok := strings.Cut(old, "\n")
	if !ok || !strings.HasPrefix(opening, "<<") || !strings.HasSuffix(s, "\n") || strings.ContainsFunc(s, unprintable) {
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
	return b.String(), says(b.String()+"\n", s)
}

// unprintable tells of what nobody would see in a heredoc.
func unprintable(r rune) bool {
	return r != '\n' && r != '\t' && (r == utf8.RuneError || !unicode.IsPrint(r))
}

// inline writes a value on one line.
func inline(v cty.Value) string {
	switch {
	case keyed(v):
		var fields []string
		for key, field := range v.Elements() {
			if !field.IsNull() {
				fields = append(fields, label(key.AsString())+" = "+inline(field))
			}
		}
		return object(fields)
	case listed(v):
		var items []string
		for _, item := range v.Elements() {
			items = append(items, inline(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case v.Type() == cty.String && !v.IsNull():
		return quoted(v.AsString())
	}
	return string(hclwrite.TokensForValue(v).Bytes())
}

func object(fields []string) string {
	if len(fields) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(fields, ", ") + " }"
}

// quoted writes a text in quotes. There are some, such as $${, that the usual
// escapes do not bring through.
func quoted(s string) string {
	text := string(hclwrite.TokensForValue(cty.StringVal(s)).Bytes())
	if says(text, s) {
		return text
	}
	parts := strings.Split(s, "{")
	for i, part := range parts {
		part = string(hclwrite.TokensForValue(cty.StringVal(part)).Bytes())
		parts[i] = part[1 : len(part)-1]
	}
	return `"` + strings.Join(parts, `\u007b`) + `"`
}

// says tells whether an expression stands for a text.
func says(expression, s string) bool {
	e, diags := hclsyntax.ParseExpression([]byte(expression), "", hcl.InitialPos)
	if diags.HasErrors() {
		return false
	}
	v, diags := e.Value(nil)
	return !diags.HasErrors() && v.Type() == cty.String && v.AsString() == cty.StringVal(s).AsString()
}

// label writes the key of an object; some words mean something else there.
func label(key string) string {
	switch key {
	case "for", "null", "true", "false":
		return quoted(key)
	}
	if hclsyntax.ValidIdentifier(key) {
		return key
	}
	return quoted(key)
}
