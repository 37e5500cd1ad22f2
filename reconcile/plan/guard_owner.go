package plan

import (
	"fmt"
	"maps"

	"hew/schema"
)

// ownerLevel is the weight from which a member owns a group (spec 2 §2.1).
const ownerLevel = 50

// lastOwner computes who would own each group whose members change.
func lastOwner(p *Plan, f *Facts) []Finding {
	var out []Finding
	least := or(f.Limits.MinOwners, 1)
	for _, m := range memberships(p) {
		now := owners(f.Live[m.coll])
		after := maps.Clone(now)
		var lowered []string
		for _, c := range m.changes {
			id := memberID(c)
			switch {
			case c.Action == Delete, c.After.Kind != nil && c.Kind.Weight(c.After) < ownerLevel:
				if now[id] {
					lowered = append(lowered, c.Addr.String())
				}
				delete(after, id)
			case c.Changes():
				after[id] = true
			}
		}
		if len(lowered) == 0 || len(after) >= least || len(now) < least && len(after) >= len(now) {
			continue
		}
		if m.changes[0].Allows("last-owner") {
			continue
		}
		out = append(out, Finding{
			Text:    fmt.Sprintf("%s would be left with %s; at least %d must stay.", m.changes[0].Owner, count(len(after), "direct owner"), least),
			Fix:     `Add another owner first, in this run or before it. The limit is min_owners in hew { guards { … } }.`,
			Objects: lowered,
			Decl:    m.changes[0].Decl,
		})
	}
	return out
}

// selfLockout finds the run sawing off its own branch.
func selfLockout(p *Plan, f *Facts) []Finding {
	if f.Self.Admin || f.Self.ID == "" {
		return nil
	}
	var out []Finding
	for _, m := range memberships(p) {
		for _, c := range m.changes {
			if memberID(c) != f.Self.ID || c.Allows("self-lockout") || !c.Changes() || c.Before.Kind == nil {
				continue
			}
			if c.Action != Delete && c.Kind.Weight(c.After) >= c.Kind.Weight(c.Before) {
				continue
			}
			out = append(out, Finding{
				Text:    fmt.Sprintf("The token belongs to %s, whose own membership of %s would be lowered or removed.", f.Self.Username, c.Owner),
				Fix:     `Keep the token's user as it is, run with another token, or lift with lifecycle { allow = ["self-lockout"] }.`,
				Objects: []string{c.Addr.String()},
				Decl:    c.Decl,
			})
		}
	}
	return out
}

// membership is the changes of one member list.
type membership struct {
	coll    schema.Collection
	changes []*Change
}

// memberships groups the changes of kinds with a weight by collection, in the
// order of the plan.
func memberships(p *Plan) []membership {
	var out []membership
	at := map[schema.Collection]int{}
	for i := range p.Changes {
		c := &p.Changes[i]
		if c.Kind.Weighs == "" {
			continue
		}
		n, ok := at[c.Collection]
		if !ok {
			n = len(out)
			at[c.Collection] = n
			out = append(out, membership{coll: c.Collection})
		}
		out[n].changes = append(out[n].changes, c)
	}
	return out
}

func owners(live []schema.Object) map[string]bool {
	ids := map[string]bool{}
	for _, o := range live {
		if o.Kind.Weight(o) >= ownerLevel {
			ids[o.ID] = true
		}
	}
	return ids
}

// memberID is the user's id: a live member's own id, else the reference's.
func memberID(c *Change) string {
	if c.Before.ID != "" {
		return c.Before.ID
	}
	for _, key := range c.Kind.Match.Keys {
		if r := schema.AsRef(c.After.Get(key)); r != nil {
			return r.ID
		}
	}
	return ""
}
