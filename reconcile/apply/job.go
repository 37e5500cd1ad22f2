package apply

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/graph"
	"hew/reconcile/ledger"
	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// defaultWidth limits the changes in flight. The HTTP client limits them further to what the host
// can handle.
const defaultWidth = 64

// Reader is the host as an apply reads it.
type Reader interface {
	// Read lists whole collections concurrently and returns the readings in order.
	Read(context.Context, []schema.Query) []schema.Reading
	// Find looks up single objects and returns the readings in order.
	Find(context.Context, []schema.Ask) []schema.Reading
}

// Writer is the host as an apply changes it.
type Writer interface {
	// Create returns the created object, possibly along with an error.
	Create(context.Context, schema.Object) (schema.Object, error)
	// Update assigns values to a live object. It sends the differences, with attributes that the
	// host requires along with them, and returns the updated object.
	Update(ctx context.Context, live schema.Object, to []schema.Assign) (schema.Object, error)
	Delete(context.Context, schema.Object) error
	// Requests returns the number of requests sent so far, without the Provider's.
	Requests() int
}

// Job is a plan and what is needed to apply it.
type Job struct {
	Plan   *plan.Plan
	Order  *graph.Graph[addr.Instance]
	World  *match.World
	Eval   *config.Eval
	Oracle config.Oracle // of Eval; mu guards it
	Limits config.Guards

	Ledger   *ledger.Ledger
	Backend  ledger.Backend
	Digester *ledger.Digester

	Reader Reader
	Writer Writer
	// Width limits the concurrent changes; 0 means 64.
	Width int
	// Notify receives a step when a change begins and when it ends, from several goroutines. It can
	// be nil.
	Notify func(Step)
	// Requests returns the number of requests sent so far, reads included.
	Requests func() int

	changes map[addr.Instance]*plan.Change // those that send requests
	done    atomic.Int64

	mu          sync.Mutex // guards World, Eval, Oracle, Ledger, notes and Plan.Changes
	notes       []string
	previousDue map[addr.Instance]addr.Instance // the Due of each entry before markTriggered
}

// Step reports that a change began or ended.
type Step struct {
	Done, Total int // changes
	Addr        addr.Instance
	Action      plan.Action
	Ended       bool
	Err         error
}

// Run applies each change of the plan once, as concurrently as the graph and the host allow. A
// failure skips its dependents and nothing else. When ctx is cancelled, changes in flight are
// finished and recorded, and the rest is not started. Ledger errors are returned as diagnostics,
// without an outcome if nothing was sent.
func (j *Job) Run(ctx context.Context) (*Outcome, hcl.Diagnostics) {
	j.changes = map[addr.Instance]*plan.Change{}
	for i := range j.Plan.Changes {
		if c := &j.Plan.Changes[i]; c.Changes() {
			j.changes[c.Addr] = c
		}
	}
	begun := time.Now()
	if err := errors.Join(j.Digester.Err(), j.Backend.Append(ctx, j.World.Rewrites()...),
		j.recordUnsent(ctx)); err != nil {
		return nil, hcl.Diagnostics{ledgerError(err)}
	}
	rep, err := j.Order.Walk(ctx, cmp.Or(j.Width, defaultWidth), j.step)
	if err != nil {
		return nil, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Changes cannot be ordered",
			Detail: err.Error()}}
	}
	var diags hcl.Diagnostics
	if err := j.Backend.Append(ctx, j.clearTriggered(rep)...); err != nil {
		diags = append(diags, ledgerError(err))
	}
	if err := j.Backend.Compact(context.WithoutCancel(ctx)); err != nil {
		diags = append(diags, ledgerError(err))
	}
	out := j.outcome(rep)
	j.evaluateOutputs(ctx, out)
	out.Requests, out.Seconds = j.Requests(), time.Since(begun).Seconds()
	return out, diags
}

func ledgerError(err error) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Ledger cannot be written", Detail: err.Error()}
}

// step applies one change and reports its progress. A change that was started is finished even if
// the run is interrupted.
func (j *Job) step(ctx context.Context, at addr.Instance) error {
	c := j.changes[at]
	if c == nil {
		return nil
	}
	s := Step{Done: int(j.done.Load()), Total: len(j.changes), Addr: at, Action: c.Action}
	j.notify(s)
	s.Err = j.applyChange(context.WithoutCancel(ctx), c)
	s.Done, s.Ended, s.Action = int(j.done.Add(1)), true, c.Action // a creation may have become an adoption
	j.notify(s)
	return s.Err
}

func (j *Job) notify(s Step) {
	if j.Notify != nil {
		j.Notify(s)
	}
}

func (j *Job) applyChange(ctx context.Context, c *plan.Change) error {
	switch {
	case c.Action == plan.Delete:
		return j.delete(ctx, c)
	case c.Resets():
		return j.reset(ctx, c)
	}
	want, err := j.finalObject(c)
	if err != nil {
		return err
	}
	if err := j.writeObject(ctx, c, want); err != nil {
		return err
	}
	return j.checkPostconditions(c)
}
