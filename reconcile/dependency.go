package reconcile

import (
	"context"
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/match"
	"hew/schema"
)

// Dependencies returns the dependencies of every resource, data and exclusive block, in the order
// of files and lines, as far as they are known without a host: what its expressions refer to, and
// declared objects that it refers to by their path.
func Dependencies(ctx context.Context, cfg *config.Config, kinds schema.Catalog) []config.Dependency {
	deps := cfg.Dependencies()
	index := make(map[addr.Block]int, len(deps))
	for i, d := range deps {
		index[d.Block] = i
	}
	res, _ := cfg.NewEval().Run(ctx, nil) // what has errors has only the dependencies of its expressions
	w := match.New(kinds, schema.Self{}, cfg, &ledger.Ledger{}, match.Options{})
	w.Declare(res)
	w.BeginWave()
	for at, d := range w.EachDeclaration() {
		w.Resolve(d)
		from := at.Block.WithoutKeys()
		i, ok := index[from]
		if !ok {
			continue
		}
		for _, on := range w.Dependencies(d) {
			if to := on.Block.WithoutKeys(); to != from && !slices.Contains(deps[i].DependsOn, to) {
				deps[i].DependsOn = append(deps[i].DependsOn, to)
			}
		}
	}
	return deps
}
