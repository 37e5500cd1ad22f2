package reconcile

import (
	"cmp"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// build turns the settled world into a plan.
func (r *Run) build(mode Mode) {
	w := r.world
	p := &plan.Plan{
		Outputs:    w.res.Outputs,
		Checks:     w.res.Checks,
		Sizes:      make(map[schema.Collection]int, len(w.colls)),
		Host:       r.eng.Host,
		Ledgerless: !r.known || len(r.led.Entries) == 0,
	}
	for coll, c := range w.colls {
		p.Sizes[coll] = len(c.objs)
	}
	p.Changes = r.made
	r.orphans(p)
	r.strays(p)
	r.founders(p)
	if r.opts.Strays {
		r.beside(p)
	}
	if r.eng.Backend != nil && r.eng.Base == nil && !p.Ledgerless {
		p.Lineage = r.led.Lineage
	}
	p.Blocked = append(p.Blocked, r.blocked()...)
	slices.SortStableFunc(p.Changes, func(a, b plan.Change) int { return a.Addr.Compare(b.Addr) })
	slices.SortStableFunc(p.Blocked, func(a, b config.Blocked) int { return a.Addr.Compare(b.Addr) })
	p.Notes = append(append(p.Notes, w.notes...), r.back.Notes()...)
	if w.narrowing != nil {
		p.Notes = append(p.Notes, w.narrowing.String())
	}
	facts := r.facts(mode)
	p.Guard(facts)
	if mode == Normal && w.narrowing == nil {
		r.idle(p.Idle(facts))
	}
	if mode == Drift {
		p = p.Drift()
	}
	lasting := r.digest.ForPlans()
	if p.Sum(lasting); lasting.Err() != nil {
		p.Unbound = lasting.Err().Error()
	}
	p.Stats = plan.Stats{Requests: r.eng.Provider.Requests(), Seconds: time.Since(r.begun).Seconds(), Objects: len(w.order)}
	r.Plan = p
}

// idle warns of lifts that lift nothing: they would let the next mistake pass.
func (r *Run) idle(lifts []plan.Idle) {
	for _, l := range lifts {
		d := mistake(l.At, "Lift without use", "%s would not stop anything that this plan does with %s. Take %q out of allow, so that the guard is there when it is needed.", l.Code, l.Block, l.Code)
		d.Severity = hcl.DiagWarning
		r.warnings = append(r.warnings, d)
	}
}

// change says what is to be done about one declared object; false where
// nothing is, because it is blocked or left alone.
func (r *Run) change(n *node) (plan.Change, bool) {
	if n.status == pending {
		r.wait(n)
	}
	r.fill(n)
	c := about(n.want.Addr, n.kind(), n.coll, n.want.Block)
	c.Title, c.Owner, c.From, c.Entry, c.Why = n.title(), n.ownerTitle(), n.from, n.entry, n.note
	c.After, c.Desired, c.Needs = n.want.Object, &n.want, n.want.Needs
	for _, by := range r.world.entrances(&n.seeker) {
		c.Needs = needing(c.Needs, by)
	}
	c.Gone, c.AdoptsIfFound = n.gone, n.keyless
	switch n.status {
	case missing:
		c.Action, c.Cause, c.Paths = plan.Create, plan.ByConfig, plan.Created(&n.want)
		switch {
		case n.gone:
			c.Cause, c.Why = plan.ByDrift, "deleted by hand since the last apply"
		case r.base.missed(&c):
			c.Cause, c.Why = plan.ByDrift, "deleted by hand, or never made, since it was declared"
		case n.kind().Holds == schema.OneOrNone && n.owner != nil && n.owner.ID != "":
			c.Why = cmp.Or(c.Why, "there is none yet: it is created first") // A18
		}
		if r.world.creator(n) {
			c.AdoptsIfFound, c.Founder, c.Why = true, true, "the host may make whoever creates the "+n.kind().Owner().Name+" a member of it"
		}
	case matched:
		r.compare(n, &c)
	default:
		return c, false
	}
	return c, true
}

// about is a change of an object, before it is decided which one. The block is
// the one to blame for it, nil where there is none.
func about(at addr.Instance, k *schema.Kind, coll schema.Collection, block *config.Block) plan.Change {
	c := plan.Change{Addr: at, Kind: k, Collection: coll}
	if block != nil {
		c.Decl, c.Allow, c.AllowAt = &block.Decl, block.Lifecycle.Allow, block.Lifecycle.AllowAt
	}
	return c
}

// compare decides what an object that exists needs.
func (r *Run) compare(n *node, c *plan.Change) {
	c.Before = n.live
	c.Restore = n.live.State == schema.PendingDeletion
	c.Why = waiting(n.live, c.Why)
	if n.entry != nil && n.entry.Pending {
		c.Why = "made by an earlier run that was cut off"
	}
	c.Paths = r.differ.Diff(&n.want, n.live, n.entry)
	switch {
	case plan.Replaces(c.Paths):
		c.Action = plan.Replace
	case n.entry != nil && n.entry.Pending && len(n.live.Unseen()) > 0:
		c.Action, c.Why = plan.Replace, "made by an earlier run, which did not get to see what the host shows only then"
	case n.replace != "":
		c.Action, c.Why = plan.Replace, n.replace
	case c.Restore:
		c.Action, c.Why = plan.Update, "brings it back; it was marked for deletion"
	case n.entry == nil:
		c.Action = plan.Adopt
		c.Why = cmp.Or(c.Why, plan.Resent(&n.want, c.Paths))
	case len(c.Paths) > 0:
		c.Action = plan.Update
		c.Why = cmp.Or(c.Why, plan.Resent(&n.want, c.Paths))
	case n.from != (addr.Instance{}):
		c.Action = plan.Move
	default:
		c.Action = plan.NoOp
	}
}

// wait settles what no reading can: an object whose key is known only once
// something else is made.
func (r *Run) wait(n *node) {
	switch {
	case n.owner == nil && n.kind().Owner() != nil && schema.Stated(n.want.Object, n.kind().Owner().Name):
		n.block("its " + n.kind().Owner().Name + " cannot be known before apply; refer to the resource itself")
	case n.owner != nil && nowhere(n.owner):
		at, _ := addr.Parse(n.owner.Addr) // our own print
		n.block(n.owner.Addr+", which it belongs to, cannot be planned", at)
	case n.coll != schema.Collection{} && r.world.colls[n.coll] == nil && n.coll.Path != n.kind().Root:
		n.block("its collection was not read")
	default:
		n.status, n.keyless = missing, true
	}
}

// fill gives a thing with a path its planned one, for ordering and for people.
func (r *Run) fill(n *node) {
	if t := n.kind().Tree; t != nil && n.path() != "" {
		n.want.Object.Value.Set(n.kind().Attr(t.Full), cty.StringVal(n.path()))
	}
}
