package reconcile

import (
	"context"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/apply"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
)

// base is an earlier configuration that replaces the ledger. Its declared objects count as created
// and applied by hew.
type base struct {
	back     ledger.Backend
	declared map[addr.Instance]bool
}

// planBase plans the base configuration and records the objects it finds in a temporary ledger. A
// value that is still as the base declares it has not drifted, and an object that is no longer
// declared is an orphan.
func (e *Engine) planBase(ctx context.Context) (*base, hcl.Diagnostics) {
	earlier := *e
	earlier.Base, earlier.Backend, earlier.Writer, earlier.Lock = nil, nil, nil, false
	run, diags := earlier.Plan(ctx, e.Base, Options{})
	if run == nil {
		return nil, diags
	}
	b := &base{back: run.back, declared: map[addr.Instance]bool{}}
	var deltas []ledger.Delta
	for i := range run.Plan.Changes {
		c := &run.Plan.Changes[i]
		if c.Desired() == nil {
			continue
		}
		b.declared[c.Addr] = true
		if c.Before.ID == "" || c.Action == plan.Replace {
			continue
		}
		entry := apply.Entry(run.builder.Differ, c, c.After, c.Before.ID)
		entry.Created = true
		deltas = append(deltas, ledger.Delta{Addr: c.Addr, Entry: &entry})
	}
	if err := b.back.Append(ctx, deltas...); err != nil {
		return nil, hcl.Diagnostics{runError("Cannot build the base ledger", err)}
	}
	return b, nil
}
