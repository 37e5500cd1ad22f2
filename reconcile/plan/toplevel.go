package plan

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// What may be at the top, and states no owner, is declared to be there. Where it
// is not, the ledger reports whether it goes there: a line that was never there
// takes nothing anywhere.

// Nested returns the owner that a live thing is in although it is declared without
// one; nil where it is at the top, or where its owner is left as it is.
func Nested(want *config.Desired, live schema.Object) *schema.Ref {
	k := want.Object.Kind
	if a := k.Owner(); a != nil && k.Root != "" && !schema.Stated(want.Object, a.Name) && !Ignored(want, a) {
		return schema.AsRef(live.Get(a.Name))
	}
	return nil
}

// Rises reports whether hew takes such a thing to the top: its owner was stated
// until now, or hew has seen it at the top.
func Rises(k *schema.Kind, entry *ledger.Entry) bool {
	return entry != nil && (entry.Owned[k.Owner().Name] != "" || entry.Collection == k.In("").String())
}

// diffRising returns the transfer of a thing to the top, if there is one.
func (d Differ) diffRising(want *config.Desired, live schema.Object, entry *ledger.Entry) []PathChange {
	if Nested(want, live) == nil || !Rises(live.Kind, entry) {
		return nil
	}
	a := live.Kind.Owner()
	p := PathChange{Attr: a, Before: live.Get(a.Name), After: cty.NullVal(a.Type), Cause: ByDrift}
	if last := entry.Owned[a.Name]; last != "" {
		p.Cause, p.Note = causeOf(true, !d.wasApplied(last, a, p.Before)), "to the top level"
	}
	return []PathChange{p}
}

// rises reports whether the change takes a thing to the top, where nobody owns it
// any more who did so from above. The host sees to it that somebody does: of what
// has no owner of its own, the token's user becomes one.
func (c *Change) rises() bool {
	owner := c.Kind.Owner()
	return c.Kind.Root != "" && c.Changes() && slices.ContainsFunc(c.Paths, func(p PathChange) bool {
		return p.Attr == owner && !p.Before.IsNull() && p.After.IsKnown() && p.After.IsNull()
	})
}

// members returns the members of a thing itself, as far as they were read.
func (f *Facts) members(id string) []schema.Object {
	for coll, list := range f.Live {
		if len(list) > 0 && list[0].Kind.OwnerLevel() > 0 && list[0].Kind.In(id) == coll {
			return list
		}
	}
	return nil
}
