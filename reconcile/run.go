package reconcile

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/graph"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
	"hew/schema"
)

// Run is one plan and what it takes to apply it.
type Run struct {
	Plan *plan.Plan

	eng      *Engine
	cfg      *config.Config
	opts     Options
	eval     *config.Eval
	world    *world
	back     ledger.Backend
	led      *ledger.Ledger
	digest   *ledger.Digester
	known    bool // a ledger is in use, or what stands in for it
	base     *base
	differ   plan.Differ
	moved    bool          // moved blocks are done with
	made     []plan.Change // of declared objects
	warnings hcl.Diagnostics
	order    *graph.Graph[addr.Instance]
	unlock   func() error
	begun    time.Time
}

// Close frees the ledger's lock.
func (r *Run) Close() error {
	if r == nil || r.unlock == nil {
		return nil
	}
	unlock := r.unlock
	r.unlock = nil
	return unlock()
}

// Plan evaluates the configuration and reads the host, in turn, until neither
// has news for the other, and compares. Errors of the configuration and of the
// ledger stop it and come back as diagnostics without a run; what cannot be
// read or done is part of the plan.
func (e *Engine) Plan(ctx context.Context, cfg *config.Config, opts Options) (*Run, hcl.Diagnostics) {
	r := &Run{eng: e, cfg: cfg, opts: opts, back: e.Backend, known: e.Backend != nil, begun: time.Now()}
	var diags hcl.Diagnostics
	if e.Base != nil {
		if r.base, diags = e.standIn(ctx); diags.HasErrors() {
			return nil, diags
		}
		r.back, r.known = r.base.back, true
	}
	diags = append(diags, r.plan(ctx, opts.Mode)...)
	if diags.HasErrors() {
		if err := r.Close(); err != nil {
			diags = append(diags, fault("Ledger lock not freed", err))
		}
		return nil, diags
	}
	return r, diags
}

func (r *Run) plan(ctx context.Context, mode Mode) hcl.Diagnostics {
	if err := r.open(ctx); err != nil {
		return hcl.Diagnostics{fault("Ledger cannot be used", err)}
	}
	self, err := r.eng.Provider.Self(ctx)
	if err != nil {
		return hcl.Diagnostics{fault("Signing in to the host failed", fmt.Errorf("%w. The host is %s", err, r.eng.Host))}
	}
	w := newWorld(r.eng.Provider.Kinds(), self, r.led)
	w.block, w.destroy, w.traces = r.cfg.Block, mode == Destroy, mode == Drift
	w.keep = keeping(w.kinds, r.cfg, r.led)
	w.patience.uses = uses(r.cfg)
	w.narrowing = newNarrowing(r.opts, r.cfg, r.led)
	r.world, r.eval = w, r.cfg.NewEval()
	diags := r.settle(ctx, mode)
	if !diags.HasErrors() {
		diags = append(diags, r.asked()...)
	}
	for again := true; again && !diags.HasErrors(); {
		if again = r.renew(); !again { // what is made anew is known no longer
			if again, err = r.admit(ctx); err != nil {
				return append(diags, fault("Interrupted", err))
			}
		}
		if again {
			diags = r.settle(ctx, mode)
		}
	}
	if diags.HasErrors() {
		return diags
	}
	if err := r.vet(ctx); err != nil {
		return append(diags, fault("Interrupted", err))
	}
	r.build(mode)
	if r.order, err = plan.Order(r.Plan.Changes, self); err != nil {
		return append(diags, fault("Changes cannot be ordered", err))
	}
	return append(diags, r.warnings...)
}

// open locks and loads the ledger. Without one a throw-away serves.
func (r *Run) open(ctx context.Context) (err error) {
	if r.back == nil {
		if r.back, err = ledger.Ephemeral(r.eng.Key); err != nil {
			return err
		}
	}
	if err := r.lock(ctx); err != nil {
		return err
	}
	if r.led, r.digest, err = ledger.Open(ctx, r.back, r.eng.Host); err != nil {
		return err
	}
	r.differ = plan.Differ{Digester: r.digest}
	return nil
}

func (r *Run) lock(ctx context.Context) (err error) {
	if !r.eng.Lock {
		return nil
	}
	r.unlock, err = r.back.Lock(ctx, r.eng.Who)
	return err
}

// settle goes through the waves: what the configuration says, then everything
// on the host that can be reached from there, then again what the
// configuration says now that more is known, until nothing is news.
func (r *Run) settle(ctx context.Context, mode Mode) (diags hcl.Diagnostics) {
	w := r.world
	news := w.takeNews()
	for {
		var res config.Result
		if mode != Destroy {
			if res, diags = r.eval.Run(w, news...); diags.HasErrors() {
				return diags
			}
			if !r.moved {
				if err := r.move(res.Moves); err != nil {
					return append(diags, err)
				}
				r.moved = true
			}
		}
		w.declare(res)
		for !w.diags.HasErrors() && (!w.wave.empty() || w.hurry()) {
			if err := r.read(ctx); err != nil {
				return append(diags, fault("Interrupted", err))
			}
			w.advance()
		}
		if w.diags.HasErrors() {
			return append(diags, w.diags...)
		}
		if news = w.takeNews(); len(news) == 0 {
			return diags
		}
	}
}

// read fetches everything the wave asks for, collections and single objects
// side by side.
func (r *Run) read(ctx context.Context) error {
	w := r.world
	done := make(chan []schema.Reading, 1)
	queries, asks := w.wave.queries, w.wave.asks
	have := len(w.colls) + len(w.found)
	r.notify(Event{Phase: PhaseRead, Done: have, Total: have + len(queries) + len(asks)})
	go func() { done <- r.eng.Provider.Find(ctx, asks) }()
	lists := r.eng.Provider.Read(ctx, queries)
	singles := <-done
	if err := ctx.Err(); err != nil {
		return errors.New("stopped before the plan was complete; nothing was changed")
	}
	for i, q := range queries {
		w.colls[q.Collection] = newCollection(q, lists[i])
		for _, o := range lists[i].Objects {
			w.show(o)
		}
	}
	for i, id := range w.wave.ids {
		w.found[id] = singles[i]
		for _, o := range singles[i].Objects {
			w.show(o)
		}
	}
	return nil
}

func (r *Run) notify(e Event) {
	if r.eng.Notify != nil {
		r.eng.Notify(e)
	}
}

// fault is an error of the run, which stands nowhere in the configuration.
func fault(summary string, err error) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: err.Error()}
}

// mistake is an error of what the configuration says at a place.
func mistake(at hcl.Range, summary, format string, args ...any) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &at}
}
