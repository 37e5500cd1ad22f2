package cli

import (
	"context"
	"fmt"
	"os/signal"
	"syscall"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/zclconf/go-cty/cty"

	"hew/cmd/hew/progress"
	"hew/reconcile"
	"hew/reconcile/apply"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/rewrite"
)

// engine plans and applies one configuration. A [session.Session] is one, and tests have another.
type engine interface {
	Plan(context.Context, reconcile.Options) (*plan.Plan, hcl.Diagnostics)
	// Outputs plans what outputs depend on, all outputs or the named one.
	Outputs(ctx context.Context, name string) (*plan.Plan, hcl.Diagnostics)
	Apply(context.Context) (*apply.Outcome, hcl.Diagnostics)
	// Expression evaluates an expression in the planned world.
	Expression(ctx context.Context, text string) (cty.Value, hcl.Diagnostics)
	// Adopt returns the files with the drift of a plan written into them.
	Adopt(*plan.Plan) *rewrite.Result
	Sources() report.Sources
	Close() error
}

// planFunc makes the plan of a command.
type planFunc func(context.Context, engine) (*plan.Plan, hcl.Diagnostics)

// planWith returns a planFunc with options; the zero options plan everything.
func planWith(opts reconcile.Options) planFunc {
	return func(ctx context.Context, e engine) (*plan.Plan, hcl.Diagnostics) { return e.Plan(ctx, opts) }
}

// withEngine opens an engine, makes the plan, and calls then with it. Every command that talks to
// the host begins like this.
func (a *app) withEngine(
	cmd *cobra.Command, s settings, l listener, makePlan planFunc, then func(engine, *plan.Plan) error,
) (err error) {
	progress, stop := a.startProgress()
	defer stop()
	s.pause = progress.Pause
	s.Notify = func(e reconcile.Event) {
		progress.Notify(e, l.Changed)
		logEvent(a.Log, e)
	}
	ctx := cmd.Context()
	eng, found := a.open(ctx, a, s)
	if eng == nil {
		l.Diagnostics(found)
		return failed
	}
	defer func() {
		if closing := eng.Close(); closing != nil && err == nil {
			err = fmt.Errorf("the run is done, but the lock of the ledger could not be released: %w. If the next "+
				"run finds it locked, run hew ledger unlock", closing)
		}
	}()
	eng = pausingEngine{eng, progress}
	p, diags := makePlan(ctx, eng)
	if ctx.Err() != nil { // its errors are about the interrupt
		p, diags = nil, hcl.Diagnostics{report.Problem("Interrupted", "Nothing was planned or changed.")}
	}
	found.Diagnostics = append(found.Diagnostics, diags...)
	l.Diagnostics(report.Diagnostics{Diagnostics: found.Diagnostics, Sources: eng.Sources()})
	if p == nil {
		return failed
	}
	logPlan(a.Log, p)
	return then(eng, p)
}

// planAndShow makes a plan, shows it, and calls then with it.
func (a *app) planAndShow(
	cmd *cobra.Command, s settings, f rendering, opts reconcile.Options, then func(engine, *reporter, *plan.Plan) error,
) error {
	return a.checkAndShow(cmd, s, f, opts, func(*plan.Plan) hcl.Diagnostics { return nil }, then)
}

// checkAndShow is planAndShow for a plan that is shown only if check finds no errors.
func (a *app) checkAndShow(cmd *cobra.Command, s settings, f rendering, opts reconcile.Options,
	check func(*plan.Plan) hcl.Diagnostics,
	then func(engine, *reporter, *plan.Plan) error) (err error) {
	if err := s.check(); err != nil {
		return err
	}
	f.options, f.base = opts, s.Base
	r, err := a.newReporter(cmd.Name(), f)
	if err != nil {
		return err
	}
	planned := false
	defer func() {
		if cmd.Context().Err() != nil && !planned {
			r.discard() // a report of an interrupted run would look like one of no changes
		}
		if closing := r.Close(); closing != nil {
			err = fmt.Errorf("the output cannot be written: %w", closing)
		}
	}()
	return a.withEngine(cmd, s, r, planWith(opts), func(eng engine, p *plan.Plan) error {
		if errs := check(p); errs.HasErrors() {
			r.Diagnostics(report.Diagnostics{Diagnostics: errs, Sources: eng.Sources()})
			return failed
		}
		if opts.Mode == reconcile.Drift {
			p = withoutVariation(p)
		}
		planned = true
		r.Plan(p)
		return then(eng, r, p)
	})
}

// applyPlan applies the plan and shows the outcome. A broken pipe does not stop it half-way: what
// was approved is applied, and the run ends with the error of the output.
func (a *app) applyPlan(ctx context.Context, eng engine, r *reporter, p *plan.Plan) error {
	signal.Ignore(syscall.SIGPIPE)
	o, diags := eng.Apply(ctx)
	r.Diagnostics(report.Diagnostics{Diagnostics: diags, Sources: eng.Sources()})
	if o == nil {
		return failed
	}
	r.Outcome(o)
	if diags.HasErrors() || o.Interrupted || len(o.Failed)+len(o.Skipped) > 0 {
		return failed
	}
	return checkComplete(p)
}

// checkComplete returns failed for a plan with blocked objects or tripped guards.
func checkComplete(p *plan.Plan) error {
	if len(p.Blocked) > 0 || len(p.Guards) > 0 {
		return failed
	}
	return nil
}

// pausingEngine erases the progress line after each piece of work, before anything is printed about
// it.
type pausingEngine struct {
	engine
	progress *progress.Line
}

func (e pausingEngine) Plan(ctx context.Context, o reconcile.Options) (*plan.Plan, hcl.Diagnostics) {
	defer e.progress.Pause()
	return e.engine.Plan(ctx, o)
}

func (e pausingEngine) Outputs(ctx context.Context, name string) (*plan.Plan, hcl.Diagnostics) {
	defer e.progress.Pause()
	return e.engine.Outputs(ctx, name)
}

func (e pausingEngine) Apply(ctx context.Context) (*apply.Outcome, hcl.Diagnostics) {
	defer e.progress.Pause()
	return e.engine.Apply(ctx)
}
