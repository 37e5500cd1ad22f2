package plan

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// An object that can be at the top level and declares no owner is declared at the top level. If it
// is elsewhere on the host, the ledger decides whether hew moves it: an owner that was never
// declared does not move anything.

// UndeclaredOwner returns the live owner of an object that declares none, or nil if it is at the
// top level or its owner is ignored.
func UndeclaredOwner(want *config.Desired, live schema.Object) *schema.Ref {
	k := want.Object.Kind
	if a := k.Owner(); a != nil && k.Root != "" && !schema.Stated(want.Object, a.Name) && !Ignored(want, a) {
		return schema.AsRef(live.Get(a.Name))
	}
	return nil
}

// MovesToTop reports whether hew moves such an object to the top level: its owner was declared
// before, or hew has seen it at the top level.
func MovesToTop(k *schema.Kind, entry *ledger.Entry) bool {
	return entry != nil && (entry.Owned[k.Owner().Name] != "" || entry.Collection == k.In("").String())
}

// diffOwnerRemoval returns the transfer of an object to the top level, if any.
func (d Differ) diffOwnerRemoval(want *config.Desired, live schema.Object, entry *ledger.Entry) []PathChange {
	if UndeclaredOwner(want, live) == nil || !MovesToTop(live.Kind, entry) {
		return nil
	}
	a := live.Kind.Owner()
	p := PathChange{Attr: a, Before: live.Get(a.Name), After: cty.NullVal(a.Type), Cause: ByDrift}
	if last := entry.Owned[a.Name]; last != "" {
		p.Cause, p.Note = causeOf(true, !d.wasApplied(last, a, p.Before)), "to the top level"
	}
	return []PathChange{p}
}

// movesToTop reports whether the change moves an object to the top level, where inherited owners
// lose it. If it has no direct owner, the host makes the token's user one.
func (c *Change) movesToTop() bool {
	owner := c.Kind.Owner()
	return c.Kind.Root != "" && c.Changes() && slices.ContainsFunc(c.Paths, func(p PathChange) bool {
		return p.Attr == owner && !p.Before.IsNull() && p.After.IsKnown() && p.After.IsNull()
	})
}

// members returns the direct members of an object, as far as they were read.
func (f *Facts) members(id string) []schema.Object {
	for coll, list := range f.Live {
		if len(list) > 0 && list[0].Kind.OwnerLevel() > 0 && list[0].Kind.In(id) == coll {
			return list
		}
	}
	return nil
}
