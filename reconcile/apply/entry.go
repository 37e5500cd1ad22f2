package apply

import (
	"context"
	"maps"
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// Entry returns the ledger entry of a declared object with the given id.
func Entry(d plan.Differ, c *plan.Change, want schema.Object, id string) ledger.Entry {
	e := ledger.Entry{
		Kind: want.Kind.Name, Collection: collectionOf(c, want).String(), Key: match.KeyTitle(want), ID: id,
		Owned: d.Own(c.Desired(), want), Meant: meant(want), DependsOn: c.Needs,
	}
	for attr, v := range want.Value.All() {
		if c.Entry != nil && schema.IsSpent(v) && c.Entry.Owned[attr.Name] != "" {
			e.Owned[attr.Name] = c.Entry.Owned[attr.Name] // the digest of the value sent when it could be read
		}
	}
	for _, b := range c.Desired().DependsOnBlocks {
		e.DependsOn = append(e.DependsOn[:len(e.DependsOn):len(e.DependsOn)], addr.Instance{Block: b})
	}
	if c.Desired().Block != nil {
		e.Protected = c.Desired().Block.Lifecycle.PreventDestroy
	}
	return e
}

// meant returns the ids of what the object names outside the configuration, as in ledger.Entry.
func meant(want schema.Object) map[string]string {
	var ids map[string]string
	for attr, v := range want.Value.All() {
		if attr.RefKind() == "" {
			continue
		}
		for _, r := range schema.Refs(v) {
			if key := match.MeantKey(attr, r); key != "" && r.ID != "" {
				if ids == nil {
					ids = map[string]string{}
				}
				ids[key] = r.ID
			}
		}
	}
	return ids
}

// collectionOf returns the collection of the changed object after apply. Its owner is known by now,
// even if this run created it. An ignored owner is the live one.
func collectionOf(c *plan.Change, want schema.Object) schema.Collection {
	if a := want.Kind.Owner(); a != nil {
		if owner := schema.AsRef(plan.KeepIgnored(c.Desired(), a, want.Get(a.Name), c.Before)); owner != nil {
			return want.Kind.In(owner.ID)
		}
	}
	return c.Collection
}

// statedOwner returns the owner that an object declares, or nil.
func statedOwner(o schema.Object) *schema.Ref {
	if a := o.Kind.Owner(); a != nil {
		return schema.AsRef(o.Get(a.Name))
	}
	return nil
}

func (j *Job) differ() plan.Differ { return plan.Differ{Digester: j.Digester} }

func (j *Job) entry(c *plan.Change, want schema.Object, id string) ledger.Entry {
	return Entry(j.differ(), c, want, id)
}

// save writes an entry to the ledger. When it returns, the entry is durable.
func (j *Job) save(ctx context.Context, at addr.Instance, e ledger.Entry) error {
	j.mu.Lock()
	d := j.Ledger.Set(at, e)
	j.mu.Unlock()
	return j.Backend.Append(ctx, d)
}

// forget removes an entry from the ledger.
func (j *Job) forget(ctx context.Context, at addr.Instance) error {
	j.mu.Lock()
	d := j.Ledger.Remove(at)
	j.mu.Unlock()
	return j.Backend.Append(ctx, d)
}

// recordUnsent writes to the ledger, in one append, everything that needs no request: adoptions
// without differences, moves, releases, unchanged objects whose entries are outdated, and pending
// replacements.
func (j *Job) recordUnsent(ctx context.Context) error {
	var deltas []ledger.Delta
	planned := make(map[addr.Instance]bool, len(j.Plan.Changes))
	for i := range j.Plan.Changes {
		planned[j.Plan.Changes[i].Addr] = true
	}
	for i := range j.Plan.Changes {
		c := &j.Plan.Changes[i]
		if c.From != (addr.Instance{}) {
			if e, here := j.Ledger.Entries[c.From]; here && e.ID == c.Before.ID && !planned[c.From] {
				deltas = append(deltas, j.Ledger.Move(c.From, c.Addr)...)
			}
		}
		if c.Changes() {
			continue
		}
		switch c.Action {
		case plan.Release:
			deltas = append(deltas, j.Ledger.Remove(c.Addr))
		case plan.Adopt, plan.Move, plan.NoOp:
			e := j.entry(c, c.After, c.Before.ID)
			e.Created = c.Entry != nil && (c.Entry.Created || c.Entry.Pending)
			if c.Entry == nil || c.From != (addr.Instance{}) || c.Entry.Outspoken() || !equalEntries(*c.Entry, e) {
				deltas = append(deltas, j.Ledger.Set(c.Addr, e))
			}
		}
	}
	return j.Backend.Append(ctx, append(deltas, j.markTriggered()...)...)
}

// equalEntries reports whether two entries are equal, so that an unchanged ledger is not written.
func equalEntries(x, y ledger.Entry) bool {
	return x.Kind == y.Kind && x.Collection == y.Collection && x.Key == y.Key && x.ID == y.ID &&
		x.Created == y.Created && x.Protected == y.Protected && x.Pending == y.Pending &&
		x.ReplacedFor == y.ReplacedFor &&
		maps.Equal(x.Owned, y.Owned) && maps.Equal(x.Meant, y.Meant) && slices.Equal(x.DependsOn, y.DependsOn)
}
