package access

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// Check blocks the declared objects whose changes name somebody without
// access, and has each other change wait for what gives access. It calls read for
// each wave of readings that it needs, and fails as read does.
func Check(ctx context.Context, w *match.World, changes []plan.Change, read func(context.Context) error) error {
	for more := true; more; {
		c := newChecker(w)
		for i := range changes {
			c.check(&changes[i])
		}
		if more = w.WantsReading(); more {
			if err := read(ctx); err != nil {
				return err
			}
			w.ForgetWanted()
		}
	}
	return nil
}

// checker knows what gives access to what, in the world as the plan leaves it.
type checker struct {
	world    *match.World
	granting []*schema.Kind                           // the kinds that give access, by name
	within   map[match.Thing]map[string][]*match.Node // their declared objects, by owner and kind
	leaving  map[match.Identity]bool                  // what exclusive blocks remove
}

func newChecker(w *match.World) *checker {
	c := &checker{world: w, within: map[match.Thing]map[string][]*match.Node{}, leaving: map[match.Identity]bool{}}
	for _, k := range w.Kinds.Resources {
		if k.Admits() != "" && k.Set == nil {
			c.granting = append(c.granting, k)
		}
	}
	slices.SortFunc(c.granting, func(a, b *schema.Kind) int { return strings.Compare(a.Name, b.Name) })
	for _, n := range w.Planned() {
		if n.Kind().Admits() == "" || n.Owner() == nil || n.Status() == match.Pending && !n.Keyless() ||
			n.Status() == match.Skipped {
			continue
		}
		for _, t := range match.ThingsOf(n.Kind().Owner().RefKind(), n.Owner())[:1] {
			if c.within[t] == nil {
				c.within[t] = map[string][]*match.Node{}
			}
			c.within[t][n.Kind().Name] = append(c.within[t][n.Kind().Name], n)
		}
	}
	unplaced := w.Unplaced()
	for x, s := range w.Claims() {
		if x.Kind.Admits() == "" {
			continue
		}
		objs, _ := w.Strays(x, unplaced)
		for _, o := range objs {
			c.leaving[match.IdentityOf(x.Kind, s.Collection(), o.ID)] = o.Note == ""
		}
	}
	return c
}

// check has a change wait for what gives access to all that it is to name, or
// blocks its object where something has none.
func (c *checker) check(of *plan.Change) {
	n := c.world.Node(of.Addr)
	if !of.Changes() || n.Owner() == nil || n.Status() == match.Blocked {
		return
	}
	k := c.world.Kind(n.Kind().Owner().RefKind())
	for a, v := range of.After.Value.All() {
		if !a.NeedsAccess() || !sends(of, a) {
			continue
		}
		for _, who := range schema.Refs(v) {
			q := &query{checker: c, kind: c.world.Kind(a.RefKind()), who: who, seen: map[match.Thing]bool{}}
			switch ok := q.hasAccess(k, n.Owner()) || q.isBelow(k, n.Owner()); {
			case ok:
				for _, by := range q.by {
					of.Needs = plan.AddNeed(of.Needs, by)
				}
			case q.unread:
			case q.blocked != nil:
				n.Blame(a, fmt.Sprintf("%s, by which %s has access to %s %s, cannot be planned",
					q.blocked.Addr(), who, k.Name, n.Owner()), q.blocked.Addr())
			case !q.unknown:
				n.Blame(a, q.refusal(a, k, n.Owner()))
			}
		}
	}
}

// sends reports whether a change sends an attribute.
func sends(c *plan.Change, a *schema.Attr) bool {
	return c.Action == plan.Create || c.Action == plan.Replace ||
		slices.ContainsFunc(c.Paths, func(p plan.PathChange) bool { return p.Attr == a })
}
