package reconcile

import (
	"net/url"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/schema"
)

// Data sources over lists answer for the planned world: what is live, plus what
// is declared, minus what will be deleted.

// data is what the source reads, as it is stated.
func (s *source) data() *schema.Data { return s.kind().Data.For(s.want.Object) }

// deep tells whether the source is after what is in its owner at any depth.
func (s *source) deep() bool {
	of := s.data().Recursive
	return of != "" && isTrue(s.want.Object.Get(of))
}

// listed is the collection that a source lists, zero where its owner is not there
// yet; ok is false until that is known.
func (w *world) listed(n *source) (coll schema.Collection, ok bool) {
	defer func() { coll = n.asking(coll) }()
	d := n.data()
	of := w.kind(d.Of)
	switch text := n.want.Object.Get(d.Search); {
	case d.Search != "" && (text.IsNull() || !text.IsKnown()):
		return coll, false
	case d.Search != "":
		text, _ = text.Unmark()
		return d.Found(text.AsString()), true
	case d.Top != "" && !schema.Stated(n.want.Object, d.Owner):
		return d.In(of, "", n.deep()), true
	case !w.findOwner(&n.seeker, n.kind().Attr(d.Owner), 0):
		return coll, false
	case n.owner.ID == "":
		return coll, true
	}
	return d.In(of, n.owner.ID, n.deep()), true
}

// asking is the collection as far as the host filters it.
func (s *source) asking(coll schema.Collection) schema.Collection {
	for _, f := range s.data().Filters {
		arg, _ := s.want.Object.Get(f.Arg).UnmarkDeep()
		if f.Asks == "" || coll.Path == "" || arg.IsNull() || !arg.IsWhollyKnown() {
			continue
		}
		words := []string{schema.Text(arg)}
		if arg.CanIterateElements() {
			words = nil
			for _, v := range arg.AsValueSlice() {
				words = append(words, schema.Text(v))
			}
		}
		coll.Query = strings.TrimPrefix(coll.Query+"&"+url.Values{f.Asks: {strings.Join(words, ",")}}.Encode(), "&")
	}
	return coll
}

// hides tells whether the host, asked to filter, left an object out.
func (s *source) hides(o schema.Object, c *collection) bool {
	for _, f := range s.data().Filters {
		if f.Asks != "" && !s.want.Object.Get(f.Arg).IsNull() && c != nil {
			_, shown := c.find(o.ID)
			return !shown
		}
	}
	return false
}

// listing is what an owner has, and will have.
func (w *world) listing(n *source) reply {
	of := w.kind(n.data().Of)
	coll, ok := w.listed(n)
	if !ok {
		return nil
	}
	var c *collection
	if coll != (schema.Collection{}) {
		if c = w.list(of, coll); c == nil {
			return nil
		}
		if c.state != schema.Present {
			n.block(unreadable(of, n.owner, c.state, c.err))
			return nil
		}
	}
	if w.undecided(of) || w.unopened(n) {
		return nil
	}
	found, coming, ok := w.fromConfig(n, c)
	if !ok {
		return nil
	}
	found = append(found, w.fromHost(n, c)...)
	return func() map[string]cty.Value {
		all := slices.Clone(found)
		for _, m := range coming {
			all = append(all, item{m.called(), m.expected(), m.whole()})
		}
		return spread(n.kind(), n.data(), all)
	}
}

// fromConfig are the declared things that a source lists, those that are there and
// those that this run makes; ok is false until all of them are placed.
func (w *world) fromConfig(n *source, c *collection) (found []item, coming []*node, ok bool) {
	d := n.data()
	of := w.kind(d.Of)
	for _, m := range w.order {
		if m.kind() != of && (!n.deep() || m.kind().Name != d.Above) || !under(m, n.owner, n.deep()) {
			continue
		}
		switch {
		case m.status == pending:
			return nil, nil, false
		case m.invites() && m.live.ID == "":
		case m.status == missing && fits(d, n.want.Object, m.want.Object):
			coming = append(coming, m)
		case m.live.State == schema.Invited:
		case m.live.ID != "" && fits(d, n.want.Object, m.live) && !n.hides(m.live, c):
			found = append(found, item{m.called(), idValue(m.live.ID), m.live})
		}
	}
	return found, coming, true
}

// fromHost are the things that a source lists, nobody declares, and stay.
func (w *world) fromHost(n *source, c *collection) (found []item) {
	if c == nil {
		return nil
	}
	d := n.data()
	above := w.leavingAbove(n)
	for _, o := range c.objs {
		id := identityOf(w.kind(d.Of), c.query.Collection, o.ID)
		if w.claims[id] == nil && !w.leaves[id] && !above[o.ID] && o.State != schema.PendingDeletion && o.State != schema.Invited && fits(d, n.want.Object, o) {
			found = append(found, item{listedAs(o), idValue(o.ID), o})
		}
	}
	return found
}

// leavingAbove are the ids of what this run deletes elsewhere and a source lists
// all the same, as something from above. Of members nobody can tell: who is none
// there any more may be one by another group, which the list does not say.
func (w *world) leavingAbove(n *source) map[string]bool {
	d := n.data()
	of := w.kind(d.Of)
	if !n.deep() || of.LevelAttr() != "" {
		return nil
	}
	ids := map[string]bool{}
	for _, o := range w.orphans {
		if o.fate == remove && (o.kind == of || o.kind.Name == d.Above) {
			ids[o.live.ID] = true
		}
	}
	return ids
}

// called is the name by which a declared thing will be known.
func (n *node) called() string {
	switch {
	case n.kind().Tree != nil:
		return n.path()
	case n.live.ID != "":
		return listedAs(n.live)
	}
	return listedAs(n.want.Object)
}

// whole is all that is known of a declared thing: what the host says once it is
// made, and what is stated.
func (n *node) whole() schema.Object {
	if n.live.ID == "" {
		return n.want.Object
	}
	o := n.live
	o.Value = o.Value.Clone()
	for a, v := range n.want.Object.Value.All() {
		if _, said := o.Value.Get(a.Name); !said {
			o.Value.Set(a, v)
		}
	}
	return o
}

// listedAs is the key of an object in the one form that it has before and after
// it is made.
func listedAs(o schema.Object) string {
	if a, v, ok := o.Kind.Match.Key(o); ok && o.Kind.Tree == nil && a.Form.Norm != nil && !schema.IsSecret(v) {
		return schema.Text(a.Canonical(v))
	}
	return keyTitle(o)
}

// expected is the id that a declared thing will have: a member has its user's.
func (n *node) expected() cty.Value {
	ref := n.ref
	if a, _, ok := key(n.want.Object); ok && a.RefKind() != "" {
		ref = schema.AsRef(n.want.Object.Get(a.Name))
	}
	if ref.ID == "" {
		return config.Origin(n.want.Addr, cty.UnknownVal(cty.Number))
	}
	return idValue(ref.ID)
}

// named answers with the objects that a source lists by name.
func (w *world) named(n *source) reply {
	d := n.data()
	of := w.kind(d.Of)
	names, _ := n.want.Object.Get(d.Named).UnmarkDeep()
	if !names.IsWhollyKnown() {
		return nil
	}
	var found []item
	all := true
	for _, name := range names.AsValueSlice() {
		r, ok := w.look(schema.Ask{Kind: of, Key: name.AsString()})
		if !ok {
			all = false
			continue
		}
		o, why := there(of, &schema.Ref{Path: name.AsString()}, r)
		if why != "" {
			n.block(why)
			return nil
		}
		found = append(found, item{keyTitle(o), idValue(o.ID), o})
	}
	if !all {
		return nil
	}
	return func() map[string]cty.Value { return spread(n.kind(), d, found) }
}
