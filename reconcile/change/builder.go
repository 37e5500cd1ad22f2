package change

import (
	"fmt"

	"cmp"
	"slices"

	"hew/reconcile/access"
	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// Builder turns a world into the changes of a plan. It does not access the host.
type Builder struct {
	World  *match.World
	Differ plan.Differ
	// Expected holds the addresses that the base configuration declared; nil without one.
	Expected map[addr.Instance]bool
	// Managed reports that a ledger, or a base configuration in its place, is in use.
	Managed bool
	// Drift suppresses replacements and shows the differences as they are.
	Drift bool

	held map[match.Identity]string // why orphans are not deleted, from BlockTaken
}

// Plan returns the plan of the world without digests. declared is the last result of
// DeclaredChanges; undeclared requests the undeclared objects beside managed ones.
func (b *Builder) Plan(declared []plan.Change, undeclared bool) *plan.Plan {
	w := b.World
	p := &plan.Plan{
		Changes: declared, Outputs: w.Result().Outputs, Checks: w.Result().Checks, Sizes: map[schema.Collection]int{},
		Ledgerless: !b.Managed || len(w.Ledger.Entries) == 0,
	}
	for at, c := range w.Collections() {
		p.Sizes[at] = len(c.Objects())
	}
	b.addOrphans(p)
	b.addStrayDeletions(p)
	b.addCreatorMemberships(p)
	if undeclared {
		b.addUndeclared(p)
	}
	p.Blocked = append(p.Blocked, b.blockedAddresses()...)
	slices.SortStableFunc(p.Changes, func(a, b plan.Change) int { return a.Addr.Compare(b.Addr) })
	slices.SortStableFunc(p.Blocked, func(a, b config.Blocked) int { return a.Addr.Compare(b.Addr) })
	p.Notes = append(p.Notes, w.Notes()...)
	if undeclared {
		p.Notes = append(p.Notes, b.RequestNotes()...)
	}
	return p
}

// declaredChange returns the change of a declared object. It returns false if the object is blocked
// or skipped.
func (b *Builder) declaredChange(n *match.Node) (plan.Change, bool) {
	if n.Status() == match.Pending {
		b.decidePending(n)
	}
	n.FillPath()
	want := n.Desired()
	entry, from := n.Entry()
	c := newChange(n.Addr(), n.Kind(), n.Collection(), want.Block)
	c.Title, c.Owner, c.From, c.Entry, c.Why = n.Title(), b.World.OwnerTitle(&n.Declaration), from, entry, n.Note()
	c.Origin = plan.FromBlock{
		Desired: want, CreatorMembership: n.Status() == match.Missing && access.IsCreatorMembership(b.World, n),
	}
	c.After, c.Needs = want.Object, want.DependsOn
	for _, by := range b.World.GrantsFor(&n.Declaration) {
		c.Needs = plan.AddNeed(c.Needs, by)
	}
	c.Gone, c.AdoptsIfFound, c.Renamed = n.Gone(), n.KeyUnknown(), n.Renamed()
	switch n.Status() {
	case match.Missing:
		b.completeCreation(n, &c)
	case match.Matched:
		b.compareLive(n, &c)
	default:
		return c, false
	}
	return c, true
}

// newChange returns a change without an action. Errors are reported at the block, if there is one.
func newChange(at addr.Instance, k *schema.Kind, coll schema.Collection, block *config.Block) plan.Change {
	c := plan.Change{Addr: at, Kind: k, Collection: coll}
	if block != nil {
		c.Decl, c.Allow, c.AllowAt = &block.DeclRange, block.Lifecycle.Allow, block.Lifecycle.AllowAt
	}
	return c
}

// completeCreation completes the change of an object that does not exist.
func (b *Builder) completeCreation(n *match.Node, c *plan.Change) {
	c.Action, c.Cause, c.Paths = plan.Create, plan.ByConfig, plan.Created(n.Desired())
	switch owner := n.Owner(); {
	case n.Gone():
		c.Cause, c.Why = plan.ByDrift, "deleted by hand since the last apply"
	case b.Expected[c.Addr] && c.Kind.Tree == nil: // not for groups and projects, where the recreate guard would trip
		c.Cause, c.Why = plan.ByDrift, "deleted by hand, or never created, since it was declared"
	case n.Kind().Holds == schema.OneOrNone && owner != nil && owner.ID != "":
		c.Why = cmp.Or(c.Why, "none exists yet") // A18
	}
	if c.CreatorMembership() {
		c.AdoptsIfFound = true
		c.Why = "hosts may add the creator of the " + n.Kind().Owner().Name + " as a member"
	}
}

// compareLive decides the action on an object that exists.
func (b *Builder) compareLive(n *match.Node, c *plan.Change) {
	live := n.Live()
	entry, from := n.Entry()
	c.Before = live
	c.Restore = live.State == schema.PendingDeletion
	c.Why = match.NoteWaiting(live, c.Why)
	pending := entry != nil && entry.Pending
	if pending {
		c.Why = "created by an interrupted run"
	}
	c.Paths = b.Differ.Diff(n.Desired(), live, entry)
	markRenamed(c.Paths, c.Renamed)
	if entry != nil && live.State == schema.Awaiting && !b.Drift {
		b.World.Note("%s awaits approval and has no access yet. hew cannot approve members: approve this one on the "+
			"host.", c.Addr)
	}
	if live.Failure != "" && !b.Drift {
		b.World.Note("%s: %s.", c.Addr, live.Failure)
	}
	switch {
	case plan.Replaces(c.Paths):
		c.Action = plan.Replace
	case pending && len(live.Unseen()) > 0:
		c.Action = plan.Replace
		c.Why = "created by an interrupted run, which missed values that the host shows only once"
	case n.ReplaceReason() != "":
		c.Action, c.Why = plan.Replace, n.ReplaceReason()
	case c.Restore:
		c.Action, c.Why = plan.Update, "restores it; it was marked for deletion"
	case entry == nil:
		c.Action = plan.Adopt
		c.Why = cmp.Or(c.Why, plan.ResentSecrets(n.Desired(), c.Paths))
	case len(c.Paths) > 0:
		c.Action = plan.Update
		c.Why = cmp.Or(c.Why, plan.ResentSecrets(n.Desired(), c.Paths))
	case from != (addr.Instance{}):
		c.Action = plan.Move
	default:
		c.Action = plan.NoOp
	}
}

// decidePending decides about an object that was not matched after all reads: its key is known only
// after apply, or it is blocked.
func (b *Builder) decidePending(n *match.Node) {
	owner, coll := n.Owner(), n.Collection()
	switch {
	case owner == nil && n.Kind().Owner() != nil && schema.Stated(n.Desired().Object, n.Kind().Owner().Name):
		owner := n.Kind().Owner()
		n.Block(fmt.Sprintf("the value of %[1]s is known only after apply; refer to the %[2]s directly, as in %[1]s = "+
			"%[2]s.NAME.id", owner.Name, owner.RefKind()))
	case owner != nil && match.IsUnlocated(owner):
		at, _ := addr.Parse(owner.Addr) // always valid: hew printed it
		n.Block("its owner "+owner.Addr+" cannot be planned", at)
	case coll != schema.Collection{} && b.World.CollectionAt(coll) == nil && coll.Path != n.Kind().Root:
		n.Block("its collection was not read")
	default:
		n.MarkKeyUnknown()
	}
}

// markRenamed gives drift as the cause of differences that come from names with another meaning.
func markRenamed(paths []plan.PathChange, renamed []plan.Renamed) {
	for _, m := range renamed {
		for i := range paths {
			if p := &paths[i]; p.Attr == m.Attr && p.Cause == plan.ByConfig {
				p.Cause, p.Note = plan.ByDrift, fmt.Sprintf("%s was id %s", m.Name, m.Was)
				if m.Called != "" {
					p.Note += ", now called " + m.Called
				}
			}
		}
	}
}
