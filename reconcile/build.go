package reconcile

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/apply"
	"hew/reconcile/plan"
)

// build completes the plan with guards, digest and statistics.
func (r *Run) build() {
	p := r.builder.Plan(r.declared, r.opts.Undeclared)
	p.Host, p.User = r.eng.Host, r.world.Self.Username
	if r.eng.Backend != nil && r.eng.Base == nil && !p.Ledgerless {
		p.Lineage = r.led.Lineage
	}
	p.Notes = append(p.Notes, r.back.Notes()...)
	if r.world.Scope() != nil {
		p.Notes = append(p.Notes, r.world.Scope().String())
	}
	p.CompleteCauses()
	p.FindPassedNames()
	facts := r.builder.Facts(r.cfg.Hew().Guards, r.opts.Mode == Destroy)
	p.Guard(facts)
	if r.opts.Mode == Normal && r.world.Scope() == nil {
		r.warnUnused(p.UnusedLifts(facts))
	}
	if r.opts.Mode == Drift {
		p = p.Drift()
	}
	lasting := r.digest.ForPlans()
	if p.Sum(lasting); lasting.Err() != nil {
		p.Unbound = lasting.Err().Error()
	}
	p.Stats = plan.Stats{
		Requests: r.eng.Provider.Requests(), Seconds: time.Since(r.begun).Seconds(), Objects: len(r.world.Planned()),
	}
	r.Plan = p
}

// warnUnused warns of unused guard overrides, because they would permit later mistakes.
func (r *Run) warnUnused(lifts []plan.UnusedLift) {
	for _, l := range lifts {
		r.warnings = append(r.warnings, &hcl.Diagnostic{
			Severity: hcl.DiagWarning, Summary: "Unused guard override", Subject: &l.At,
			Detail: fmt.Sprintf("The guard %s would not stop any change of %s in this plan. Remove %q from allow, so "+
				"that the guard can stop later mistakes.",
				l.Code, l.Block, l.Code),
		})
	}
}

// Apply applies each change of the plan once, as concurrently as the graph and the host allow. A
// failure skips its dependents and nothing else. When ctx is cancelled, changes in flight are
// finished and recorded, and the rest is not started. Apply returns an error for a plan that a
// guard stops and for a run without a Writer.
func (r *Run) Apply(ctx context.Context) (*apply.Outcome, hcl.Diagnostics) {
	if !r.Plan.Applyable {
		return nil, hcl.Diagnostics{runError("Plan stopped by a guard",
			errors.New("a guard stops this plan; nothing was sent to the host"))}
	}
	if r.eng.Writer == nil {
		return nil, hcl.Diagnostics{runError("Run is read-only",
			errors.New("this run cannot write to the host; nothing was sent"))}
	}
	if shared, ok := r.eng.Provider.(*Shared); ok {
		shared.StopSharing() // read again what this apply writes
	}
	j := &apply.Job{
		Plan: r.Plan, Order: r.order, World: r.world, Eval: r.eval, Oracle: r.sources, Limits: r.cfg.Hew().Guards,
		Ledger: r.led, Backend: r.back, Digester: r.digest,
		Reader: r.eng.Provider, Writer: r.eng.Writer, Width: r.eng.Width,
		Requests: func() int { return r.eng.Provider.Requests() + r.eng.Writer.Requests() },
		Notify: func(s apply.Step) {
			r.notify(Event{Phase: PhaseApply, Done: s.Done, Total: s.Total, Addr: s.Addr, Action: s.Action,
				Ended: s.Ended, Err: s.Err})
		},
	}
	return j.Run(ctx)
}
