package reconcile

import (
	"context"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/apply"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
)

// base is what an earlier configuration says of the host, in the place of a
// ledger: what it declares counts as made and as applied.
type base struct {
	back     ledger.Backend
	declared map[addr.Instance]bool
}

// planBase plans the earlier configuration, and takes what it finds for what hew
// manages: a value that is still as declared there has not drifted, and what is
// declared no longer is to go.
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
		return nil, hcl.Diagnostics{fault("Ledger cannot be made up", err)}
	}
	return b, nil
}
