package plan

import (
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/graph"
	"hew/schema"
)

// AlongName is a name that is unique along a tree of groups, and the path of the owner of the
// object that holds it. See schema.Unique.
type AlongName struct{ Kinds, Text, Owner string }

// Within returns the name without its tree, as Describe takes it.
func (n AlongName) Within() Name { return Name{text: n.Text} }

// Collides reports whether the host refuses two objects with these names: one's owner is in the
// other's.
func (n AlongName) Collides(o AlongName) bool {
	if n.Kinds != o.Kinds || n.Text != o.Text || strings.EqualFold(n.Owner, o.Owner) {
		return false
	}
	a, b := strings.ToLower(n.Owner)+"/", strings.ToLower(o.Owner)+"/"
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// AlongAfter returns the names of this sort that the object has after the change.
func (c *Change) AlongAfter() []AlongName {
	if c.Action == Delete || c.After.Kind == nil {
		return nil
	}
	return c.along(c.final())
}

func (c *Change) alongBefore() []AlongName {
	if c.Before.Kind == nil {
		return nil
	}
	return c.along(c.Before)
}

func (c *Change) along(o schema.Object) (names []AlongName) {
	for _, u := range c.Kind.Unique {
		if u.Along == "" {
			continue
		}
		for _, text := range u.Names(o) {
			names = append(names, AlongName{u.Along, text, c.Owner})
		}
	}
	return names
}

// alongEdges orders a change that frees a name along a tree before those that take it elsewhere in
// the tree.
func alongEdges(g *graph.Graph[addr.Instance], changes []Change) {
	type freed struct {
		name AlongName
		by   *Change
	}
	frees := map[[2]string][]freed{}
	for i := range changes {
		c := &changes[i]
		if !c.Changes() {
			continue
		}
		for _, n := range without(c.alongBefore(), c.AlongAfter()) {
			frees[[2]string{n.Kinds, n.Text}] = append(frees[[2]string{n.Kinds, n.Text}], freed{n, c})
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
		for _, n := range without(c.AlongAfter(), c.alongBefore()) {
			for _, f := range frees[[2]string{n.Kinds, n.Text}] {
				if n.Collides(f.name) {
					g.AddEdge(c.Addr, f.by.Addr)
				}
			}
		}
	}
}
