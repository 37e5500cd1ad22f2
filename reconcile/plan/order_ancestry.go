package plan

import (
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/graph"
	"hew/schema"
)

// AncestryName is a name that is unique among the owner of an object and the groups above and below
// it, with the path of that owner. See schema.Unique.
type AncestryName struct{ Kinds, Text, Owner string }

// Within returns the name without its owner, as Describe takes it.
func (n AncestryName) Within() Name { return Name{text: n.Text} }

// In returns the name of an object in a collection that has this name.
func (n AncestryName) In(coll schema.Collection) Name { return Name{coll.Path, n.Text} }

// Collides reports whether the host refuses two objects with these names: one's owner is in the
// other's.
func (n AncestryName) Collides(o AncestryName) bool {
	if n.Kinds != o.Kinds || n.Text != o.Text || strings.EqualFold(n.Owner, o.Owner) {
		return false
	}
	a, b := strings.ToLower(n.Owner)+"/", strings.ToLower(o.Owner)+"/"
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// AncestryAfter returns the names of this sort that the object has after the change.
func (c *Change) AncestryAfter() []AncestryName {
	if c.Action == Delete || c.After.Kind == nil {
		return nil
	}
	return c.ancestryNames(c.final())
}

func (c *Change) ancestryBefore() []AncestryName {
	if c.Before.Kind == nil {
		return nil
	}
	return c.ancestryNames(c.Before)
}

func (c *Change) ancestryNames(o schema.Object) (names []AncestryName) {
	for _, u := range c.Kind.Unique {
		if u.InAncestry == "" {
			continue
		}
		for _, text := range u.Names(o) {
			names = append(names, AncestryName{u.InAncestry, text, c.Owner})
		}
	}
	return names
}

// AncestryTaken returns the names that the object has after the change and not before it.
func (c *Change) AncestryTaken() []AncestryName {
	return without(c.AncestryAfter(), c.ancestryBefore())
}

// AncestryFreed returns the names that the object has before the change and not after it.
func (c *Change) AncestryFreed() []AncestryName {
	return without(c.ancestryBefore(), c.AncestryAfter())
}

// ancestryEdges orders a change that frees a name before those that take it in a group above or
// below.
func ancestryEdges(g *graph.Graph[addr.Instance], changes []Change) {
	type freed struct {
		name AncestryName
		by   *Change
	}
	type name struct{ kinds, text string }
	frees := map[name][]freed{}
	for i := range changes {
		c := &changes[i]
		if !c.Changes() {
			continue
		}
		for _, n := range c.AncestryFreed() {
			frees[name{n.Kinds, n.Text}] = append(frees[name{n.Kinds, n.Text}], freed{n, c})
		}
	}
	if len(frees) == 0 {
		return
	}
	for i := range changes {
		c := &changes[i]
		if !c.Changes() {
			continue
		}
		for _, n := range c.AncestryTaken() {
			for _, f := range frees[name{n.Kinds, n.Text}] {
				if n.Collides(f.name) {
					g.AddEdge(c.Addr, f.by.Addr)
				}
			}
		}
	}
}
