package plan

import (
	"fmt"
	"maps"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/guard"
	"hew/schema"
)

// lastOwner computes who would own each group whose members change. It counts all changes, but
// reports only those that do not lift it. The minimum of a top-level group is 1, because nobody
// owns it by inheritance and hosts refuse to remove the last owner.
func lastOwner(_ []*Change, p *Plan, f *Facts) []Finding {
	var out []Finding
	for _, m := range memberships(p.guarded(guard.Rule{})) {
		now := owners(f.Live[m.coll])
		for _, c := range m.changes {
			if c.CreatorMembership() {
				now[c.member()] = true
			}
		}
		after := maps.Clone(now)
		var lowered []*Change
		for _, c := range m.changes {
			if !c.endsOwnership() {
				continue
			}
			delete(after, c.member())
			if !c.lifts(guard.LastOwner) {
				lowered = append(lowered, c)
			}
		}
		for _, c := range m.changes {
			if id := memberID(c.After); id != "" && c.Changes() && c.Kind.Weight(c.After) >= c.Kind.OwnerLevel() {
				after[id] = true
			}
		}
		if len(lowered) == 0 {
			continue
		}
		least := orDefault(f.Limits.MinOwners, 1)
		advice := "The minimum is min_owners in hew { guards { … } }."
		if least < 1 && !strings.Contains(lowered[0].Owner, "/") {
			least, advice = 1,
				"min_owners = 0 has no effect here: hosts refuse to remove the last owner of a top-level group."
		}
		if len(after) >= least || len(after) >= len(now) {
			continue
		}
		out = append(out, finding(fmt.Sprintf("%s would be left with %s; the minimum is %d.", lowered[0].Owner,
			countNoun(len(after), "direct owner"), least),
			"Add another owner in this run or before it. "+advice+" "+lowered[0].liftAdvice(guard.LastOwner),
			lowered...))
	}
	return out
}

// endsOwnership reports whether the change ends a user's ownership: the membership is deleted, goes
// to another user, or is lowered.
func (c *Change) endsOwnership() bool {
	if c.Kind.OwnerLevel() == 0 || c.levelBefore() < c.Kind.OwnerLevel() {
		return false
	}
	return c.Removes() || c.Changes() && c.Kind.Weight(c.After) < c.Kind.OwnerLevel()
}

// selfLockout finds changes that take access from the user of hew's own token.
func selfLockout(changes []*Change, _ *Plan, f *Facts) []Finding {
	if f.Self.Admin || f.Self.ID == "" {
		return nil
	}
	var out []Finding
	for _, m := range memberships(changes) {
		for _, c := range m.changes {
			if c.member() != f.Self.ID || !c.Removes() && !c.lowersLevel() {
				continue
			}
			out = append(out, finding(fmt.Sprintf("The token belongs to %s, whose membership of %s would be "+
				"lowered or removed.", f.Self.Username, c.Owner),
				"Keep that membership, or use another token. "+c.liftAdvice(guard.SelfLockout), c))
		}
	}
	for _, c := range changes {
		if !c.movesToTop() {
			continue
		}
		if stay := owners(f.members(c.Before.ID)); len(stay) > 0 && !stay[f.Self.ID] {
			out = append(out, finding(fmt.Sprintf("The token belongs to %s, who owns %s only by inheritance and would "+
				"lose it at the top level.", f.Self.Username, c.title()),
				"Make that user a direct owner in an earlier run, or use another token. "+
					c.liftAdvice(guard.SelfLockout), c))
		}
	}
	return out
}

// membership is the changes of one list of members.
type membership struct {
	coll    schema.Collection
	changes []*Change
}

// memberships groups the changes of members by collection, in plan order.
func memberships(changes []*Change) []membership {
	type list struct {
		coll  schema.Collection
		owner string // of a collection that does not exist yet
	}
	var out []membership
	at := map[list]int{}
	for _, c := range changes {
		if c.Kind.LevelAttr() == "" || c.Within() != (addr.Instance{}) {
			continue // the owner is deleted with all its members
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
		if o.Kind.OwnerLevel() > 0 && o.State.LetsIn() && o.Kind.Weight(o) >= o.Kind.OwnerLevel() {
			ids[o.ID] = true
		}
	}
	return ids
}

// member returns the id of the user whose membership changes.
func (c *Change) member() string { return memberID(c.beforeOrAfter()) }

// beforeOrAfter returns the object before the change, or the planned one if it does not exist yet.
func (c *Change) beforeOrAfter() schema.Object {
	if c.Before.Kind != nil {
		return c.Before
	}
	return c.After
}

// levelBefore returns the level of the membership before the change. The creator of a group or
// project owns it by then.
func (c *Change) levelBefore() int {
	switch {
	case c.CreatorMembership():
		return c.Kind.OwnerLevel()
	case c.Before.Kind == nil:
		return 0
	}
	return c.Kind.Weight(c.Before)
}

// memberID returns the user's id: the id of a live member, or else that of the reference.
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
