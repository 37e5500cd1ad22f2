package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// In the JSON syntax every string is a template. Where an address or a path is expected,
// the string is an expression.

// jsonText returns the text of an expression in JSON syntax, and where it begins inside
// the quotes.
func jsonText(e hcl.Expression) (text string, at hcl.Range, ok bool) {
	if _, native := e.(hclsyntax.Node); native {
		return "", at, false
	}
	v, diags := e.Value(nil) // without a scope, strings are not evaluated
	if diags.HasErrors() || v.Type() != cty.String || v.IsNull() {
		return "", at, false
	}
	at = e.Range()
	at.Start.Byte++
	at.Start.Column++
	return v.AsString(), at, true
}

// parseTemplate parses a string in JSON syntax as a template.
func parseTemplate(e hcl.Expression) (hclsyntax.Expression, bool) {
	text, at, ok := jsonText(e)
	if !ok {
		return nil, false
	}
	t, diags := hclsyntax.ParseTemplate([]byte(text), at.Filename, at.Start)
	return t, !diags.HasErrors()
}

// unwrapTemplate returns the expression inside a string in JSON syntax that is nothing but
// ${ }, or e.
func unwrapTemplate(e hcl.Expression) hcl.Expression {
	if t, ok := parseTemplate(e); ok {
		if w, ok := t.(*hclsyntax.TemplateWrapExpr); ok {
			return w.Wrapped
		}
	}
	return e
}

// parseNative parses a string in JSON syntax as an expression, and returns other
// expressions as they are.
func parseNative(e hcl.Expression) hcl.Expression {
	if text, at, ok := jsonText(e); ok {
		if parsed, diags := hclsyntax.ParseExpression([]byte(text), at.Filename, at.Start); !diags.HasErrors() {
			return parsed
		}
	}
	return e
}
