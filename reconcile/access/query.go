package access

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/match"
	"hew/schema"
)

// query is the question whether something has access to a thing. It errs on the
// side of yes: the members of a group with access have it, with those of the
// groups around it, even where a host counts only the direct ones.
type query struct {
	*checker
	kind *schema.Kind
	who  *schema.Ref
	seen map[match.Thing]bool // where it was asked already

	by      []addr.Instance // what gives access and is declared
	leaves  bool            // something gives access, and is deleted by this plan
	blocked *match.Node     // what would give access, and cannot be planned
	unread  bool            // something is yet to be read
	unknown bool            // something cannot be read
}

// hasAccess reports whether it has access to at: it is that or around that, or
// something gives it access there, by itself or with the group that it is in.
func (q *query) hasAccess(k *schema.Kind, at *schema.Ref) bool {
	things := match.ThingsOf(k.Name, at)
	if len(things) == 0 {
		q.unknown = true
		return false
	}
	if q.seen[things[0]] {
		return false
	}
	q.seen[things[0]] = true
	if k == q.kind && at.Same(q.who) {
		return true
	}
	for _, by := range q.granting {
		if by.Owner().RefKind() == k.Name && (q.grantedByDeclared(by, things[0]) || q.grantedByLive(by, at)) {
			return true
		}
	}
	if at.ID == "" && q.world.Target(k.Name, at) == nil {
		q.unknown = true
		return false
	}
	parent, known := q.world.OwnerAbove(k, at)
	q.unread = q.unread || !known
	return parent != nil && q.hasAccess(q.world.Kind(k.Attr(k.Tree.Owner).RefKind()), parent)
}

// grantedByDeclared reports whether a declared object of a kind, in a thing, gives
// access.
func (q *query) grantedByDeclared(by *schema.Kind, at match.Thing) bool {
	for _, n := range q.within[at][by.Name] {
		switch {
		case tooLight(n.Desired().Object):
		case !q.isFor(by, n.Desired().Object):
		case n.Status() == match.Blocked:
			q.blocked = n
		default:
			q.by = append(q.by, n.Addr())
			return true
		}
	}
	return false
}

// grantedByLive reports the same of the live objects that nobody declares. The
// user that makes a thing may have access by that.
func (q *query) grantedByLive(by *schema.Kind, at *schema.Ref) bool {
	if at.ID == "" {
		q.unknown = q.unknown || q.who.ID == q.world.Self.ID || strings.EqualFold(q.who.Path, q.world.Self.Username)
		return false
	}
	c := q.world.List(by, by.In(at.ID))
	if c == nil || !c.Present() {
		q.unread, q.unknown = q.unread || c == nil, true
		return false
	}
	for _, i := range q.candidates(by, c) {
		o := c.Objects()[i]
		id := match.IdentityOf(by, c.Location(), o.ID)
		switch n := q.world.DeclaredAs(id); {
		case n != nil && n.Status() == match.Matched && !n.Outside(): // it will be as declared
		case o.State == schema.Invited || tooLight(o) || !q.isFor(by, o):
		case q.world.IsLeaving(id) || q.leaving[id]:
			q.leaves = true
		default:
			return true
		}
	}
	return false
}

// candidates returns the indexes of the objects of a list that can give access.
func (q *query) candidates(by *schema.Kind, c *match.Collection) []int {
	if a := by.Attr(by.Admits()); a.RefKind() == q.kind.Name {
		return c.Match(a, match.KeyTexts(a, schema.RefVal(q.who)))
	}
	return c.AllIndexes()
}

// isFor reports whether an object gives access to it, or to a group that it is in.
func (q *query) isFor(by *schema.Kind, o schema.Object) bool {
	who := schema.AsRef(o.Get(by.Admits()))
	k := q.world.Kind(by.Attr(by.Admits()).RefKind())
	switch {
	case who == nil:
		q.unknown = true
		return false
	case k == q.kind:
		return who.Same(q.who)
	}
	return nests(k) && !nests(q.kind) && q.hasAccess(k, who)
}

// nests reports whether things of a kind are in one another.
func nests(k *schema.Kind) bool { return k.Tree != nil && k.Tree.Owner != "" }

// tooLight reports whether an object weighs too little to give access.
func tooLight(o schema.Object) bool {
	weight := o.Kind.Weight(o)
	return weight > 0 && weight < o.Kind.LeastLevel()
}

// isBelow reports whether it is a thing around at: a group has access to what is
// below it.
func (q *query) isBelow(k *schema.Kind, at *schema.Ref) bool {
	return k == q.kind && q.findPath(k, q.who) && q.findPath(k, at) && match.IsBelow(q.who, at)
}

// findPath makes sure that a reference has a path.
func (q *query) findPath(k *schema.Kind, r *schema.Ref) bool {
	if r.Path != "" {
		return true
	}
	reading, known := q.world.Look(match.AskFor(k, r))
	if len(reading.Objects) > 0 {
		q.world.LearnRef(r, k, reading.Objects[0])
	}
	q.unread = q.unread || !known
	return r.Path != ""
}

// refusal says who has no access to what, and what gives it.
func (q *query) refusal(a *schema.Attr, k *schema.Kind, at *schema.Ref) string {
	has := "has no access to %s %s, neither as it is nor by this plan"
	if q.leaves {
		has = "loses its access to %s %s by this plan"
	}
	return fmt.Sprintf("the %s %q in %s %s: the host would refuse it, or leave it out without a word; declare a %s "+
		"for it, or take it out",
		q.kind.Name, q.who, a.Name, fmt.Sprintf(has, k.Name, at), strings.Join(q.kindsGranting(k), " or a "))
}

// kindsGranting names the kinds that would give it access to a thing of kind k, or
// to what is around that.
func (q *query) kindsGranting(k *schema.Kind) (names []string) {
	for _, by := range q.granting {
		owner := by.Owner().RefKind()
		if by.Attr(by.Admits()).RefKind() == q.kind.Name && (owner == k.Name || owner == match.OwnerKind(k)) {
			names = append(names, by.Name)
		}
	}
	slices.Reverse(names) // the nearest first: owners' kinds are named that way
	return names
}
