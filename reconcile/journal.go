package reconcile

import (
	"context"
	"maps"
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
	"hew/schema"
)

// entry is what the ledger shall know of a declared object that has the given
// id.
func (r *Run) entry(c *plan.Change, want schema.Object, id string) ledger.Entry {
	e := ledger.Entry{
		Kind: want.Kind.Name, Collection: collectionOf(c, want).String(), Key: keyTitle(want), ID: id,
		Owned: r.differ.Own(c.Desired, want), Needs: c.Needs,
	}
	for attr, v := range want.Value.All() {
		if c.Entry != nil && schema.IsSpent(v) && c.Entry.Owned[attr.Name] != "" {
			e.Owned[attr.Name] = c.Entry.Owned[attr.Name] // as it was sent when it could be read
		}
	}
	for _, b := range c.Desired.After {
		e.Needs = append(e.Needs[:len(e.Needs):len(e.Needs)], addr.Instance{Block: b})
	}
	if c.Desired.Block != nil {
		e.Protected = c.Desired.Block.Lifecycle.PreventDestroy
	}
	return e
}

// collectionOf is where the object of a change is, or will be. Its owner is
// known by now, also where this run has made it; one that is ignored is the
// host's.
func collectionOf(c *plan.Change, want schema.Object) schema.Collection {
	if a := want.Kind.Owner(); a != nil {
		if owner := schema.AsRef(plan.Kept(c.Desired, a, want.Get(a.Name), c.Before)); owner != nil {
			return want.Kind.In(owner.ID)
		}
	}
	return c.Collection
}

// ownerRef is the owner that an object states, nil where it has none.
func ownerRef(o schema.Object) *schema.Ref {
	if a := o.Kind.Owner(); a != nil {
		return schema.AsRef(o.Get(a.Name))
	}
	return nil
}

// save journals an entry; when it returns, the entry is on disk.
func (a *apply) save(ctx context.Context, at addr.Instance, e ledger.Entry) error {
	a.mu.Lock()
	d := a.led.Set(at, e)
	a.mu.Unlock()
	return a.back.Append(ctx, d)
}

func (a *apply) forget(ctx context.Context, at addr.Instance) error {
	a.mu.Lock()
	d := a.led.Remove(at)
	a.mu.Unlock()
	return a.back.Append(ctx, d)
}

// record journals what needs no request: pure adoptions, new addresses,
// releases, lines that say what is so already, and what is due from now on. One
// flush serves them all.
func (a *apply) record(ctx context.Context) error {
	var deltas []ledger.Delta
	planned := make(map[addr.Instance]bool, len(a.Plan.Changes))
	for i := range a.Plan.Changes {
		planned[a.Plan.Changes[i].Addr] = true
	}
	for i := range a.Plan.Changes {
		c := &a.Plan.Changes[i]
		if c.From != (addr.Instance{}) {
			if _, here := a.led.Entries[c.From]; here && !planned[c.From] {
				deltas = append(deltas, a.led.Move(c.From, c.Addr)...)
			}
		}
		if c.Changes() {
			continue
		}
		switch c.Action {
		case plan.Release:
			deltas = append(deltas, a.led.Remove(c.Addr))
		case plan.Adopt, plan.Move, plan.NoOp:
			e := a.entry(c, c.After, c.Before.ID)
			e.Created = c.Entry != nil && (c.Entry.Created || c.Entry.Pending)
			if c.Entry == nil || c.From != (addr.Instance{}) || !same(*c.Entry, e) {
				deltas = append(deltas, a.led.Set(c.Addr, e))
			}
		}
	}
	return a.back.Append(ctx, append(deltas, a.owe()...)...)
}

// same tells whether two entries say the same, so that an unchanged ledger is
// not written.
func same(x, y ledger.Entry) bool {
	return x.Kind == y.Kind && x.Collection == y.Collection && x.Key == y.Key && x.ID == y.ID && x.Created == y.Created &&
		x.Protected == y.Protected && x.Pending == y.Pending && x.Due == y.Due && maps.Equal(x.Owned, y.Owned) && slices.Equal(x.Needs, y.Needs)
}
