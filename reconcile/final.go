package reconcile

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/schema"
)

// again looks once more for an object by its key. An error says that nobody can
// tell whether it is there.
func (a *apply) again(ctx context.Context, c *plan.Change, want schema.Object) (live sighting, there bool, err error) {
	keep := slices.Clone(a.world.keep[want.Kind.Name])
	for attr := range want.Value.All() {
		keep = append(keep, attr.Name)
	}
	if t := want.Kind.Tree; t != nil {
		path := schema.Text(want.Get(t.Full))
		switch r := a.eng.Provider.Find(ctx, []schema.Ask{{Kind: want.Kind, Key: path, Keep: keep}})[0]; {
		case r.State == schema.Present && len(r.Objects) > 0:
			return sighting{r.Objects[0], nil}, true, nil
		case len(r.Objects) == 0 && r.State != schema.Absent:
			return live, false, errors.New(unreadable(want.Kind, &schema.Ref{Path: path}, r.State, r.Err))
		}
		return live, false, nil
	}
	attr, v, ok := key(want)
	if !ok {
		return live, false, nil
	}
	q := schema.Query{Collection: collectionOf(c, want), Kind: want.Kind, Keep: keep}
	list := newCollection(q, a.eng.Provider.Read(ctx, []schema.Query{q})[0])
	if list.state != schema.Present {
		return live, false, errors.New(unreadable(want.Kind, ownerRef(want), list.state, list.err))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, i := range list.fitting(want, attr, v) {
		if _, taken := a.led.Find(q.Collection.String(), list.objs[i].ID); !taken {
			return sighting{list.objs[i], list.objs}, true, nil
		}
	}
	return live, false, nil
}

// recordCreated tells the rest of the run that the object exists: references to it now
// have an id, and expressions over it can be evaluated again.
func (a *apply) recordCreated(c *plan.Change, o schema.Object) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := a.world.nodes[c.Addr]
	n.ref.ID, n.live, n.status, n.renewed, n.detailed = o.ID, o, matched, false, false
	a.world.news[c.Addr.Block] = true
	for at := range a.world.sources {
		a.world.news[at.Block] = true // it may count what is declared
	}
}

// final is the declared object with everything known that this run has made.
// References fill themselves; other unknown values are evaluated again, and so
// is what has preconditions, which may be about others.
func (a *apply) final(c *plan.Change) (schema.Object, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	before, _ := conditioned(c)
	if !before {
		if whollyKnown(c.After) {
			return c.After, nil
		}
		// Of many instances that waited for one thing, the first has all of them
		// evaluated again.
		if want, err := a.evaluated(c); err == nil && want.Kind != nil && whollyKnown(want) {
			return want, diverged(c.After, want)
		}
	}
	want, err := a.evaluated(c, a.world.takeNews()...)
	switch {
	case err != nil:
		return schema.Object{}, err
	case want.Kind == nil:
		return schema.Object{}, fmt.Errorf("%s is not declared any more now that more is known; the plan is stale, plan again", c.Addr)
	case !whollyKnown(want):
		return schema.Object{}, fmt.Errorf("%s still has unknown values although everything it depends on is done; plan again", c.Addr)
	}
	return want, diverged(c.After, want)
}

// evaluated is the declared object as the evaluation has it now, after what the
// blocks with news brought; without a kind if it is not declared any more.
func (a *apply) evaluated(c *plan.Change, news ...addr.Block) (schema.Object, error) {
	d, diags := a.eval.Instance(a.world, c.Addr, news...)
	if diags.HasErrors() {
		return schema.Object{}, diags
	}
	if d == nil {
		return schema.Object{}, nil
	}
	n := a.world.nodes[c.Addr]
	n.take(d)
	a.world.resolve(&n.seeker)
	a.world.siblings(n)
	a.fill(n)
	return n.want.Object, nil
}

// whollyKnown tells whether every value is known.
func whollyKnown(o schema.Object) bool {
	for attr, v := range o.Value.All() {
		if attr.Mode == schema.Computed || v.IsNull() || schema.IsSpent(v) {
			continue
		}
		if !attr.Known(v) {
			return false
		}
	}
	return true
}

// diverged refuses a value that is not what the plan showed: it may become known,
// never different.
func diverged(planned, final schema.Object) error {
	for attr, v := range planned.Value.All() {
		if attr.Mode == schema.Computed || schema.Refs(v) != nil || !attr.Canonical(v).IsWhollyKnown() {
			continue
		}
		if !attr.Equal(v, final.Get(attr.Name)) {
			return fmt.Errorf("the plan is stale: %s is no longer what it showed; plan again", attr.Name)
		}
	}
	return nil
}

// unmet is the failure of a postcondition, of what is written all the same.
type unmet struct{ error }

func (u unmet) Error() string { return "done and recorded, but " + u.error.Error() }

// verify holds what was written to the postconditions of its block.
func (a *apply) verify(c *plan.Change) error {
	if _, after := conditioned(c); !after {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	_, diags := a.eval.Instance(a.world, c.Addr, a.world.takeNews()...)
	if !diags.HasErrors() {
		diags = a.eval.Verify(a.world, c.Addr)
	}
	if diags.HasErrors() {
		return unmet{diags}
	}
	return nil
}

func conditioned(c *plan.Change) (before, after bool) {
	if c.Desired == nil || c.Desired.Block == nil {
		return false, false
	}
	return c.Desired.Block.Conditioned()
}

// conclude evaluates outputs and checks once more, with what the run has made.
func (a *apply) conclude(out *Outcome) {
	out.Outputs, out.Checks = a.Plan.Outputs, a.Plan.Checks
	if len(out.Outputs)+len(out.Checks) == 0 {
		return
	}
	res, diags := a.eval.Run(a.world, a.world.takeNews()...)
	out.Checks = res.Checks
	switch {
	case !diags.HasErrors():
		out.Outputs = res.Outputs
	case len(out.Outputs) > 0:
		out.Notes = append(out.Notes, "Outputs are as they were planned: "+diags.Error())
	}
}
