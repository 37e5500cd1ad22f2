package change

import (
	"cmp"
	"slices"

	"hew/reconcile/access"
	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// Builder turns a world into the changes of a plan. It neither reads nor writes
// the host.
type Builder struct {
	World  *match.World
	Differ plan.Differ
	// Expected holds the addresses that an earlier configuration declared; nil
	// without one.
	Expected map[addr.Instance]bool
	// Managed says that a ledger is in use, or what stands in for it.
	Managed bool
	// Drift plans no replacements: what differs is shown as it is.
	Drift bool
}

// Plan returns the plan of the world without digests: the changes of declared
// objects, which declared returned last, and those of everything else.
// unmanaged has it list what nobody declares beside what is managed.
func (b *Builder) Plan(declared []plan.Change, unmanaged bool) *plan.Plan {
	w := b.World
	p := &plan.Plan{
		Changes: declared, Outputs: w.Result().Outputs, Checks: w.Result().Checks, Sizes: map[schema.Collection]int{},
		Ledgerless: !b.Managed || len(w.Ledger.Entries) == 0,
	}
	for at, c := range w.Collections() {
		p.Sizes[at] = len(c.Objects())
	}
	b.orphans(p)
	b.strays(p)
	b.creatorMemberships(p)
	if unmanaged {
		b.unmanaged(p)
	}
	p.Blocked = append(p.Blocked, b.blocked()...)
	slices.SortStableFunc(p.Changes, func(a, b plan.Change) int { return a.Addr.Compare(b.Addr) })
	slices.SortStableFunc(p.Blocked, func(a, b config.Blocked) int { return a.Addr.Compare(b.Addr) })
	p.Notes = append(p.Notes, w.Notes()...)
	return p
}

// change returns what is to be done about one declared object. It reports false
// where nothing is, because the object is blocked or left alone.
func (b *Builder) change(n *match.Node) (plan.Change, bool) {
	if n.Status() == match.Pending {
		b.decidePending(n)
	}
	n.FillPath()
	want := n.Desired()
	entry, from := n.Entry()
	c := newChange(n.Addr(), n.Kind(), n.Collection(), want.Block)
	c.Title, c.Owner, c.From, c.Entry, c.Why = n.Title(), n.OwnerTitle(), from, entry, n.Note()
	c.Origin = plan.FromBlock{
		Desired: want, Founder: n.Status() == match.Missing && access.IsCreatorMembership(b.World, n),
	}
	c.After, c.Needs = want.Object, want.Needs
	for _, by := range b.World.GrantsFor(&n.Declaration) {
		c.Needs = plan.AddNeed(c.Needs, by)
	}
	c.Gone, c.AdoptsIfFound = n.Gone(), n.KeyUnknown()
	switch n.Status() {
	case match.Missing:
		b.create(n, &c)
	case match.Matched:
		b.compare(n, &c)
	default:
		return c, false
	}
	return c, true
}

// newChange returns a change of an object, before it is decided which one. The
// block is the one to blame for it, nil where there is none.
func newChange(at addr.Instance, k *schema.Kind, coll schema.Collection, block *config.Block) plan.Change {
	c := plan.Change{Addr: at, Kind: k, Collection: coll}
	if block != nil {
		c.Decl, c.Allow, c.AllowAt = &block.Decl, block.Lifecycle.Allow, block.Lifecycle.AllowAt
	}
	return c
}

// create completes the change of an object that does not exist.
func (b *Builder) create(n *match.Node, c *plan.Change) {
	c.Action, c.Cause, c.Paths = plan.Create, plan.ByConfig, plan.Created(n.Desired())
	switch owner := n.Owner(); {
	case n.Gone():
		c.Cause, c.Why = plan.ByDrift, "deleted by hand since the last apply"
	case b.Expected[c.Addr] && c.Kind.Tree == nil: // of groups and projects nothing is said: there a guard would ask
		c.Cause, c.Why = plan.ByDrift, "deleted by hand, or never made, since it was declared"
	case n.Kind().Holds == schema.OneOrNone && owner != nil && owner.ID != "":
		c.Why = cmp.Or(c.Why, "there is none yet: it is created first") // A18
	}
	if c.Founder() {
		c.AdoptsIfFound = true
		c.Why = "the host may make whoever creates the " + n.Kind().Owner().Name + " a member of it"
	}
}

// compare decides what an object that exists needs.
func (b *Builder) compare(n *match.Node, c *plan.Change) {
	live := n.Live()
	entry, from := n.Entry()
	c.Before = live
	c.Restore = live.State == schema.PendingDeletion
	c.Why = match.NoteInvitation(live, c.Why)
	pending := entry != nil && entry.Pending
	if pending {
		c.Why = "made by an earlier run that was cut off"
	}
	c.Paths = b.Differ.Diff(n.Desired(), live, entry)
	switch {
	case plan.Replaces(c.Paths):
		c.Action = plan.Replace
	case pending && len(live.Unseen()) > 0:
		c.Action, c.Why = plan.Replace, "made by an earlier run, which did not get to see what the host shows only then"
	case n.ReplaceReason() != "":
		c.Action, c.Why = plan.Replace, n.ReplaceReason()
	case c.Restore:
		c.Action, c.Why = plan.Update, "brings it back; it was marked for deletion"
	case entry == nil:
		c.Action = plan.Adopt
		c.Why = cmp.Or(c.Why, plan.Resent(n.Desired(), c.Paths))
	case len(c.Paths) > 0:
		c.Action = plan.Update
		c.Why = cmp.Or(c.Why, plan.Resent(n.Desired(), c.Paths))
	case from != (addr.Instance{}):
		c.Action = plan.Move
	default:
		c.Action = plan.NoOp
	}
}

// decidePending decides what no reading can: an object whose key is known only
// once something else is made.
func (b *Builder) decidePending(n *match.Node) {
	owner, coll := n.Owner(), n.Collection()
	switch {
	case owner == nil && n.Kind().Owner() != nil && schema.Stated(n.Desired().Object, n.Kind().Owner().Name):
		n.Block("its " + n.Kind().Owner().Name + " cannot be known before apply; refer to the resource itself")
	case owner != nil && match.IsUnlocated(owner):
		at, _ := addr.Parse(owner.Addr) // our own print
		n.Block(owner.Addr+", which it belongs to, cannot be planned", at)
	case coll != schema.Collection{} && b.World.CollectionAt(coll) == nil && coll.Path != n.Kind().Root:
		n.Block("its collection was not read")
	default:
		n.MarkKeyUnknown()
	}
}
