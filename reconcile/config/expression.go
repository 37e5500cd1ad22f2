package config

import (
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/function"
)

// Expression evaluates an expression of the root module. It can use only attributes that
// the configuration mentions, or all if Vars.AllAttributes was set for Load. A nil oracle knows
// nothing and ctx stops the evaluation, as in Run. Secrets in the value are marked.
func (e *Eval) Expression(ctx context.Context, o Oracle, text string) (cty.Value, hcl.Diagnostics) {
	return evaluateWithin(ctx, e.cfg.memory, func(ctx context.Context) (cty.Value, hcl.Diagnostics) {
		e.setContext(ctx)
		return e.expression(o, text)
	})
}

func (e *Eval) expression(o Oracle, text string) (cty.Value, hcl.Diagnostics) {
	e.setOracle(o)
	tokens, _ := hclsyntax.LexExpression([]byte(text), "expression", hcl.InitialPos)
	if d := function.CheckNesting(tokens); d != nil {
		return cty.DynamicVal, e.cfg.seal(hcl.Diagnostics{d})
	}
	expr, diags := hclsyntax.ParseExpression([]byte(text), "expression", hcl.InitialPos)
	for _, d := range diags {
		addAdvice(d, []byte(text))
	}
	if diags.HasErrors() {
		return cty.DynamicVal, e.cfg.seal(diags)
	}
	r := report{}
	n := &node{name: "expression", mod: e.cfg.root, scope: e.cfg.root}
	s := scanner{Config: e.cfg, report: &r, node: n, selections: map[hcl.Range]selection{}}
	s.scanExpr(expr)
	for _, to := range n.refs {
		visitDependencies(to.to, func(n *node) { r.add(e.evaluate(n)) })
	}
	if r.diags.HasErrors() {
		return cty.DynamicVal, e.cfg.seal(r.diags)
	}
	v, diags := expr.Value(e.scope(n, e.root))
	v, _ = stripOrigins(v, &instanceSet{})
	return v, e.cfg.seal(diags)
}
