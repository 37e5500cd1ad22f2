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

// This file answers data sources over lists.

// listCollection returns the collection that a source lists, zero if its owner does not exist yet.
// ok is false until that is known.
func (s *Sources) listCollection(n *source) (coll schema.Collection, ok bool) {
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
	case !s.world.FindOwner(n.Declaration, n.Kind().Attr(d.Owner), 0):
		return coll, false
	case n.Owner().ID == "":
		return coll, true
	}
	return d.In(of, n.Owner().ID, n.Recursive()), true
}

// withFilters returns the collection with the filters that the host applies.
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

// isFilteredOut reports whether the host's filters excluded an object.
func (n *source) isFilteredOut(o schema.Object, c *match.Collection) bool {
	for _, f := range n.Query().Filters {
		if f.Asks != "" && !n.Desired().Object.Get(f.Arg).IsNull() && c != nil {
			_, listed := c.Find(o.ID)
			return !listed
		}
	}
	return false
}

// answerList answers with the objects that an owner has and will have.
func (s *Sources) answerList(n *source) answerFunc {
	w := s.world
	of := w.Kind(n.Query().Of)
	coll, ok := s.listCollection(n)
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
	if s.hasUndecided(of) || s.mustWait(n) {
		return nil
	}
	found, planned, ok := s.fromConfig(n, c)
	if !ok {
		return nil
	}
	found = append(found, s.fromHost(n, c)...)
	return func() map[string]cty.Value {
		all := slices.Clone(found)
		for _, m := range planned {
			all = append(all, item{nameOf(m), expectedID(m), mergeKnown(m)})
		}
		return n.listValues(all)
	}
}

// fromConfig returns the declared objects that a source lists: those that exist, and those that
// this run creates. ok is false until all of them are matched.
func (s *Sources) fromConfig(n *source, c *match.Collection) (found []item, planned []*match.Node, ok bool) {
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
			planned = append(planned, m)
		case !live.State.LetsIn():
		case live.ID != "" && matchesFilters(d, n.Desired().Object, live) && !n.isFilteredOut(live, c):
			found = append(found, item{nameOf(m), idValue(live.ID), live})
		}
	}
	return found, planned, true
}

// fromHost returns the undeclared objects that a source lists and that stay.
func (s *Sources) fromHost(n *source, c *match.Collection) (found []item) {
	if c == nil {
		return nil
	}
	d := n.Query()
	above := s.deletedElsewhere(n)
	for _, o := range c.Objects() {
		id := match.IdentityOf(s.world.Kind(d.Of), c.Location(), o.ID)
		if s.world.DeclaredAs(id) == nil && !s.world.WillDelete(id) && !above[o.ID] &&
			o.State != schema.PendingDeletion &&
			o.State.LetsIn() && matchesFilters(d, n.Desired().Object, o) {
			found = append(found, item{listKey(o), idValue(o.ID), o})
		}
	}
	return found
}

// deletedElsewhere returns the ids of objects that this run deletes in other owners and that the
// source lists as inherited. It returns nil for members: a member removed from one group may still
// inherit membership from another.
func (s *Sources) deletedElsewhere(n *source) map[string]bool {
	d := n.Query()
	of := s.world.Kind(d.Of)
	if !n.Recursive() || of.LevelAttr() != "" {
		return nil
	}
	ids := map[string]bool{}
	for _, o := range s.world.Orphans() {
		if action, _ := o.Decision(); action == match.Remove && (o.Kind() == of || o.Kind().Name == d.Above) {
			ids[o.Live().ID] = true
		}
	}
	return ids
}

// nameOf returns the name under which a source lists a declared object.
func nameOf(n *match.Node) string {
	switch {
	case n.Kind().Tree != nil:
		return n.Path()
	case n.Live().ID != "":
		return listKey(n.Live())
	}
	return listKey(n.Desired().Object)
}

// mergeKnown returns the live attributes of a declared object, completed by its declared ones.
func mergeKnown(n *match.Node) schema.Object {
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

// listKey returns the key of an object in the form that is the same before and after it is created.
func listKey(o schema.Object) string {
	if a, v, ok := o.Kind.Match.Key(o); ok && o.Kind.Tree == nil && a.Form.Norm != nil && !schema.IsSecret(v) {
		return schema.Text(a.Canonical(v))
	}
	return match.KeyTitle(o)
}

// expectedID returns the id that a declared object will have. A member has its user's id.
func expectedID(n *match.Node) cty.Value {
	ref := n.Ref()
	if a, _, ok := match.Key(n.Desired().Object); ok && a.RefKind() != "" {
		ref = schema.AsRef(n.Desired().Object.Get(a.Name))
	}
	if ref.ID == "" {
		return config.MarkOrigin(n.Addr(), cty.UnknownVal(cty.Number))
	}
	return idValue(ref.ID)
}
