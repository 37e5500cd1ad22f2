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

// addOrphans adds the changes of orphans to a plan.
func (b *Builder) addOrphans(p *plan.Plan) {
	w := b.World
	b.holdBack()
	trees := w.DeletedTrees()
	for _, at := range w.Ledger.Sorted() {
		o := w.Orphan(at)
		if o == nil || w.Node(at) != nil {
			continue
		}
		action, _ := o.Decision()
		switch {
		case action == match.Redeclared: // the entry belongs to a node now
			continue
		case o.Kind() == nil:
			p.Notes = append(p.Notes, fmt.Sprintf("Skipped %s in the ledger: this version of hew does not know its "+
				"kind %s.", at, o.Entry().Kind))
			continue
		}
		c := b.orphanChange(at, o)
		switch action, _ := o.Decision(); {
		case action != match.Undecided:
			if b.setOrphanAction(&c, o, trees) {
				p.Changes = append(p.Changes, c)
			}
		case o.Failure() != "":
			p.Blocked = append(p.Blocked, config.Blocked{Addr: at, Reason: o.Failure()})
		}
	}
}

// holdBack postpones the deletions of orphans whose path a declared object waits for, and of
// everything in them: half of what the configuration means would be lost.
func (b *Builder) holdBack() {
	if len(b.held) == 0 {
		return
	}
	held := map[match.RefKey]bool{}
	for more := true; more; {
		more = false
		for _, o := range b.World.Orphans() {
			if o.Kind() == nil {
				continue
			}
			self := match.ByID(o.Kind().Name, o.Entry().ID)
			why := b.held[match.IdentityOf(o.Kind(), o.Collection(), o.Entry().ID)]
			if why == "" && held[match.ByID(match.OwnerKind(o.Kind()), match.OwnerID(o.Kind(), o.Collection()))] {
				why = "what it is in is not deleted either"
			}
			if action, _ := o.Decision(); action == match.Remove && why != "" {
				o.Postpone(why)
				held[self], more = o.Kind().Tree != nil || held[self], true
			}
		}
	}
}

// orphanChange returns the change of an orphan without an action. If the replacement of a deposed
// object cannot be planned, the decision is postponed.
func (b *Builder) orphanChange(at addr.Instance, o *match.Orphan) plan.Change {
	block := b.World.Block(at.Block)
	c := newChange(at, o.Kind(), o.Collection(), block)
	action, why := o.Decision()
	c.Title, c.Owner = o.Entry().Key, b.World.OwnerTitleAt(o.Kind(), o.Collection())
	c.Entry, c.Before, c.Why = o.Entry(), o.Live(), why
	from := plan.FromLedger{InBlock: block != nil}
	if at.Deposed() && c.Why == "" {
		c.Why = "its " + o.Kind().Owner().Name + " has changed"
	}
	if n := b.World.Node(at.Declared()); at.Deposed() && n != nil &&
		(n.CreatesBeforeDestroy() || n.Superseded() == at) {
		from.Successor, c.Why = n.Addr(), "replaced by "+n.Addr().String()
		if action == match.Remove && n.Status() != match.Matched && n.Status() != match.Missing {
			o.Postpone("its replacement " + n.Addr().String() + " cannot be planned")
		}
	}
	if r := o.Removal(); r != nil {
		c.Allow, c.AllowAt, c.Decl, from.RemovedBlock = r.Allow, r.AllowAt, &r.DeclRange, r.Destroy
	}
	c.Origin = from
	return c
}

// setOrphanAction sets the action according to the orphan's. It returns false if the orphan stays
// unchanged.
func (b *Builder) setOrphanAction(c *plan.Change, o *match.Orphan, trees map[match.RefKey]addr.Instance) bool {
	w, k := b.World, o.Kind()
	action, _ := o.Decision()
	owner, deleted := trees[match.ByID(match.OwnerKind(k), match.OwnerID(k, o.Collection()))]
	switch {
	case action == match.Release || action == match.Gone:
		c.Action, c.Gone = plan.Release, action == match.Gone
		return true
	case w.InArchived(o):
		return false
	case w.InPendingDeletion(o):
		c.Action, c.Gone, c.Why = plan.Release, true, "its "+k.Owner().Name+" is marked for deletion"
		return true
	}
	c.Action, c.Cause, c.Why = plan.Delete, plan.ByConfig, match.NoteWaiting(o.Live(), c.Why)
	switch {
	case deleted && k.Tree == nil:
		from, _ := c.Origin.(plan.FromLedger)
		from.Within = owner
		c.Origin, c.Why = from, "deleted with "+owner.String()
	case action == match.Reset:
		b.resetOrphan(c)
	case k.Tree != nil:
		c.SetCascade(w.Contents(k, o.Entry().ID, o.Entry().Key))
	}
	return true
}

// resetOrphan turns the deletion of an object that stays on the host into an update that resets
// what hew has set.
func (b *Builder) resetOrphan(c *plan.Change) {
	c.Paths = b.Differ.Reset(c.Before, c.Entry)
	c.Action, c.Why = plan.Update, "no longer declared, and not created by hew"
	if len(c.Paths) == 0 {
		c.Action, c.Cause = plan.Release, ""
		c.Why += "; nothing to reset"
		return
	}
	c.After = c.Before
	c.After.Value = c.Before.Value.Clone()
	for _, p := range c.Paths {
		c.After.Value.Set(p.Attr, p.After)
	}
}

// addStrayDeletions adds the deletion of strays to a plan.
func (b *Builder) addStrayDeletions(p *plan.Plan) {
	w := b.World
	unmatched := w.Unmatched()
	cause := plan.ByDrift // hew did not create it
	if p.Ledgerless {
		cause = plan.Unknown
	}
	for x, s := range w.Claims() {
		objs, why := w.Strays(x, unmatched)
		if why != "" {
			note := fmt.Sprintf("%s deletes nothing in %s in this run: %s, so hew could mistake its objects for "+
				"undeclared ones.",
				x.Addr, w.OwnerTitle(s), why)
			p.Notes = append(p.Notes, note)
			p.Suspended = append(
				p.Suspended, plan.Suspended{Addr: x.Addr, Kind: x.Kind, Owner: w.OwnerTitle(s), Note: note},
			)
			continue
		}
		for _, o := range objs {
			stray := newChange(match.StrayAddr(x, o), x.Kind, s.Collection(), x.Block)
			stray.Action, stray.Cause, stray.Origin, stray.Before = plan.Delete, cause, plan.FromClaim{}, o
			stray.Title, stray.Owner = match.UndeclaredTitle(o), w.OwnerTitle(s)
			stray.Why = match.NoteWaiting(o, "not in the configuration (exclusive)")
			if why := w.KeepReason(x.Kind, o); why != "" {
				p.Notes = append(p.Notes, fmt.Sprintf("%s is not declared, but kept: %s.", stray.Addr, why))
				continue
			}
			stray.SetCascade(w.Contents(x.Kind, o.ID, match.KeyTitle(o)))
			p.Changes = append(p.Changes, stray)
		}
	}
}

// addCreatorMemberships adds the deletion of memberships that the host creates along with objects
// of this run, if they would be strays.
func (b *Builder) addCreatorMemberships(p *plan.Plan) {
	w := b.World
	for x, s := range w.Claims() {
		o, ok := access.CreatorMembership(w, x, s)
		if !ok || !w.Scope().IncludesStray(match.StrayAddr(x, o)) || w.KeepReason(x.Kind, o) != "" {
			continue
		}
		c := newChange(match.StrayAddr(x, o), x.Kind, schema.Collection{}, x.Block)
		c.Action, c.Cause, c.Origin, c.Before = plan.Delete, plan.ByConfig, plan.FromClaim{CreatorMembership: true}, o
		c.Title, c.Owner = match.UndeclaredTitle(o), w.OwnerTitle(s)
		c.Needs = []addr.Instance{w.Target(x.Kind.Owner().RefKind(), s.Owner()).Addr()}
		c.Why = "added by the host as the creator of the " + x.Kind.Owner().Name +
			"; not in the configuration (exclusive)"
		p.Changes = append(p.Changes, c)
	}
}
