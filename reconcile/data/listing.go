package data

import (
	"net/url"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/schema"
)

// Data sources over lists answer for the planned world: what is live, plus what
// is declared, minus what will be deleted.

// listedIn returns the collection that a source lists, zero where its owner is not
// there yet; ok is false until that is known.
func (s *Sources) listedIn(n *source) (coll schema.Collection, ok bool) {
	defer func() { coll = n.withFilters(coll) }()
	d := n.Query()
	of := s.world.Kind(d.Of)
	switch text := n.Desired().Object.Get(d.Search); {
	case d.Search != "" && (text.IsNull() || !text.IsKnown()):
		return coll, false
	case d.Search != "":
		text, _ = text.Unmark()
		return d.Found(text.AsString()), true
	case d.Top != "" && !schema.Stated(n.Desired().Object, d.Owner):
		return d.In(of, "", n.Recursive()), true
	case !s.world.FindOwner(n.Seeker, n.Kind().Attr(d.Owner), 0):
		return coll, false
	case n.Owner().ID == "":
		return coll, true
	}
	return d.In(of, n.Owner().ID, n.Recursive()), true
}

// withFilters returns the collection as far as the host filters it.
func (n *source) withFilters(coll schema.Collection) schema.Collection {
	for _, f := range n.Query().Filters {
		arg, _ := n.Desired().Object.Get(f.Arg).UnmarkDeep()
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

// leavesOut reports whether the host, asked to filter, left an object out.
func (n *source) leavesOut(o schema.Object, c *match.Collection) bool {
	for _, f := range n.Query().Filters {
		if f.Asks != "" && !n.Desired().Object.Get(f.Arg).IsNull() && c != nil {
			_, listed := c.Find(o.ID)
			return !listed
		}
	}
	return false
}

// listing answers with what an owner has, and will have.
func (s *Sources) listing(n *source) reply {
	w := s.world
	of := w.Kind(n.Query().Of)
	coll, ok := s.listedIn(n)
	if !ok {
		return nil
	}
	var c *match.Collection
	if coll != (schema.Collection{}) {
		if c = w.List(of, coll); c == nil {
			return nil
		}
		if !c.Present() {
			n.Block(c.Unreadable(n.Owner()))
			return nil
		}
	}
	if s.undecided(of) || s.mustWait(n) {
		return nil
	}
	found, coming, ok := s.fromConfig(n, c)
	if !ok {
		return nil
	}
	found = append(found, s.fromHost(n, c)...)
	return func() map[string]cty.Value {
		all := slices.Clone(found)
		for _, m := range coming {
			all = append(all, item{nameOf(m), expectedID(m), knownObject(m)})
		}
		return listValues(n.Kind(), n.Query(), all)
	}
}

// fromConfig returns the declared things that a source lists, those that are there and
// those that this run makes; ok is false until all of them are placed.
func (s *Sources) fromConfig(n *source, c *match.Collection) (found []item, coming []*match.Node, ok bool) {
	d := n.Query()
	of := s.world.Kind(d.Of)
	for _, m := range s.world.Planned() {
		if m.Kind() != of && (!n.Recursive() || m.Kind().Name != d.Above) || !m.WillBeIn(n.Owner(), n.Recursive()) {
			continue
		}
		live := m.Live()
		switch {
		case m.Status() == match.Pending:
			return nil, nil, false
		case m.Invites() && live.ID == "":
		case m.Status() == match.Missing && matchesFilters(d, n.Desired().Object, m.Desired().Object):
			coming = append(coming, m)
		case live.State == schema.Invited:
		case live.ID != "" && matchesFilters(d, n.Desired().Object, live) && !n.leavesOut(live, c):
			found = append(found, item{nameOf(m), idValue(live.ID), live})
		}
	}
	return found, coming, true
}

// fromHost returns the things that a source lists, nobody declares, and stay.
func (s *Sources) fromHost(n *source, c *match.Collection) (found []item) {
	if c == nil {
		return nil
	}
	d := n.Query()
	above := s.leavingAbove(n)
	for _, o := range c.Objects() {
		id := match.IdentityOf(s.world.Kind(d.Of), c.Location(), o.ID)
		if s.world.DeclaredAs(id) == nil && !s.world.IsLeaving(id) && !above[o.ID] &&
			o.State != schema.PendingDeletion &&
			o.State != schema.Invited && matchesFilters(d, n.Desired().Object, o) {
			found = append(found, item{listedAs(o), idValue(o.ID), o})
		}
	}
	return found
}

// leavingAbove returns the ids of what this run deletes elsewhere and a source lists
// all the same, as something from above. Of members nobody can tell: who is none
// there any more may be one by another group, which the list does not say.
func (s *Sources) leavingAbove(n *source) map[string]bool {
	d := n.Query()
	of := s.world.Kind(d.Of)
	if !n.Recursive() || of.LevelAttr() != "" {
		return nil
	}
	ids := map[string]bool{}
	for _, o := range s.world.Orphans() {
		if fate, _ := o.Decision(); fate == match.Remove && (o.Kind() == of || o.Kind().Name == d.Above) {
			ids[o.Live().ID] = true
		}
	}
	return ids
}

// nameOf returns the name by which a declared thing will be known.
func nameOf(n *match.Node) string {
	switch {
	case n.Kind().Tree != nil:
		return n.Path()
	case n.Live().ID != "":
		return listedAs(n.Live())
	}
	return listedAs(n.Desired().Object)
}

// knownObject returns all that is known of a declared thing: what the host says
// once it is made, and what is stated.
func knownObject(n *match.Node) schema.Object {
	o := n.Live()
	if o.ID == "" {
		return n.Desired().Object
	}
	o.Value = o.Value.Clone()
	for a, v := range n.Desired().Object.Value.All() {
		if _, ok := o.Value.Get(a.Name); !ok {
			o.Value.Set(a, v)
		}
	}
	return o
}

// listedAs returns the key of an object in the one form that it has before and after
// it is made.
func listedAs(o schema.Object) string {
	if a, v, ok := o.Kind.Match.Key(o); ok && o.Kind.Tree == nil && a.Form.Norm != nil && !schema.IsSecret(v) {
		return schema.Text(a.Canonical(v))
	}
	return match.KeyTitle(o)
}

// expectedID returns the id that a declared thing will have: a member has its
// user's.
func expectedID(n *match.Node) cty.Value {
	ref := n.Ref()
	if a, _, ok := match.Key(n.Desired().Object); ok && a.RefKind() != "" {
		ref = schema.AsRef(n.Desired().Object.Get(a.Name))
	}
	if ref.ID == "" {
		return config.Origin(n.Addr(), cty.UnknownVal(cty.Number))
	}
	return idValue(ref.ID)
}
