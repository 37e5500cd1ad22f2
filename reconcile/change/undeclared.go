package change

import (
	"fmt"

	"hew/reconcile/access"
	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// orphans adds to a plan what happens to the ledger entries that nobody declares
// any more.
func (b *Builder) orphans(p *plan.Plan) {
	w, trees := b.World, b.World.DeletedTrees()
	for _, at := range w.Ledger.Sorted() {
		o := w.Orphan(at)
		if o == nil || w.Node(at) != nil {
			continue
		}
		fate, _ := o.Decision()
		switch {
		case fate == match.Redeclared: // its node carries the entry on
			continue
		case o.Kind() == nil:
			p.Notes = append(p.Notes, fmt.Sprintf("The ledger has %s of a kind this hew does not know (%s); it is "+
				"left alone.", at, o.Entry().Kind))
			continue
		}
		c := b.orphan(at, o)
		switch fate, _ := o.Decision(); {
		case fate != match.Undecided:
			if b.end(&c, o, trees) {
				p.Changes = append(p.Changes, c)
			}
		case o.Failure() != "":
			p.Blocked = append(p.Blocked, config.Blocked{Addr: at, Why: o.Failure()})
		}
	}
}

// orphan returns the change of an orphan, before it is decided which one. Nothing
// can be decided of what waits for another in its place, while that cannot be
// planned.
func (b *Builder) orphan(at addr.Instance, o *match.Orphan) plan.Change {
	block := b.World.Block(at.Block)
	c := newChange(at, o.Kind(), o.Collection(), block)
	fate, why := o.Decision()
	c.Title, c.Owner = o.Entry().Key, b.World.OwnerTitle(o.Kind(), o.Collection())
	c.Entry, c.Before, c.Why = o.Entry(), o.Live(), why
	from := plan.FromLedger{InBlock: block != nil}
	if at.Deposed() && c.Why == "" {
		c.Why = "its " + o.Kind().Owner().Name + " has changed"
	}
	if n := b.World.Node(at.Declared()); at.Deposed() && n != nil &&
		(n.CreatesBeforeDestroy() || n.Superseded() == at) {
		from.Successor, c.Why = n.Addr(), n.Addr().String()+" takes its place"
		if fate == match.Remove && n.Status() != match.Matched && n.Status() != match.Missing {
			o.Postpone(n.Addr().String() + ", which takes its place, cannot be planned")
		}
	}
	if r := o.Removal(); r != nil {
		c.Allow, c.AllowAt, c.Decl, from.Meant = r.Allow, r.AllowAt, &r.Decl, r.Destroy
	}
	c.Origin = from
	return c
}

// end makes the change be what the orphan's fate is. It reports false where the
// orphan is left alone.
func (b *Builder) end(c *plan.Change, o *match.Orphan, trees map[match.Thing]addr.Instance) bool {
	w, k := b.World, o.Kind()
	fate, _ := o.Decision()
	owner, goes := trees[match.ByID(match.OwnerKind(k), match.OwnerID(k, o.Collection()))]
	switch {
	case fate == match.Release || fate == match.Vanished:
		c.Action, c.Gone = plan.Release, fate == match.Vanished
		return true
	case w.InArchived(o):
		return false
	case w.InPendingDeletion(o):
		c.Action, c.Gone, c.Why = plan.Release, true, "goes with what it is in, which is marked for deletion"
		return true
	}
	c.Action, c.Cause, c.Why = plan.Delete, plan.ByConfig, match.NoteInvitation(o.Live(), c.Why)
	switch {
	case goes && k.Tree == nil:
		from, _ := c.Origin.(plan.FromLedger)
		from.Within = owner
		c.Origin, c.Why = from, "goes with "+owner.String()
	case fate == match.Reset:
		b.reset(c)
	case k.Tree != nil:
		c.TakeAlong(w.Contents(k, o.Entry().ID, o.Entry().Key))
	}
	return true
}

// reset turns the deletion of what stays on the host into an update of what hew
// has set there.
func (b *Builder) reset(c *plan.Change) {
	c.Paths = b.Differ.Reset(c.Before, c.Entry)
	c.Action, c.Why = plan.Update, "nobody declares it any more, and hew did not make it"
	if len(c.Paths) == 0 {
		c.Action, c.Cause = plan.Release, ""
		c.Why += "; nothing of it has to be taken back"
		return
	}
	c.After = c.Before
	c.After.Value = c.Before.Value.Clone()
	for _, p := range c.Paths {
		c.After.Value.Set(p.Attr, p.After)
	}
}

// strays adds to a plan the deletion of whatever an exclusive block's collection
// holds and nobody declares.
func (b *Builder) strays(p *plan.Plan) {
	w := b.World
	unplaced := w.Unplaced()
	cause := plan.ByDrift // hew has not made it, and no ledger tells since when it is claimed
	if p.Ledgerless {
		cause = plan.Unknown
	}
	for x, s := range w.Claims() {
		objs, why := w.Strays(x, unplaced)
		if why != "" {
			p.Notes = append(p.Notes, fmt.Sprintf("%s deletes nothing in %s this time: %s, and what it declares may "+
				"be there.", x.Addr, s.OwnerTitle(), why))
			continue
		}
		for _, o := range objs {
			stray := newChange(match.StrayAddr(x, o), x.Kind, s.Collection(), x.Block)
			stray.Action, stray.Cause, stray.Origin, stray.Before = plan.Delete, cause, plan.FromClaim{}, o
			stray.Title, stray.Owner = match.KeyTitle(o), s.OwnerTitle()
			stray.Why = match.NoteInvitation(o, "not in the configuration (exclusive)")
			if why := w.KeptBecause(x.Kind, o); why != "" {
				p.Notes = append(p.Notes, fmt.Sprintf("%s is not declared and left alone: %s.", stray.Addr, why))
				continue
			}
			stray.TakeAlong(w.Contents(x.Kind, o.ID, match.KeyTitle(o)))
			p.Changes = append(p.Changes, stray)
		}
	}
}

// creatorMemberships adds to a plan the removal of the memberships that the host
// makes along with what this run creates, where an exclusive block does not want
// them.
func (b *Builder) creatorMemberships(p *plan.Plan) {
	w := b.World
	for x, s := range w.Claims() {
		o, ok := access.CreatorMembership(w, x, s)
		if !ok || !w.Scope().IncludesStray(match.StrayAddr(x, o)) || w.KeptBecause(x.Kind, o) != "" {
			continue
		}
		c := newChange(match.StrayAddr(x, o), x.Kind, schema.Collection{}, x.Block)
		c.Action, c.Cause, c.Origin, c.Before = plan.Delete, plan.ByConfig, plan.FromClaim{Founder: true}, o
		c.Title, c.Owner = match.KeyTitle(o), s.OwnerTitle()
		c.Needs = []addr.Instance{w.Target(x.Kind.Owner().RefKind(), s.Owner()).Addr()}
		c.Why = "the host makes whoever creates the " + x.Kind.Owner().Name +
			" a member of it, and it is not in the configuration (exclusive)"
		p.Changes = append(p.Changes, c)
	}
}
