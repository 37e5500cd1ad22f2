package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/function"
	"hew/schema"
)

// bounded replaces expressions that HCL evaluates in quadratic time. Each replacement embeds the
// original, so that whatever visits a syntax tree finds what is within it.
type bounded struct{ work *function.Work }

// rewriteBody replaces expressions within a body in the native syntax.
func (b bounded) rewriteBody(body hcl.Body) {
	native, ok := body.(*hclsyntax.Body)
	if !ok || native == nil {
		return
	}
	for _, a := range native.Attributes {
		b.rewrite(&a.Expr)
	}
	for _, block := range native.Blocks {
		b.rewriteBody(block.Body)
	}
}

// rewrite replaces an expression and those within it.
func (b bounded) rewrite(at *hclsyntax.Expression) {
	if *at == nil {
		return
	}
	switch e := (*at).(type) {
	case *hclsyntax.ConditionalExpr:
		b.rewriteEach(&e.Condition, &e.TrueResult, &e.FalseResult)
		*at = &conditional{e}
	case *hclsyntax.ForExpr:
		b.rewriteEach(&e.CollExpr, &e.KeyExpr, &e.ValExpr, &e.CondExpr)
		*at = &loop{e, b.work}
	case *hclsyntax.FunctionCallExpr:
		b.rewriteList(e.Args)
		if e.Name == "contains" && len(e.Args) == 2 && !e.ExpandFinal {
			*at = &contains{FunctionCallExpr: e}
		}
	case *hclsyntax.TupleConsExpr:
		b.rewriteList(e.Exprs)
	case *hclsyntax.TemplateExpr:
		b.rewriteList(e.Parts)
	case *hclsyntax.ObjectConsExpr:
		for i := range e.Items {
			b.rewriteEach(&e.Items[i].KeyExpr, &e.Items[i].ValueExpr)
		}
	case *hclsyntax.ObjectConsKeyExpr:
		b.rewrite(&e.Wrapped)
	case *hclsyntax.BinaryOpExpr:
		b.rewriteEach(&e.LHS, &e.RHS)
	case *hclsyntax.UnaryOpExpr:
		b.rewrite(&e.Val)
	case *hclsyntax.IndexExpr:
		b.rewriteEach(&e.Collection, &e.Key)
	case *hclsyntax.SplatExpr:
		b.rewriteEach(&e.Source, &e.Each)
	case *hclsyntax.RelativeTraversalExpr:
		b.rewrite(&e.Source)
	case *hclsyntax.ParenthesesExpr:
		b.rewrite(&e.Expression)
	case *hclsyntax.TemplateWrapExpr:
		b.rewrite(&e.Wrapped)
	case *hclsyntax.TemplateJoinExpr:
		b.rewrite(&e.Tuple)
	}
}

func (b bounded) rewriteEach(at ...*hclsyntax.Expression) {
	for _, e := range at {
		b.rewrite(e)
	}
}

func (b bounded) rewriteList(list []hclsyntax.Expression) {
	for i := range list {
		b.rewrite(&list[i])
	}
}

// conditional is a conditional whose results have the type that HCL gives them, which HCL needs
// quadratic time to find if it has to make a list of a large tuple, or a map of a large object.
type conditional struct{ *hclsyntax.ConditionalExpr }

// Value evaluates both results first, as HCL does.
func (c *conditional) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	yes, yesDiags := c.TrueResult.Value(ctx)
	no, noDiags := c.FalseResult.Value(ctx)
	if isLarge(yes.Type()) || isLarge(no.Type()) {
		var d *hcl.Diagnostic
		if yes, no, d = c.unify(yes, no); d != nil {
			d.EvalContext = ctx
			return cty.DynamicVal, hcl.Diagnostics{d}
		}
	}
	inner := *c.ConditionalExpr
	inner.TrueResult, inner.FalseResult = evaluated{c.TrueResult, yes, yesDiags}, evaluated{c.FalseResult, no, noDiags}
	return inner.Value(ctx)
}

// unify converts both results to one type. Results that HCL does not convert stay as they are.
func (c *conditional) unify(yes, no cty.Value) (_, _ cty.Value, _ *hcl.Diagnostic) {
	if yes.Type() == cty.DynamicPseudoType || no.Type() == cty.DynamicPseudoType || yes.Type().Equals(no.Type()) {
		return yes, no, nil
	}
	one := schema.Unify([]cty.Type{typeBeside(yes, no), typeBeside(no, yes)})
	switch {
	case one != cty.NilType && one.HasDynamicTypes():
		return yes, no, nil
	case one == cty.NilType:
		return yes, no, c.mismatch("Elements of both, or of one of them, have no type in common")
	}
	asYes, err := schema.Convert(yes, one)
	if err != nil {
		return yes, no, c.mismatch(err.Error())
	}
	asNo, err := schema.Convert(no, one)
	if err != nil {
		return yes, no, c.mismatch(err.Error())
	}
	return asYes, asNo, nil
}

// typeBeside returns the type of v, but a known type for the empty result of tolist([]) and
// tomap({}), whose elements get the type of those of the other value.
func typeBeside(v, other cty.Value) cty.Type {
	t := v.Type()
	switch {
	case !t.IsCollectionType() || t.ElementType() != cty.DynamicPseudoType:
	case t.IsListType() && other.Type().IsTupleType():
		return cty.EmptyTuple
	case t.IsMapType() && other.Type().IsObjectType():
		return cty.EmptyObject
	}
	return t
}

func (c *conditional) mismatch(why string) *hcl.Diagnostic {
	at := hcl.RangeBetween(c.TrueResult.Range(), c.FalseResult.Range())
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Inconsistent conditional result types",
		Detail:  "The true and false result expressions must have consistent types. " + why + ".",
		Subject: &at, Context: &c.SrcRange, Expression: c}
}

// isLarge reports whether a type has so many elements that HCL's way to unify it takes long.
func isLarge(t cty.Type) bool {
	const few = 100
	left := few
	var count func(cty.Type)
	count = func(t cty.Type) {
		switch left--; {
		case left < 0:
		case t.IsTupleType():
			for _, e := range t.TupleElementTypes() {
				if count(e); left < 0 {
					return
				}
			}
		case t.IsObjectType():
			for _, e := range t.AttributeTypes() {
				if count(e); left < 0 {
					return
				}
			}
		}
	}
	count(t)
	return left < 0
}

// evaluated is an expression with its value.
type evaluated struct {
	hclsyntax.Expression
	value cty.Value
	diags hcl.Diagnostics
}

func (e evaluated) Value(*hcl.EvalContext) (cty.Value, hcl.Diagnostics) { return e.value, e.diags }
