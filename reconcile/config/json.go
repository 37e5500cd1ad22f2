package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// In the JSON syntax every text is a template, and where an expression is
// wanted as such, an address or a path, the text is that expression.

// jsonText is the text of an expression of the JSON syntax and where it begins,
// inside of its quotes.
func jsonText(e hcl.Expression) (text string, at hcl.Range, ok bool) {
	if _, native := e.(hclsyntax.Node); native {
		return "", at, false
	}
	v, diags := e.Value(nil) // without a scope texts stand for themselves
	if diags.HasErrors() || v.Type() != cty.String || v.IsNull() {
		return "", at, false
	}
	at = e.Range()
	at.Start.Byte++
	at.Start.Column++
	return v.AsString(), at, true
}

// parseTemplate is the expression that a text of the JSON syntax is evaluated as.
func parseTemplate(e hcl.Expression) (hclsyntax.Expression, bool) {
	text, at, ok := jsonText(e)
	if !ok {
		return nil, false
	}
	t, diags := hclsyntax.ParseTemplate([]byte(text), at.Filename, at.Start)
	return t, !diags.HasErrors()
}

// unwrapTemplate is the expression that a text of the JSON syntax consists of, if it
// is one in ${ } and nothing else.
func unwrapTemplate(e hcl.Expression) hcl.Expression {
	if t, ok := parseTemplate(e); ok {
		if w, ok := t.(*hclsyntax.TemplateWrapExpr); ok {
			return w.Wrapped
		}
	}
	return e
}

// parseNative is an expression that is meant as such: in the JSON syntax a text that
// holds one.
func parseNative(e hcl.Expression) hcl.Expression {
	if text, at, ok := jsonText(e); ok {
		if parsed, diags := hclsyntax.ParseExpression([]byte(text), at.Filename, at.Start); !diags.HasErrors() {
			return parsed
		}
	}
	return e
}
