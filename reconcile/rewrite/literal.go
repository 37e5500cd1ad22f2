package rewrite

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// rewriter collects the edits to one expression, as few as possible.
type rewriter struct {
	src           []byte
	equal         func(written, want cty.Value) bool // compares elements of a list
	keepOtherKeys bool                               // of an object, also those that are not wanted
	unordered     bool                               // the order of the outermost list does not matter
	edits         []edit
}

// set changes an expression to the wanted value, or returns why it cannot.
func (r *rewriter) set(e hclsyntax.Expression, want cty.Value) (why string) {
	if p, ok := e.(*hclsyntax.ParenthesesExpr); ok {
		return r.set(p.Expression, want)
	}
	if want.IsNull() { // writing null would be the same as removing the argument
		return "the host has no value. Remove the argument"
	}
	was, why := literalValue(e)
	if why == "" && sameMeaning(was, want) {
		return ""
	}
	unordered := r.unordered
	r.unordered = false // applies to the outermost list only
	switch e := e.(type) {
	case *hclsyntax.TupleConsExpr:
		if isList(want) {
			return r.setList(e, want.AsValueSlice(), unordered)
		}
	case *hclsyntax.ObjectConsExpr:
		if isObject(want) {
			return r.setObject(e, want.AsValueMap())
		}
	}
	if why != "" {
		return why
	}
	r.replace(e.Range(), r.literalText(e, want))
	return ""
}

func (r *rewriter) replace(at hcl.Range, text string) {
	r.edits = append(r.edits, edit{at.Start.Byte, at.End.Byte, text})
}

// verify parses the changed expression and checks its value. It returns why the change must not be
// made.
func (r *rewriter) verify(e hclsyntax.Expression, means func(cty.Value) error) (why string) {
	at := e.Range()
	var own []edit
	for _, ed := range r.edits {
		own = append(own, edit{ed.from - at.Start.Byte, ed.to - at.Start.Byte, ed.text})
	}
	text := splice(at.SliceBytes(r.src), own)
	if last := len(text) - 1; last >= 0 && text[last] != '\n' {
		text = append(text, '\n') // ends a heredoc
	}
	parsed, diags := hclsyntax.ParseExpression(text, at.Filename, hcl.InitialPos)
	if diags.HasErrors() {
		return "hew cannot write this value here"
	}
	got, diags := parsed.Value(nil)
	if diags.HasErrors() {
		return "" // parts of it are expressions, which are unchanged
	}
	if err := means(got); err != nil {
		return fmt.Sprintf("the written value would mean something else: %s", err)
	}
	return ""
}

// literalValue returns the value of a literal, or of a list or object of literals; why tells what
// else the expression is.
func literalValue(e hclsyntax.Expression) (v cty.Value, why string) {
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		if why == "" {
			why = whyNotLiteral(n)
		}
		return nil
	})
	if why != "" {
		return cty.NilVal, why
	}
	v, diags := e.Value(nil)
	if diags.HasErrors() {
		return cty.NilVal, "it is an expression"
	}
	return v, ""
}

// whyNotLiteral returns what a node is if it is not part of a literal, or "".
func whyNotLiteral(n hclsyntax.Node) string {
	switch n := n.(type) {
	case *hclsyntax.LiteralValueExpr, *hclsyntax.TupleConsExpr, *hclsyntax.ParenthesesExpr,
		*hclsyntax.ObjectConsExpr, *hclsyntax.ObjectConsKeyExpr:
		return ""
	case *hclsyntax.UnaryOpExpr:
		if _, number := n.Val.(*hclsyntax.LiteralValueExpr); number && n.Op == hclsyntax.OpNegate {
			return ""
		}
	case *hclsyntax.TemplateExpr:
		for _, part := range n.Parts {
			if _, text := part.(*hclsyntax.LiteralValueExpr); !text {
				return "the string contains expressions"
			}
		}
		return ""
	case *hclsyntax.TemplateWrapExpr:
		return whyNotLiteral(n.Wrapped.(hclsyntax.Node))
	case *hclsyntax.ScopeTraversalExpr:
		return fmt.Sprintf("it is set to %s", hclwrite.TokensForTraversal(n.Traversal).Bytes())
	case *hclsyntax.FunctionCallExpr:
		return fmt.Sprintf("it is computed by the function %s", n.Name)
	}
	return "it is computed by an expression"
}

// sameMeaning reports whether two values mean the same in a configuration: null fields of an object
// count as absent, and a number equals the string of it.
func sameMeaning(x, y cty.Value) bool {
	switch {
	case x == cty.NilVal || y == cty.NilVal:
		return false
	case x.IsNull() || y.IsNull():
		return x.IsNull() && y.IsNull()
	case isObject(x) && isObject(y):
		a, b := nonNullFields(x), nonNullFields(y)
		for key, v := range a {
			if w, is := b[key]; !is || !sameMeaning(v, w) {
				return false
			}
		}
		return len(a) == len(b)
	case isList(x) && isList(y):
		a, b := x.AsValueSlice(), y.AsValueSlice()
		for i := range a {
			if len(a) != len(b) || !sameMeaning(a[i], b[i]) {
				return false
			}
		}
		return len(a) == len(b)
	case !x.Type().IsPrimitiveType() || !y.Type().IsPrimitiveType():
		return false
	}
	same, err := convert.Convert(y, x.Type())
	return err == nil && same.RawEquals(x)
}

// nonNullFields returns the fields of an object that are not null.
func nonNullFields(v cty.Value) map[string]cty.Value {
	fields := v.AsValueMap()
	for key, field := range fields {
		if field.IsNull() {
			delete(fields, key)
		}
	}
	return fields
}

func isObject(v cty.Value) bool {
	return !v.IsNull() && (v.Type().IsObjectType() || v.Type().IsMapType())
}

func isList(v cty.Value) bool {
	return !v.IsNull() && (v.Type().IsTupleType() || v.Type().IsListType() || v.Type().IsSetType())
}
