package config

import (
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/function"
)

// loop is a for expression whose elements count as work.
type loop struct {
	*hclsyntax.ForExpr
	work *function.Work
}

func (l *loop) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	inner, turn := *l.ForExpr, &turn{work: l.work, at: l.SrcRange}
	if inner.CondExpr != nil {
		turn.Expression, inner.CondExpr = inner.CondExpr, turn
	} else {
		turn.Expression, inner.ValExpr = inner.ValExpr, turn
	}
	return inner.Value(ctx)
}

// turn is what a loop evaluates first for each element. Once the work is exceeded, it evaluates
// nothing more, and says so unless another has.
type turn struct {
	hclsyntax.Expression
	work *function.Work
	at   hcl.Range
}

func (t *turn) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if !t.work.Add(1) {
		return t.Expression.Value(ctx)
	}
	if t.work.Told() {
		return cty.DynamicVal, nil
	}
	return cty.DynamicVal, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Evaluation takes too long",
		Subject: &t.at, Detail: "The evaluation was stopped: " + t.work.Err().Error() + "."}}
}

// contains is a call of the function, which finds elements of a large list by their hashes if it
// is called with the same list again, as in a loop.
type contains struct {
	*hclsyntax.FunctionCallExpr
	index function.Index
	using sync.Mutex
}

func (c *contains) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	list, listDiags := c.Args[0].Value(ctx)
	v, diags := c.Args[1].Value(ctx)
	if !listDiags.HasErrors() && !diags.HasErrors() {
		c.using.Lock()
		defer c.using.Unlock()
		if found, ok := c.index.Contains(list, v); ok {
			return cty.BoolVal(found), nil
		}
	}
	inner := *c.FunctionCallExpr
	inner.Args = []hclsyntax.Expression{evaluated{c.Args[0], list, listDiags}, evaluated{c.Args[1], v, diags}}
	return inner.Value(ctx)
}
