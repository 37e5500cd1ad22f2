package cli

import (
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile"
	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
)

// Outputs plans the objects that outputs come from, and no others, so that
// nothing else is read. Where only reading can tell which these are, because
// their keys come from a data source, it plans everything.
func (c *connected) Outputs(ctx context.Context, name string) (*plan.Plan, hcl.Diagnostics) {
	needs := c.cfg.OutputNeeds(name)
	needed := func(b addr.Block) bool { return slices.Contains(needs, b.Unkeyed()) }
	result, diags := c.cfg.NewEval().Run(nil)
	if diags.HasErrors() {
		return nil, diags
	}
	var opts reconcile.Options
	for _, d := range slices.Concat(result.Instances, result.Sources) {
		if needed(d.Addr.Block) {
			opts.Target = append(opts.Target, d.Addr)
		}
	}
	switch {
	case slices.ContainsFunc(result.Blocked, func(b config.Blocked) bool { return b.Addr.IsCall() || needed(b.Addr.Block) }):
		opts.Target = nil
	case len(opts.Target) == 0: // all is in the configuration
		return &plan.Plan{Outputs: result.Outputs}, diags
	}
	return c.Plan(ctx, opts)
}
