package session

import (
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile"
	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
)

// Outputs plans the objects that outputs depend on, those of the named output or of all if name is
// "", so that nothing else is read. If their keys come from a data source, only reading can tell
// which objects these are, and Outputs plans everything.
func (s *Session) Outputs(ctx context.Context, name string) (*plan.Plan, hcl.Diagnostics) {
	needs := s.config.OutputNeeds(name)
	needed := func(b addr.Block) bool { return slices.Contains(needs, b.WithoutKeys()) }
	result, diags := s.config.NewEval().Run(ctx, nil)
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
	case slices.ContainsFunc(result.Blocked,
		func(b config.Blocked) bool { return b.Addr.IsCall() || needed(b.Addr.Block) }):
		opts.Target = nil
	case len(opts.Target) == 0: // the configuration has all of the values
		return &plan.Plan{Outputs: result.Outputs}, diags
	}
	return s.Plan(ctx, opts)
}
