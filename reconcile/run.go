package reconcile

import (
	"context"
	"time"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/access"
	"hew/reconcile/addr"
	"hew/reconcile/change"
	"hew/reconcile/config"
	"hew/reconcile/data"
	"hew/reconcile/graph"
	"hew/reconcile/ledger"
	"hew/reconcile/match"
	"hew/reconcile/plan"
)

// Run is one plan and what is needed to apply it.
type Run struct {
	Plan *plan.Plan

	eng      *Engine
	cfg      *config.Config
	opts     Options
	eval     *config.Eval
	world    *match.World
	sources  *data.Sources
	builder  *change.Builder
	back     ledger.Backend
	led      *ledger.Ledger
	digest   *ledger.Digester
	base     *base
	moved    bool          // moved blocks were applied to the ledger
	declared []plan.Change // of declared objects
	warnings hcl.Diagnostics
	order    *graph.Graph[addr.Instance]
	unlock   func() error
	begun    time.Time
}

// Close releases the ledger's lock.
func (r *Run) Close() error {
	if r == nil || r.unlock == nil {
		return nil
	}
	unlock := r.unlock
	r.unlock = nil
	return unlock()
}

// Plan evaluates the configuration and reads the host, in turn, until nothing changes, then
// compares them. Errors in the configuration or the ledger are returned as diagnostics without a
// run. Objects that cannot be read or planned are part of the plan.
func (e *Engine) Plan(ctx context.Context, cfg *config.Config, opts Options) (*Run, hcl.Diagnostics) {
	r := &Run{eng: e, cfg: cfg, opts: opts, back: e.Backend, begun: time.Now()}
	var diags hcl.Diagnostics
	if e.Base != nil {
		if r.base, diags = e.planBase(ctx); diags.HasErrors() {
			return nil, diags
		}
		r.back = r.base.back
	}
	diags = append(diags, r.plan(ctx)...)
	if diags.HasErrors() {
		if err := r.Close(); err != nil {
			diags = append(diags, runError("Ledger lock not released", err))
		}
		return nil, diags
	}
	return r, diags
}

// plan runs the phases of planning in order.
func (r *Run) plan(ctx context.Context) hcl.Diagnostics {
	if diags := r.begin(ctx); diags.HasErrors() {
		return diags
	}
	diags := r.converge(ctx)
	if !diags.HasErrors() {
		diags = append(diags, r.checkAddresses()...)
	}
	for changed := true; changed && !diags.HasErrors(); {
		r.declared, changed = r.builder.DeclaredChanges() // values of replaced objects become unknown
		if !changed && r.opts.Mode == Drift {
			if err := r.builder.BlockTaken(ctx, r.declared, r.read); err != nil {
				return append(diags, runError("Interrupted", err))
			}
			break
		}
		if !changed {
			if twice := change.DuplicateNames(r.declared); twice.HasErrors() {
				return append(diags, twice...)
			}
			omitted, err := access.Check(ctx, r.world, r.declared, r.read)
			if err != nil {
				return append(diags, runError("Interrupted", err))
			}
			if err := r.builder.BlockTaken(ctx, r.declared, r.read); err != nil {
				return append(diags, runError("Interrupted", err))
			}
			changed = r.world.PublishBlocked() || omitted
		}
		if changed {
			diags = r.converge(ctx)
		}
	}
	if diags.HasErrors() {
		return diags
	}
	r.world.RenumberDependencies()
	if err := r.readDeletions(ctx); err != nil {
		return append(diags, runError("Interrupted", err))
	}
	r.build()
	if r.opts.Mode == Drift {
		return append(diags, r.warnings...) // it is not applied, and names may have been exchanged by hand
	}
	var err error
	if r.order, err = plan.Order(r.Plan.Changes, r.world.Self); err != nil {
		return append(diags, runError("Changes cannot be ordered", err))
	}
	return append(diags, r.warnings...)
}

// begin opens the ledger, authenticates, and sets up what the phases share.
func (r *Run) begin(ctx context.Context) hcl.Diagnostics {
	managed := r.back != nil
	if err := r.open(ctx); err != nil {
		return hcl.Diagnostics{runError("Ledger cannot be used", err)}
	}
	self, err := r.eng.Provider.Self(ctx)
	if err != nil {
		return hcl.Diagnostics{runError("Host cannot be used", err)}
	}
	r.world = match.New(r.eng.Provider.Kinds(), self, r.cfg, r.led, match.Options{
		Target: r.opts.Target, Exclude: r.opts.Exclude, Destroy: r.opts.Mode == Destroy, Drift: r.opts.Mode == Drift,
	})
	r.sources, r.eval = data.New(r.world), r.cfg.NewEval()
	r.builder = &change.Builder{World: r.world, Managed: managed, Drift: r.opts.Mode == Drift,
		Differ: plan.Differ{Digester: r.digest, FormerID: r.world.FormerID}}
	if r.base != nil {
		r.builder.Expected = r.base.declared
	}
	return nil
}

// open locks and loads the ledger, or a temporary one if there is no backend.
func (r *Run) open(ctx context.Context) (err error) {
	if r.back == nil {
		if r.back, err = ledger.Ephemeral(r.eng.Key); err != nil {
			return err
		}
	}
	if r.eng.Lock {
		if r.unlock, err = r.back.Lock(ctx, r.eng.Who); err != nil {
			return err
		}
	}
	r.led, r.digest, err = ledger.Open(ctx, r.back, r.eng.Host)
	return err
}

func (r *Run) notify(e Event) {
	if r.eng.Notify != nil {
		r.eng.Notify(e)
	}
}

// runError returns an error without a position in the configuration.
func runError(summary string, err error) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: err.Error()}
}
