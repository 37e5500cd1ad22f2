// Package session opens what a run works with: the configuration of a directory, the host that it
// is about, its ledger, and an engine over the three. It asks nobody and prints nothing.
package session

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile"
	"hew/reconcile/apply"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/rewrite"
)

// Session is a configuration connected with its host and its ledger. It has to be closed.
type Session struct {
	engine *reconcile.Engine
	shared bool // with runs in other directories
	config *config.Config
	run    *reconcile.Run
}

// Open connects a configuration. It sends nothing yet. The session is nil if there are errors.
func (e Env) Open(ctx context.Context, cfg *config.Config, o Options) (*Session, report.Diagnostics) {
	found := report.Diagnostics{Sources: cfg.Sources()}
	host, diags := e.Host(cfg, o)
	found.Diagnostics = append(found.Diagnostics, diags...)
	backend, diags := e.Backend(cfg, o)
	found.Diagnostics = append(found.Diagnostics, diags...)
	if found.HasErrors() {
		return nil, found
	}
	var base *config.Config
	if o.Base != "" {
		var more report.Diagnostics
		if base, more = e.loadBase(ctx, cfg, o); base == nil {
			found.Diagnostics = append(found.Diagnostics, more.Diagnostics...)
			maps.Copy(found.Sources, more.Sources)
			return nil, found
		}
		backend = nil
	}
	engine := &reconcile.Engine{
		Provider: e.Shared.provider(e.Offline.WithClient(host.ReadOnly()), host, cfg,
			base), Backend: backend, Base: base, Host: host.URL(), Width: o.Parallelism,
		Key: e.Environ[ledger.KeyVariable], Who: e.Who(), Lock: o.Writes, Notify: o.Notify,
	}
	if o.Writes {
		engine.Writer = e.Offline.WithClient(host)
	}
	e.Log.Info("session", "host", host.URL(), "ledger", e.ledgerName(cfg, o), "writes", o.Writes)
	return &Session{config: cfg, engine: engine, shared: e.Shared != nil}, found
}

// Plan plans. The plan is nil if there are errors.
func (s *Session) Plan(ctx context.Context, o reconcile.Options) (*plan.Plan, hcl.Diagnostics) {
	run, diags := s.engine.Plan(ctx, s.config, o)
	if run == nil {
		return nil, diags
	}
	s.run = run
	if s.shared {
		run.Plan.Stats = plan.Stats{Objects: run.Plan.Stats.Objects, Shared: true}
	}
	run.Plan.Notes = slices.Concat(s.config.Notes(), run.Plan.Notes)
	return run.Plan, diags
}

// Apply applies the plan.
func (s *Session) Apply(ctx context.Context) (*apply.Outcome, hcl.Diagnostics) {
	return s.run.Apply(ctx)
}

// Expression evaluates an expression in the planned world.
func (s *Session) Expression(ctx context.Context, text string) (cty.Value, hcl.Diagnostics) {
	return s.run.Expression(ctx, text)
}

// Adopt returns the files as they have to be for the drift of a plan to be in them.
func (s *Session) Adopt(p *plan.Plan) *rewrite.Result { return rewrite.Adopt(s.config, p) }

// Sources returns the files of the configuration.
func (s *Session) Sources() report.Sources { return s.config.Sources() }

// Close releases the lock of the ledger.
func (s *Session) Close() error {
	if s.run == nil {
		return nil
	}
	return s.run.Close()
}
