package config

import (
	"context"
	"time"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
)

// Run evaluates whatever is not evaluated yet, and again what depends on a stale block:
// one that became blocked, or about which the oracle has learned something since the last
// Run. A nil oracle knows nothing, which is how configurations are validated offline. The
// caller owns the Result, but its Desired share slices and maps with later results.
//
// If ctx ends or the memory is used up, Run returns an error at once. It may still use the
// oracle for a moment then, and neither the oracle nor the evaluation can be used any more.
func (e *Eval) Run(ctx context.Context, o Oracle, stale ...addr.Block) (Result, hcl.Diagnostics) {
	return evaluateWithin(ctx, e.cfg.memory, func(ctx context.Context) (Result, hcl.Diagnostics) {
		e.setContext(ctx)
		return e.run(o, stale)
	})
}

// setContext sets the context whose end stops the evaluation.
func (e *Eval) setContext(ctx context.Context) {
	e.ctx = ctx
	for _, p := range e.probes {
		p.eval.ctx = ctx
	}
}

// interrupted reports whether the evaluation is to stop. Its results are incomplete then.
func (e *Eval) interrupted() bool { return e.ctx.Err() != nil }

// evaluateWithin returns what evaluate returns, or an error as soon as ctx ends or the memory is
// used up. HCL cannot be interrupted within an expression, so evaluate goes on by itself then,
// until it looks at its context or the process exits; what it works on must not be used any more.
func evaluateWithin[T any](
	ctx context.Context, m *memory, evaluate func(context.Context) (T, hcl.Diagnostics),
) (T, hcl.Diagnostics) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		value T
		diags hcl.Diagnostics
	}
	done := make(chan outcome, 1)
	go func() {
		value, diags := evaluate(inner)
		done <- outcome{value, diags}
	}()
	look := time.NewTicker(memoryInterval)
	defer look.Stop()
	var none T
	for {
		select {
		case got := <-done:
			if ctx.Err() == nil { // else it may have noticed, and be incomplete
				return got.value, got.diags
			}
			return none, interruptedError()
		case <-ctx.Done():
			return none, interruptedError()
		case <-look.C:
			if m.exceeded() {
				return none, m.exceededError()
			}
		}
	}
}

func interruptedError() hcl.Diagnostics {
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Interrupted",
		Detail: "The evaluation of the configuration was stopped. Run the command again."}}
}
