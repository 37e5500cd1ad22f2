package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/graph"
	"hew/schema"
)

// A name is free once the object that holds it is renamed, moved or deleted, so changes that free
// names come before changes that take them.

// Name is a name that at most one object can have at a time: a full path, or a unique name within a
// collection. See schema.Unique.
type Name struct{ scope, text string }

// pathScope is the scope of full paths, which groups, projects and users share.
const pathScope = "paths"

// IsPath reports whether the name is a full path.
func (n Name) IsPath() bool { return n.scope == pathScope }

// IsKey reports whether a kind recognizes its objects by the name.
func (n Name) IsKey(k *schema.Kind) bool {
	attr, _, _ := strings.Cut(n.text, "=")
	return n.IsPath() || slices.Contains(k.Match.Keys, attr)
}

// Describe returns a name that the change takes or declares, for messages: path "acme/API", or the
// attributes with their values.
func (c *Change) Describe(n Name) string {
	if n.IsPath() {
		return fmt.Sprintf("path %q", c.Path(c.After))
	}
	o := c.final()
	for _, u := range c.Kind.Unique {
		if !slices.Contains(u.Names(o), n.text) {
			continue
		}
		words := make([]string, len(u.Attrs))
		for i, attr := range u.Attrs {
			words[i] = attr + " " + shownName(o.Kind.Attr(attr), u.Value(o, attr))
		}
		return strings.Join(words, " and ")
	}
	return n.text
}

// Frees returns the names that the object has before the change and not after it.
func (c *Change) Frees() []Name { return without(c.namesBefore(), c.namesAfter()) }

// Takes returns the names that the object has after the change and not before it, as far as they
// are known.
func (c *Change) Takes() []Name { return without(c.namesAfter(), c.namesBefore()) }

func without[T comparable](names, others []T) []T {
	return slices.DeleteFunc(names, func(n T) bool { return slices.Contains(others, n) })
}

// namesBefore returns the names that the change can free: none of an object that the host only
// marks for deletion.
func (c *Change) namesBefore() []Name {
	if c.Before.Kind == nil || c.Action == Delete && c.Kind.Soft {
		return nil
	}
	return NamesOf(c.Before, c.Collection)
}

func (c *Change) namesAfter() []Name {
	if c.Action == Delete || c.Action == Release || c.After.Kind == nil {
		return nil
	}
	return NamesOf(c.final(), c.FinalCollection())
}

// Declares returns the names that configuration gives the object: unlike Takes, also those that it
// has already, and those in an owner that does not exist yet.
func (c *Change) Declares() (names []Name) {
	if c.Action == Delete || c.Action == Release || c.After.Kind == nil {
		return nil
	}
	scope := c.FinalCollection().Path
	switch {
	case scope == "":
		scope = c.Kind.Collection + " of " + strings.ToLower(c.Owner)
	case scope == c.Kind.Root && c.Kind.Owner() != nil:
		return nil // names of top-level groups can repeat
	}
	final := c.final()
	for _, u := range c.Kind.Unique {
		kept := u.Names(final)
		for _, text := range u.Names(c.After) {
			if slices.Contains(kept, text) {
				names = append(names, Name{scope, text})
			}
		}
	}
	return names
}

// final returns the object after the change: what it declares, and what it has of everything else.
func (c *Change) final() schema.Object {
	if c.Before.Kind == nil || c.Action == Create || c.Action == Replace {
		return c.After
	}
	o := c.Before
	o.Value = c.Before.Value.Clone()
	for a, v := range c.After.Value.All() {
		if !v.IsNull() {
			o.Value.Set(a, KeepIgnored(c.Desired(), a, v, c.Before))
		}
	}
	for _, p := range c.Paths {
		if p.After != cty.NilVal && !schema.Stated(c.After, p.Attr.Name) {
			o.Value.Set(p.Attr, p.After)
		}
	}
	return o
}

// FinalCollection returns the collection of the object after the change, zero while its owner does
// not exist.
func (c *Change) FinalCollection() schema.Collection {
	a := c.Kind.Owner()
	if a == nil || c.Desired() == nil {
		return c.Collection
	}
	owner := schema.AsRef(KeepIgnored(c.Desired(), a, c.After.Get(a.Name), c.Before))
	switch {
	case owner == nil:
		return c.Collection
	case owner.ID == "":
		return schema.Collection{}
	}
	return c.Kind.In(owner.ID)
}

// NamesOf returns the names of an object in a collection, none of a collection that does not exist.
func NamesOf(o schema.Object, in schema.Collection) (names []Name) {
	if t := o.Kind.Tree; t != nil {
		if path := schema.Text(o.Get(t.Full)); path != "" {
			names = append(names, Name{pathScope, strings.ToLower(path)})
		}
	}
	if in == (schema.Collection{}) || in.Path == o.Kind.Root && o.Kind.Owner() != nil {
		return names // names of top-level groups can repeat
	}
	for _, text := range o.Kind.UniqueNames(o) {
		names = append(names, Name{in.Path, text})
	}
	return names
}

// nameEdges orders a change that frees a name before the one that takes it.
func nameEdges(g *graph.Graph[addr.Instance], changes []Change) {
	frees := map[Name]addr.Instance{}
	for i := range changes {
		if c := &changes[i]; c.Changes() {
			for _, n := range c.Frees() {
				frees[n] = c.Addr
			}
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
		for _, n := range c.Takes() {
			if by, freed := frees[n]; freed && by != c.Addr {
				g.AddEdge(c.Addr, by)
			}
		}
	}
}

// shownName returns a value of a name as it is written in configuration, unless it is secret.
func shownName(a *schema.Attr, v cty.Value) string {
	if r := schema.AsRef(v); r != nil {
		return r.String()
	}
	if schema.IsSecret(v) {
		return "(secret)"
	}
	return schema.Encode(a.Published(v))
}
