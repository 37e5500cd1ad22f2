package access

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/match"
	"hew/schema"
)

// query asks whether a user or group has access to an object. In doubt it answers yes: all members
// of a group with access have access, including inherited members, although some hosts count only
// direct members.
type query struct {
	*checker
	kind    *schema.Kind
	subject *schema.Ref
	seen    map[match.RefKey]bool // the objects asked about so far

	by      []addr.Instance // declared objects that grant access
	removed bool            // an object that grants access is deleted by this plan
	blocked *match.Node     // an object that grants access, but is blocked
	unread  bool            // a read is pending
	unknown bool            // a read failed
}

// hasAccess reports whether the subject has access to at: it is at or contains it, or an object
// grants access directly or through a group.
func (q *query) hasAccess(k *schema.Kind, at *schema.Ref) bool {
	things := match.RefKeys(k.Name, at)
	if len(things) == 0 {
		q.unknown = true
		return false
	}
	if q.seen[things[0]] {
		return false
	}
	q.seen[things[0]] = true
	if k == q.kind && at.Same(q.subject) {
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

// grantedByDeclared reports whether a declared object of a kind in an owner grants access.
func (q *query) grantedByDeclared(by *schema.Kind, at match.RefKey) bool {
	for _, n := range q.within[at][by.Name] {
		switch {
		case belowLeastLevel(n.Desired().Object):
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

// grantedByLive reports whether an undeclared live object of a kind in an owner grants access. The
// creator of an object may have access as such.
func (q *query) grantedByLive(by *schema.Kind, at *schema.Ref) bool {
	if at.ID == "" {
		q.unknown = q.unknown || q.subject.ID == q.world.Self.ID ||
			strings.EqualFold(q.subject.Path, q.world.Self.Username)
		return false
	}
	c := q.world.List(by, by.In(at.ID))
	if c == nil || !c.Present() {
		q.unread, q.unknown = q.unread || c == nil, true
		return false
	}
	for _, i := range q.candidateIndexes(by, c) {
		o := c.Objects()[i]
		id := match.IdentityOf(by, c.Location(), o.ID)
		switch n := q.world.DeclaredAs(id); {
		case n != nil && n.Status() == match.Matched && !n.Excluded(): // grantedByDeclared checks it
		case !o.State.LetsIn() || belowLeastLevel(o) || !q.isFor(by, o):
		case q.world.WillDelete(id) || q.removals[id]:
			q.removed = true
		default:
			return true
		}
	}
	return false
}

// candidateIndexes returns the indexes of the objects in a list that can grant access.
func (q *query) candidateIndexes(by *schema.Kind, c *match.Collection) []int {
	if a := by.Attr(by.Admits()); a.RefKind() == q.kind.Name {
		return c.Match(a, a.KeyTexts(schema.RefVal(q.subject)))
	}
	return c.AllIndexes()
}

// isFor reports whether an object grants access to the subject, directly or through a group.
func (q *query) isFor(by *schema.Kind, o schema.Object) bool {
	subject := schema.AsRef(o.Get(by.Admits()))
	k := q.world.Kind(by.Attr(by.Admits()).RefKind())
	switch {
	case subject == nil:
		q.unknown = true
		return false
	case k == q.kind:
		return subject.Same(q.subject)
	}
	return nests(k) && !nests(q.kind) && q.hasAccess(k, subject)
}

// nests reports whether objects of a kind can contain each other.
func nests(k *schema.Kind) bool { return k.Tree != nil && k.Tree.Owner != "" }

// belowLeastLevel reports whether the level of an object is too low to grant access.
func belowLeastLevel(o schema.Object) bool {
	weight := o.Kind.Weight(o)
	return weight > 0 && weight < o.Kind.LeastLevel()
}

// isBelow reports whether at is below the subject. A group has access to everything in it.
func (q *query) isBelow(k *schema.Kind, at *schema.Ref) bool {
	return k == q.kind && q.hasPath(k, q.subject) && q.hasPath(k, at) && match.IsBelow(q.subject, at)
}

// hasPath reports whether the path of a reference is known, after looking it up.
func (q *query) hasPath(k *schema.Kind, r *schema.Ref) bool {
	if r.Path != "" {
		return true
	}
	reading, known := q.world.Lookup(match.AskFor(k, r))
	if len(reading.Objects) > 0 {
		q.world.LearnRef(r, k, reading.Objects[0])
	}
	q.unread = q.unread || !known
	return r.Path != ""
}

// missing is what to say about a user or group without access.
type missing struct{ what, kind, remedy string }

// missing returns that the subject, which an attribute names, has no access.
func (q *query) missing(a *schema.Attr, k *schema.Kind, at *schema.Ref) missing {
	has := "has no access to %s %s, and this plan does not grant it"
	if q.removed {
		has = "loses access to %s %s in this plan"
	}
	return missing{
		what: fmt.Sprintf("the %s %q in %s %s", q.kind.Name, q.subject, a.Name, fmt.Sprintf(has, k.Name, at)),
		kind: q.kind.Name,
		remedy: fmt.Sprintf("Declare a %s, or remove %q", strings.Join(q.kindsGranting(k), " or a "),
			q.subject),
	}
}

// kindsGranting returns the kinds whose objects can give the subject access to an object of kind k
// or to its owner.
func (q *query) kindsGranting(k *schema.Kind) (names []string) {
	for _, by := range q.granting {
		owner := by.Owner().RefKind()
		if by.Attr(by.Admits()).RefKind() == q.kind.Name && (owner == k.Name || owner == match.OwnerKind(k)) {
			names = append(names, by.Name)
		}
	}
	slices.Reverse(names) // the most specific kind first, which sorts last
	return names
}
