package reconcile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/plan"
	"hew/schema"
)

// Hosts leave out without a word whoever is named where only those with access
// count: an approver who is no member. So whatever is about to be written there is
// looked for first, in the world as the plan leaves it: what is live, plus what is
// declared, without what goes. What does not change is not looked for, so it costs
// no reading; and where something cannot be read the host has the last word.

// admit blocks what names somebody without access. It returns whether there is
// something to settle once more.
func (r *Run) admit(ctx context.Context) (again bool, err error) {
	if r.opts.Mode == Drift {
		return false, nil // nothing is written
	}
	w := r.world
	for more := true; more; {
		g := newGate(w)
		for i := range r.made {
			g.pass(&r.made[i])
		}
		if more = !w.wave.empty(); more {
			if err := r.read(ctx); err != nil {
				return false, err
			}
			w.wave.clear()
		}
	}
	return w.publishBlocked(), nil
}

// gate knows who lets whom in.
type gate struct {
	*world
	keepers []*schema.Kind               // the kinds that let something in, by name
	within  map[thing]map[string][]*node // their declared objects, by owner and kind
	leaving map[identity]bool            // what exclusive blocks remove
}

func newGate(w *world) *gate {
	g := &gate{world: w, within: map[thing]map[string][]*node{}, leaving: map[identity]bool{}}
	for _, k := range w.kinds.Resources {
		if k.Admits() != "" && k.Set == nil {
			g.keepers = append(g.keepers, k)
		}
	}
	slices.SortFunc(g.keepers, func(a, b *schema.Kind) int { return strings.Compare(a.Name, b.Name) })
	for _, n := range w.order {
		if n.kind().Admits() == "" || n.owner == nil || n.status == pending && !n.keyless || n.status == skipped {
			continue
		}
		for _, t := range called(n.kind().Owner().RefKind(), n.owner)[:1] {
			if g.within[t] == nil {
				g.within[t] = map[string][]*node{}
			}
			g.within[t][n.kind().Name] = append(g.within[t][n.kind().Name], n)
		}
	}
	unplaced := w.unplaced()
	for i := range w.res.Exclusives {
		x := &w.res.Exclusives[i]
		if x.Kind.Admits() == "" {
			continue
		}
		objs, _ := w.strange(x, unplaced)
		for _, o := range objs {
			g.leaving[identityOf(x.Kind, w.claimants[x.Addr].coll, o.ID)] = o.Note == ""
		}
	}
	return g
}

// pass lets a change through if all that it is to name has access, or is going to
// have it: the change waits for that.
func (g *gate) pass(c *plan.Change) {
	n := g.nodes[c.Addr]
	if !c.Changes() || n.owner == nil || n.status == blocked {
		return
	}
	k := g.kind(n.kind().Owner().RefKind())
	for a, v := range c.After.Value.All() {
		if !a.NeedsAccess() || !writes(c, a) {
			continue
		}
		for _, what := range schema.Refs(v) {
			e := &knock{gate: g, of: g.kind(a.RefKind()), what: what, seen: map[thing]bool{}}
			switch in := e.into(k, n.owner) || e.below(k, n.owner); {
			case in:
				for _, by := range e.by {
					c.Needs = needing(c.Needs, by)
				}
			case e.later:
			case e.shut != nil:
				n.blame(a, fmt.Sprintf("%s, by which %s has access to %s %s, cannot be planned", e.shut.want.Addr, what, k.Name, n.owner), e.shut.want.Addr)
			case !e.vague:
				n.blame(a, e.refusal(a, k, n.owner))
			}
		}
	}
}

// writes tells whether a change sends an attribute.
func writes(c *plan.Change, a *schema.Attr) bool {
	return c.Action == plan.Create || c.Action == plan.Replace || slices.ContainsFunc(c.Paths, func(p plan.PathChange) bool { return p.Attr == a })
}
