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

// defaultWidth bounds the changes in flight; the client below narrows it to
// what the host bears.
const defaultWidth = 64

// Reader is the host as an apply looks at it again.
type Reader interface {
	// Read lists whole collections, side by side, in the order asked.
	Read(context.Context, []schema.Query) []schema.Reading
	// Find looks up single objects, in the order asked.
	Find(context.Context, []schema.Ask) []schema.Reading
}

// Writer is the host as an apply changes it.
type Writer interface {
	// Create returns what now exists, even beside an error.
	Create(context.Context, schema.Object) (schema.Object, error)
	// Update makes a live object have what is assigned: it sends what differs, with
	// what must go along. It returns what then exists.
	Update(ctx context.Context, live schema.Object, to []schema.Assign) (schema.Object, error)
	Delete(context.Context, schema.Object) error
	// Requests is the number of requests sent so far, besides the Provider's.
	Requests() int
}

// Job is one plan and what it takes to carry it out.
type Job struct {
	Plan   *plan.Plan
	Order  *graph.Graph[addr.Instance]
	World  *match.World
	Eval   *config.Eval
	Oracle config.Oracle // what Eval asks; it is guarded with World
	Limits config.Guards

	Ledger   *ledger.Ledger
	Backend  ledger.Backend
	Digester *ledger.Digester

	Reader Reader
	Writer Writer
	// Width bounds how many changes are applied at once; 0 means 64.
	Width int
	// Notify receives each step as it begins and ends, from several goroutines;
	// nil is allowed.
	Notify func(Step)
	// Requests returns the number of requests sent so far, reads included.
	Requests func() int

	changes map[addr.Instance]*plan.Change // those that send something
	done    atomic.Int64

	mu    sync.Mutex // guards the world, the evaluation, the ledger, and what others look at of a change
	notes []string
	owed  map[addr.Instance]addr.Instance // what this run has marked as due, and for what it was before
}

// Step tells that a change began or ended.
type Step struct {
	Done, Total int // changes
	Addr        addr.Instance
	Action      plan.Action
	Ended       bool
	Err         error
}

// Run does what the plan says: every change once, as wide as the graph and the
// host allow. A failure skips what depends on it and nothing else. When ctx ends,
// what is in flight is finished and recorded and the rest not begun. Errors of
// the ledger come back as diagnostics: without an outcome if nothing was sent.
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
		return nil, hcl.Diagnostics{unwritable(err)}
	}
	rep, err := j.Order.Walk(ctx, cmp.Or(j.Width, defaultWidth), j.step)
	if err != nil {
		return nil, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Changes cannot be ordered",
			Detail: err.Error()}}
	}
	var diags hcl.Diagnostics
	if err := j.Backend.Append(ctx, j.clearDue(rep)...); err != nil {
		diags = append(diags, unwritable(err))
	}
	if err := j.Backend.Compact(context.WithoutCancel(ctx)); err != nil {
		diags = append(diags, unwritable(err))
	}
	out := j.outcome(rep)
	j.finish(out)
	out.Requests, out.Seconds = j.Requests(), time.Since(begun).Seconds()
	return out, diags
}

func unwritable(err error) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Ledger cannot be written", Detail: err.Error()}
}

// step does one change, with its progress told before and after. What was begun
// is finished even when the run is interrupted.
func (j *Job) step(ctx context.Context, at addr.Instance) error {
	c := j.changes[at]
	if c == nil {
		return nil
	}
	s := Step{Done: int(j.done.Load()), Total: len(j.changes), Addr: at, Action: c.Action}
	j.notify(s)
	s.Err = j.do(context.WithoutCancel(ctx), c)
	s.Done, s.Ended, s.Action = int(j.done.Add(1)), true, c.Action // which may have turned out to be an adoption
	j.notify(s)
	return s.Err
}

func (j *Job) notify(s Step) {
	if j.Notify != nil {
		j.Notify(s)
	}
}

func (j *Job) do(ctx context.Context, c *plan.Change) error {
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
	if err := j.write(ctx, c, want); err != nil {
		return err
	}
	return j.verify(c)
}
