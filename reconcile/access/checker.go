package access

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// Check blocks the declared objects whose changes name a user or group without access, or leaves
// out the reference where hosts do, blocks those that refer to an object without an ability that
// hosts require, and makes other changes wait for the objects that grant access. It calls read for
// each wave of reads, and returns its error. changed reports that references were left out, so that
// the changes have to be made again.
func Check(
	ctx context.Context, w *match.World, changes []plan.Change, read func(context.Context) error,
) (changed bool, _ error) {
	planned := map[addr.Instance]*plan.Change{}
	for i := range changes {
		planned[changes[i].Addr] = &changes[i]
	}
	for more := true; more; {
		c := newChecker(w)
		for i := range changes {
			c.check(&changes[i])
			c.checkAbilities(&changes[i], planned)
		}
		if more = w.WantsReading(); more {
			if err := read(ctx); err != nil {
				return false, err
			}
			w.ForgetWanted()
		}
		changed = changed || c.changed
	}
	return changed, nil
}

// checker finds who has access to what in the planned world.
type checker struct {
	world    *match.World
	granting []*schema.Kind                            // the kinds that grant access, sorted by name
	within   map[match.RefKey]map[string][]*match.Node // their declared objects by owner and kind
	removals map[match.Identity]bool                   // strays that exclusive blocks delete
	changed  bool                                      // references were left out
}

func newChecker(w *match.World) *checker {
	c := &checker{world: w, within: map[match.RefKey]map[string][]*match.Node{}, removals: map[match.Identity]bool{}}
	for _, k := range w.Kinds.Resources {
		if k.Admits() != "" && k.Set == nil {
			c.granting = append(c.granting, k)
		}
	}
	slices.SortFunc(c.granting, func(a, b *schema.Kind) int { return strings.Compare(a.Name, b.Name) })
	for _, n := range w.Planned() {
		if n.Kind().Admits() == "" || n.Owner() == nil || n.Status() == match.Pending && !n.KeyUnknown() ||
			n.Status() == match.Skipped {
			continue
		}
		for _, t := range match.RefKeys(n.Kind().Owner().RefKind(), n.Owner())[:1] {
			if c.within[t] == nil {
				c.within[t] = map[string][]*match.Node{}
			}
			c.within[t][n.Kind().Name] = append(c.within[t][n.Kind().Name], n)
		}
	}
	unmatched := w.Unmatched()
	for x, s := range w.Claims() {
		if x.Kind.Admits() == "" {
			continue
		}
		objs, _ := w.Strays(x, unmatched)
		for _, o := range objs {
			c.removals[match.IdentityOf(x.Kind, s.Collection(), o.ID)] = o.Note == ""
		}
	}
	return c
}

// check makes a change wait for the objects that grant access to the users and groups it names, or
// blocks it if one has no access.
func (c *checker) check(of *plan.Change) {
	n := c.world.Node(of.Addr)
	if !of.Changes() || n.Owner() == nil || n.Status() == match.Blocked {
		return
	}
	k := c.world.Kind(n.Kind().Owner().RefKind())
	for a, v := range of.After.Value.All() {
		if a.OnlySelf() && sends(of, a) {
			c.checkSelf(n, a, v)
		}
		if !a.NeedsAccess() || !sends(of, a) {
			continue
		}
		for _, subject := range schema.Refs(v) {
			q := &query{checker: c, kind: c.world.Kind(a.RefKind()), subject: subject, seen: map[match.RefKey]bool{}}
			switch ok := q.hasAccess(k, n.Owner()) || q.isBelow(k, n.Owner()); {
			case ok:
				for _, by := range q.by {
					of.Needs = plan.AddNeed(of.Needs, by)
				}
			case q.unread:
			case q.blocked != nil:
				n.BlockAttribute(a, fmt.Sprintf("%s, which gives %s access to %s %s, cannot be planned",
					q.blocked.Addr(), subject, k.Name, n.Owner()), q.blocked.Addr())
			case !q.unknown:
				c.report(n, a, subject, q.missing(a, k, n.Owner()))
			}
		}
	}
}

// checkSelf blocks a reference that would have to lead to the token's own user.
func (c *checker) checkSelf(n *match.Node, a *schema.Attr, v cty.Value) {
	self := &schema.Ref{ID: c.world.Self.ID, Path: c.world.Self.Username}
	if r := schema.AsRef(v); r != nil && !r.Same(self) {
		n.BlockAttribute(a, fmt.Sprintf("hosts set %s only to the user of the token, %s, and not to %s. Apply with a "+
			"token of %[3]s, or remove %[1]s", a.Name, self.Path, r))
	}
}

// report does what the host does with a user or group without access: it blocks the object, leaves
// out the reference, or only notes it.
func (c *checker) report(n *match.Node, a *schema.Attr, subject *schema.Ref, missing missing) {
	switch a.Outsiders() {
	case schema.OmitOutsiders:
		c.changed = true
		rest := ""
		if n.Omit(a, subject) == 0 {
			rest = ", which leaves none"
		}
		c.world.Note("%s: %s. The host leaves out such a %s, and so does hew%s. %s.", n.Addr(), missing.what,
			missing.kind, rest, missing.remedy)
	case schema.KeepOutsiders:
		c.world.Note("%s: %s. The host accepts the %s, but its members get no access by this. %s.", n.Addr(),
			missing.what, missing.kind, missing.remedy)
	default:
		n.BlockAttribute(a, fmt.Sprintf("%s. The host would reject or ignore the %s. %s", missing.what, missing.kind,
			missing.remedy))
	}
}

// sends reports whether a change sends an attribute.
func sends(c *plan.Change, a *schema.Attr) bool {
	return c.Action == plan.Create || c.Action == plan.Replace ||
		slices.ContainsFunc(c.Paths, func(p plan.PathChange) bool { return p.Attr == a })
}
