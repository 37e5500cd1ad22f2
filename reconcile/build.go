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

// build completes the plan: its guards, its digest, and what it took.
func (r *Run) build() {
	p := r.builder.Plan(r.declared, r.opts.Strays)
	p.Host, p.User = r.eng.Host, r.world.Self.Username
	if r.eng.Backend != nil && r.eng.Base == nil && !p.Ledgerless {
		p.Lineage = r.led.Lineage
	}
	p.Notes = append(p.Notes, r.back.Notes()...)
	if r.world.Scope() != nil {
		p.Notes = append(p.Notes, r.world.Scope().String())
	}
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

// warnUnused warns of lifts that lift nothing: they would let the next mistake
// pass.
func (r *Run) warnUnused(lifts []plan.UnusedLift) {
	for _, l := range lifts {
		r.warnings = append(r.warnings, &hcl.Diagnostic{
			Severity: hcl.DiagWarning, Summary: "Lift without use", Subject: &l.At,
			Detail: fmt.Sprintf("%s would not stop anything that this plan does with %s. Take %q out of allow, so "+
				"that the guard is there when it is needed.",
				l.Code, l.Block, l.Code),
		})
	}
}

// Apply does what the plan says: every change once, as wide as the graph and
// the host allow. A failure skips what depends on it and nothing else. When
// ctx ends, what is in flight is finished and recorded and the rest not begun.
// A plan that a guard stops is refused, and so is a run without a Writer.
func (r *Run) Apply(ctx context.Context) (*apply.Outcome, hcl.Diagnostics) {
	if !r.Plan.Applyable {
		return nil, hcl.Diagnostics{fault("Plan is stopped", errors.New("a guard stops this plan; nothing was sent"))}
	}
	if r.eng.Writer == nil {
		return nil, hcl.Diagnostics{fault("Plan is only to be looked at",
			errors.New("this run can read and nothing else; nothing was sent"))}
	}
	if shared, ok := r.eng.Provider.(*Shared); ok {
		shared.Through() // what is written is looked at again
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
