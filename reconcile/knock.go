package reconcile

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/schema"
)

// knock is the question whether something has access to a thing. It errs on the
// side of yes: the members of a group that is let in are, with those of the groups
// around it, even where a host counts only the direct ones.
type knock struct {
	*gate
	of   *schema.Kind
	what *schema.Ref
	seen map[thing]bool // where it was asked already

	by    []addr.Instance // what lets it in and is declared
	goes  bool            // something lets it in, and goes by this plan
	shut  *node           // what would let it in, and cannot be planned
	later bool            // something is yet to be read
	vague bool            // something cannot be read
}

// into tells whether it has access to at: it is that or around that, or it is let
// in there, by itself or with the group that it is in.
func (q *knock) into(k *schema.Kind, at *schema.Ref) bool {
	ways := called(k.Name, at)
	if len(ways) == 0 {
		q.vague = true
		return false
	}
	if q.seen[ways[0]] {
		return false
	}
	q.seen[ways[0]] = true
	if k == q.of && at.Same(q.what) {
		return true
	}
	for _, keeper := range q.keepers {
		if keeper.Owner().RefKind() == k.Name && (q.declared(keeper, ways[0]) || q.live(keeper, at)) {
			return true
		}
	}
	if at.ID == "" && q.node(k.Name, at) == nil {
		q.vague = true
		return false
	}
	parent, known := q.above(k, at)
	q.later = q.later || !known
	return parent != nil && q.into(q.kind(k.Attr(k.Tree.Owner).RefKind()), parent)
}

// declared asks the declared objects of a kind that are in a thing.
func (q *knock) declared(keeper *schema.Kind, at thing) bool {
	for _, n := range q.within[at][keeper.Name] {
		switch {
		case light(n.want.Object):
		case !q.meant(keeper, n.want.Object):
		case n.status == blocked:
			q.shut = n
		default:
			q.by = append(q.by, n.want.Addr)
			return true
		}
	}
	return false
}

// live asks the live ones that nobody declares. Who makes a thing may be let in by
// that.
func (q *knock) live(keeper *schema.Kind, at *schema.Ref) bool {
	if at.ID == "" {
		q.vague = q.vague || q.what.ID == q.self.ID || strings.EqualFold(q.what.Path, q.self.Username)
		return false
	}
	c := q.list(keeper, keeper.In(at.ID))
	if c == nil || c.state != schema.Present {
		q.later, q.vague = q.later || c == nil, true
		return false
	}
	for _, i := range q.candidates(keeper, c) {
		id := identityOf(keeper, c.query.Collection, c.objs[i].ID)
		switch n := q.claims[id]; {
		case n != nil && n.status == matched && !n.witness: // it will be as declared
		case c.objs[i].State == schema.Invited || light(c.objs[i]) || !q.meant(keeper, c.objs[i]):
		case q.leaves[id] || q.leaving[id]:
			q.goes = true
		default:
			return true
		}
	}
	return false
}

// candidates are the objects of a list that can be what lets it in.
func (q *knock) candidates(keeper *schema.Kind, c *collection) []int {
	if a := keeper.Attr(keeper.Admits()); a.RefKind() == q.of.Name {
		return c.match(a, keyTexts(a, schema.RefVal(q.what)))
	}
	return c.everything()
}

// meant tells whether an object lets it in, or a group that lets it in.
func (q *knock) meant(keeper *schema.Kind, o schema.Object) bool {
	who := schema.AsRef(o.Get(keeper.Admits()))
	k := q.kind(keeper.Attr(keeper.Admits()).RefKind())
	switch {
	case who == nil:
		q.vague = true
		return false
	case k == q.of:
		return who.Same(q.what)
	}
	return nests(k) && !nests(q.of) && q.into(k, who)
}

// nests tells whether things of a kind are in one another.
func nests(k *schema.Kind) bool { return k.Tree != nil && k.Tree.Owner != "" }

// light tells whether an object weighs too little to let anything in.
func light(o schema.Object) bool {
	weight := o.Kind.Weight(o)
	return weight > 0 && weight < o.Kind.LeastLevel()
}

// below tells whether it is in at: who is asked for a group may be asked in what
// is below that.
func (q *knock) below(k *schema.Kind, at *schema.Ref) bool {
	return k == q.of && q.named(k, q.what) && q.named(k, at) && beneath(q.what, at)
}

// named makes sure that a reference has a path.
func (q *knock) named(k *schema.Kind, r *schema.Ref) bool {
	if r.Path != "" {
		return true
	}
	reading, known := q.look(askFor(k, r))
	if len(reading.Objects) > 0 {
		q.learn(r, k, reading.Objects[0])
	}
	q.later = q.later || !known
	return r.Path != ""
}

// refusal says who has no access to what, and what gives it.
func (q *knock) refusal(a *schema.Attr, k *schema.Kind, at *schema.Ref) string {
	has := "has no access to %s %s, neither as it is nor by this plan"
	if q.goes {
		has = "loses its access to %s %s by this plan"
	}
	return fmt.Sprintf("the %s %q in %s %s: the host would refuse it, or leave it out without a word; declare a %s for it, or take it out",
		q.of.Name, q.what, a.Name, fmt.Sprintf(has, k.Name, at), strings.Join(q.doorsTo(k), " or a "))
}

// doorsTo names the kinds that would let it into a thing of kind k, or into what
// is around that.
func (q *knock) doorsTo(k *schema.Kind) (names []string) {
	for _, keeper := range q.keepers {
		owner := keeper.Owner().RefKind()
		if keeper.Attr(keeper.Admits()).RefKind() == q.of.Name && (owner == k.Name || owner == ownerKind(k)) {
			names = append(names, keeper.Name)
		}
	}
	slices.Reverse(names) // the nearest first: owners' kinds are named that way
	return names
}
