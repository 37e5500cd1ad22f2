package rewrite

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// rewriting changes one expression, as little of it as it takes.
type rewriting struct {
	src       []byte
	same      func(written, want cty.Value) bool // of elements of a list
	partial   bool                               // keys that are not wanted stay
	unordered bool                               // the order of the outermost list says nothing
	edits     []edit
}

// set makes a value of what is written, or tells why it cannot be written there.
func (r *rewriting) set(e hclsyntax.Expression, want cty.Value) (why string) {
	if p, ok := e.(*hclsyntax.ParenthesesExpr); ok {
		return r.set(p.Expression, want)
	}
	if want.IsNull() { // null would state nothing
		return "the host has none, which no value says: take it out"
	}
	was, why := constant(e)
	if why == "" && alike(was, want) {
		return ""
	}
	unordered := r.unordered
	r.unordered = false // which is said of the outermost alone
	switch e := e.(type) {
	case *hclsyntax.TupleConsExpr:
		if listed(want) {
			return r.list(e, want.AsValueSlice(), unordered)
		}
	case *hclsyntax.ObjectConsExpr:
		if keyed(want) {
			return r.entries(e, want.AsValueMap())
		}
	}
	if why != "" {
		return why
	}
	r.replace(e.Range(), r.literal(e, want))
	return ""
}

func (r *rewriting) replace(at hcl.Range, text string) {
	r.edits = append(r.edits, edit{at.Start.Byte, at.End.Byte, text})
}

// proven holds what is written now to what it has to mean: it tells why it may
// not stay so.
func (r *rewriting) proven(e hclsyntax.Expression, means func(cty.Value) error) (why string) {
	at := e.Range()
	var own []edit
	for _, ed := range r.edits {
		own = append(own, edit{ed.from - at.Start.Byte, ed.to - at.Start.Byte, ed.text})
	}
	text := spliced(at.SliceBytes(r.src), own)
	if last := len(text) - 1; last >= 0 && text[last] != '\n' {
		text = append(text, '\n') // which ends a heredoc
	}
	parsed, diags := hclsyntax.ParseExpression(text, at.Filename, hcl.InitialPos)
	if diags.HasErrors() {
		return "hew found no way to write it"
	}
	got, diags := parsed.Value(nil)
	if diags.HasErrors() {
		return "" // parts of it are expressions, which stay
	}
	if err := means(got); err != nil {
		return fmt.Sprintf("written here it would be something else: %s", err)
	}
	return ""
}

// constant is the value of a literal, or of what consists of literals; of all
// else it tells what it is.
func constant(e hclsyntax.Expression) (v cty.Value, why string) {
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		if why == "" {
			why = made(n)
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

// made tells how a value is come by that is no literal.
func made(n hclsyntax.Node) string {
	switch n := n.(type) {
	case *hclsyntax.LiteralValueExpr, *hclsyntax.TupleConsExpr, *hclsyntax.ObjectConsExpr, *hclsyntax.ObjectConsKeyExpr, *hclsyntax.ParenthesesExpr:
		return ""
	case *hclsyntax.UnaryOpExpr:
		if _, number := n.Val.(*hclsyntax.LiteralValueExpr); number && n.Op == hclsyntax.OpNegate {
			return ""
		}
	case *hclsyntax.TemplateExpr:
		for _, part := range n.Parts {
			if _, text := part.(*hclsyntax.LiteralValueExpr); !text {
				return "parts of the text are expressions"
			}
		}
		return ""
	case *hclsyntax.TemplateWrapExpr:
		return made(n.Wrapped.(hclsyntax.Node))
	case *hclsyntax.ScopeTraversalExpr:
		return fmt.Sprintf("it is the value of %s", hclwrite.TokensForTraversal(n.Traversal).Bytes())
	case *hclsyntax.FunctionCallExpr:
		return fmt.Sprintf("it is worked out by %s", n.Name)
	}
	return "it is worked out by an expression"
}

// alike tells whether two values mean the same wherever one of them is written:
// what is null in an object counts as left out, and numbers may be texts.
func alike(x, y cty.Value) bool {
	switch {
	case x == cty.NilVal || y == cty.NilVal:
		return false
	case x.IsNull() || y.IsNull():
		return x.IsNull() && y.IsNull()
	case keyed(x) && keyed(y):
		a, b := stated(x), stated(y)
		for key, v := range a {
			if w, is := b[key]; !is || !alike(v, w) {
				return false
			}
		}
		return len(a) == len(b)
	case listed(x) && listed(y):
		a, b := x.AsValueSlice(), y.AsValueSlice()
		for i := range a {
			if len(a) != len(b) || !alike(a[i], b[i]) {
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

// stated are the fields of an object that are not null.
func stated(v cty.Value) map[string]cty.Value {
	fields := v.AsValueMap()
	for key, field := range fields {
		if field.IsNull() {
			delete(fields, key)
		}
	}
	return fields
}

func keyed(v cty.Value) bool { return !v.IsNull() && (v.Type().IsObjectType() || v.Type().IsMapType()) }

func listed(v cty.Value) bool {
	return !v.IsNull() && (v.Type().IsTupleType() || v.Type().IsListType() || v.Type().IsSetType())
}
