package reconcile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/graph"
	"hew/reconcile/plan"
	"hew/schema"
)

// defaultWidth bounds the changes in flight; the client below narrows it to
// what the host bears.
const defaultWidth = 64

// apply is one walk over a plan's graph.
type apply struct {
	*Run
	changes map[addr.Instance]*plan.Change // those that send something
	done    atomic.Int64

	mu    sync.Mutex // guards the world, the evaluation, the ledger, and what others look at of a change
	notes []string
	owed  map[addr.Instance]addr.Instance // what this run has marked as due, and for what it was before
}

// Apply does what the plan says: every change once, as wide as the graph and
// the host allow. A failure skips what depends on it and nothing else. When
// ctx ends, what is in flight is finished and recorded and the rest not begun.
// A plan that a guard stops is refused, and so is a run without a Writer.
func (r *Run) Apply(ctx context.Context) (*Outcome, hcl.Diagnostics) {
	if !r.Plan.Applyable {
		return nil, hcl.Diagnostics{fault("Plan is stopped", errors.New("a guard stops this plan; nothing was sent"))}
	}
	if r.eng.Writer == nil {
		return nil, hcl.Diagnostics{fault("Plan is only to be looked at", errors.New("this run can read and nothing else; nothing was sent"))}
	}
	a := &apply{Run: r, changes: map[addr.Instance]*plan.Change{}}
	for i := range r.Plan.Changes {
		if c := &r.Plan.Changes[i]; c.Changes() {
			a.changes[c.Addr] = c
		}
	}
	if shared, ok := r.eng.Provider.(*Shared); ok {
		shared.Through() // what is written is looked at again
	}
	begun := time.Now()
	if err := errors.Join(r.digest.Err(), r.back.Append(ctx, r.world.rewrites...), a.record(ctx)); err != nil {
		return nil, hcl.Diagnostics{fault("Ledger cannot be written", err)}
	}
	rep, err := r.order.Walk(ctx, cmp.Or(r.eng.Width, defaultWidth), a.run)
	if err != nil {
		return nil, hcl.Diagnostics{fault("Changes cannot be ordered", err)}
	}
	var diags hcl.Diagnostics
	if err := r.back.Append(ctx, a.waive(rep)...); err != nil {
		diags = append(diags, fault("Ledger cannot be written", err))
	}
	if err := r.back.Compact(context.WithoutCancel(ctx)); err != nil {
		diags = append(diags, fault("Ledger cannot be written", err))
	}
	out := a.outcome(rep)
	a.conclude(out)
	out.Requests, out.Seconds = r.eng.Provider.Requests()+r.eng.Writer.Requests(), time.Since(begun).Seconds()
	return out, diags
}

// outcome tells of the changes among what the walk reports; the graph holds
// what does not change as well.
func (a *apply) outcome(rep graph.Report[addr.Instance]) *Outcome {
	out := &Outcome{Notes: a.notes, Interrupted: len(rep.Unstarted) > 0}
	for _, c := range a.Plan.Changes {
		if c.Action != plan.NoOp && !c.Changes() {
			out.Recorded = append(out.Recorded, c)
		}
	}
	for _, k := range rep.Done {
		if c := a.changes[k]; c != nil {
			out.Done = append(out.Done, *c)
		}
	}
	for _, f := range rep.Failed {
		var after unmet
		out.Failed = append(out.Failed, Failure{*a.changes[f.Node], f.Err, errors.As(f.Err, &after)})
	}
	for _, s := range rep.Skipped {
		if c := a.changes[s.Node]; c != nil {
			out.Skipped = append(out.Skipped, Failure{Change: *c, Err: fmt.Errorf("not begun, since %s failed", s.Cause)})
		}
	}
	for _, k := range rep.Unstarted {
		if c := a.changes[k]; c != nil {
			out.Skipped = append(out.Skipped, Failure{Change: *c, Err: errors.New("not begun, the run was interrupted")})
		}
	}
	return out
}

// run does one change, with its progress told before and after. What was begun
// is finished even when the run is interrupted.
func (a *apply) run(ctx context.Context, at addr.Instance) error {
	c := a.changes[at]
	if c == nil {
		return nil
	}
	total := len(a.changes)
	a.notify(Event{Phase: PhaseApply, Done: int(a.done.Load()), Total: total, Addr: at, Action: c.Action})
	err := a.do(context.WithoutCancel(ctx), c)
	a.notify(Event{Phase: PhaseApply, Done: int(a.done.Add(1)), Total: total, Addr: at, Action: c.Action, Ended: true, Err: err})
	return err
}

func (a *apply) do(ctx context.Context, c *plan.Change) error {
	switch {
	case c.Action == plan.Delete:
		return a.delete(ctx, c)
	case c.Resets():
		return a.reset(ctx, c)
	}
	want, err := a.final(c)
	if err != nil {
		return err
	}
	if err := a.write(ctx, c, want); err != nil {
		return err
	}
	return a.verify(c)
}

func (a *apply) write(ctx context.Context, c *plan.Change, want schema.Object) error {
	switch c.Action {
	case plan.Create:
		return a.create(ctx, c, want)
	case plan.Replace:
		if err := a.delete(ctx, c); err != nil {
			return err
		}
		anew := *c
		anew.Entry = nil // gone, and forgotten
		return a.create(ctx, &anew, want)
	}
	return a.update(ctx, c, want, c.Before, c.Paths)
}

func (a *apply) delete(ctx context.Context, c *plan.Change) error {
	if c.Within != (addr.Instance{}) {
		return a.forget(ctx, c.Addr) // went with its owner
	}
	if err := a.eng.Writer.Delete(ctx, c.Before); err != nil {
		return err
	}
	if c.Entry == nil {
		return nil
	}
	return a.forget(ctx, c.Addr)
}

// reset takes back what hew has set of an object that nobody declares any more.
func (a *apply) reset(ctx context.Context, c *plan.Change) error {
	if _, err := a.eng.Writer.Update(ctx, c.Before, c.After, plan.Names(c.Paths)); err != nil {
		return err
	}
	return a.forget(ctx, c.Addr)
}

// update changes what differs and records what the object now is.
func (a *apply) update(ctx context.Context, c *plan.Change, want, live schema.Object, paths []plan.PathChange) error {
	entry := a.entry(c, want, live.ID)
	entry.Created = c.Entry != nil && (c.Entry.Created || c.Entry.Pending)
	if len(paths) == 0 && !c.Restore {
		return a.save(ctx, c.Addr, entry)
	}
	to := schema.Object{Kind: want.Kind, ID: live.ID, State: live.State, Value: want.Value.Clone()}
	for attr, v := range want.Value.All() {
		to.Value.Set(attr, plan.Kept(c.Desired, attr, v, live))
	}
	for _, p := range paths {
		if v, stated := to.Value.Get(p.Attr.Name); !stated || v.IsNull() {
			to.Value.Set(p.Attr, p.After)
		}
	}
	made, err := a.eng.Writer.Update(ctx, live, to, plan.Names(paths))
	if err != nil {
		return err
	}
	if made.ID != "" {
		a.recordCreated(c, made)
	}
	return a.save(ctx, c.Addr, entry)
}
