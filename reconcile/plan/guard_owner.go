package plan

import (
	"fmt"
	"maps"

	"hew/reconcile/addr"
	"hew/reconcile/guard"
	"hew/schema"
)

// lastOwner computes who would own each group whose members change. Whoever
// comes or goes counts, lifted or not; only what is not lifted can be at fault.
func lastOwner(_ []*Change, p *Plan, f *Facts) []Finding {
	var out []Finding
	least := orDefault(f.Limits.MinOwners, 1)
	for _, m := range memberships(p.guarded(guard.Rule{})) {
		now := owners(f.Live[m.coll])
		for _, c := range m.changes {
			if c.Founder() {
				now[c.member()] = true
			}
		}
		after := maps.Clone(now)
		var lowered []*Change
		for _, c := range m.changes {
			if c.disowns() {
				delete(after, c.member())
				if !c.lifts(guard.LastOwner) {
					lowered = append(lowered, c)
				}
			}
			if id := memberID(c.After); id != "" && c.Changes() && c.Kind.Weight(c.After) >= c.Kind.OwnerLevel() {
				after[id] = true
			}
		}
		if len(lowered) == 0 || len(after) >= least || len(after) >= len(now) {
			continue
		}
		out = append(out, finding(fmt.Sprintf("%s would be left with %s; at least %d must stay.", lowered[0].Owner,
			countNoun(len(after), "direct owner"), least),
			"Add another owner first, in this run or before it. The limit is min_owners in hew { guards { … } }. "+
				lowered[0].liftAdvice(guard.LastOwner), lowered...))
	}
	return out
}

// disowns reports whether the change takes an owner's ownership: removed,
// replaced by somebody else, or lowered.
func (c *Change) disowns() bool {
	if c.Kind.OwnerLevel() == 0 || c.weighed() < c.Kind.OwnerLevel() {
		return false
	}
	return c.Removes() || c.Changes() && c.Kind.Weight(c.After) < c.Kind.OwnerLevel()
}

// selfLockout finds the run sawing off its own branch.
func selfLockout(changes []*Change, _ *Plan, f *Facts) []Finding {
	if f.Self.Admin || f.Self.ID == "" {
		return nil
	}
	var out []Finding
	for _, m := range memberships(changes) {
		for _, c := range m.changes {
			if c.member() != f.Self.ID || !c.Removes() && !c.lowers() {
				continue
			}
			out = append(out, finding(fmt.Sprintf("The token belongs to %s, whose own membership of %s would be "+
				"lowered or removed.", f.Self.Username, c.Owner),
				"Keep the token's user as it is, or run with another token. "+c.liftAdvice(guard.SelfLockout), c))
		}
	}
	for _, c := range changes {
		if !c.rises() {
			continue
		}
		if stay := owners(f.members(c.Before.ID)); len(stay) > 0 && !stay[f.Self.ID] {
			out = append(out, finding(fmt.Sprintf("The token belongs to %s, who owns %s only through what it is in, "+
				"and would own it no longer at the top level.", f.Self.Username, c.title()),
				"Make the token's user an owner of it first, in a run before this one, or run with another token. "+
					c.liftAdvice(guard.SelfLockout), c))
		}
	}
	return out
}

// membership is the changes of one member list.
type membership struct {
	coll    schema.Collection
	changes []*Change
}

// memberships groups the changes of members by collection, in the order of the
// plan.
func memberships(changes []*Change) []membership {
	type list struct {
		coll  schema.Collection
		owner string // of a collection that is not there yet
	}
	var out []membership
	at := map[list]int{}
	for _, c := range changes {
		if c.Kind.LevelAttr() == "" || c.Within() != (addr.Instance{}) {
			continue // nobody is left behind in what goes altogether
		}
		in := list{coll: c.Collection}
		if c.Collection == (schema.Collection{}) {
			in.owner = c.Owner
		}
		n, ok := at[in]
		if !ok {
			n = len(out)
			at[in] = n
			out = append(out, membership{coll: c.Collection})
		}
		out[n].changes = append(out[n].changes, c)
	}
	return out
}

func owners(live []schema.Object) map[string]bool {
	ids := map[string]bool{}
	for _, o := range live {
		if o.Kind.OwnerLevel() > 0 && o.State != schema.Invited && o.Kind.Weight(o) >= o.Kind.OwnerLevel() {
			ids[o.ID] = true
		}
	}
	return ids
}

// member returns the id of the user whose membership changes.
func (c *Change) member() string { return memberID(c.subject()) }

// subject returns what changes, as it is before where it is there.
func (c *Change) subject() schema.Object {
	if c.Before.Kind != nil {
		return c.Before
	}
	return c.After
}

// weighed returns what the membership weighs before the change. Whoever makes what it
// is in owns that by then.
func (c *Change) weighed() int {
	switch {
	case c.Founder():
		return c.Kind.OwnerLevel()
	case c.Before.Kind == nil:
		return 0
	}
	return c.Kind.Weight(c.Before)
}

// memberID returns the user's id: a live member's own id, else the reference's.
func memberID(o schema.Object) string {
	if o.ID != "" || o.Kind == nil {
		return o.ID
	}
	for _, key := range o.Kind.Match.Keys {
		if r := schema.AsRef(o.Get(key)); r != nil {
			return r.ID
		}
	}
	return ""
}
