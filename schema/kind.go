package schema

import (
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Mode says who sets an attribute.
type Mode uint8

// An attribute is set by the configuration if it likes, always, or never.
const (
	Optional Mode = iota
	Required
	Computed
)

// Default is what an attribute goes back to when its line is removed, given
// the object as it is. A nil Default means that none is known: the live value
// stays and is released.
type Default func(Object) cty.Value

// Value is a Default that does not depend on the object.
func Value(v cty.Value) Default { return func(Object) cty.Value { return v } }

// Attr is one row of a kind's table.
type Attr struct {
	// Name in configuration. Wire is the name on the API where it differs.
	Name, Wire string
	Doc        string
	// Type of a stated value. References and access levels take
	// cty.DynamicPseudoType: they are written as a name or as a number.
	Type    cty.Type
	Mode    Mode
	Default Default
	// Ref names the kind that the attribute refers to. A stated id, path or
	// user name is folded into one RefType value.
	Ref string
	// Fixed: a new value means a new object. Secret: never shown or stored,
	// never read back. Detail: missing from list answers, costs a read of the
	// single object.
	Fixed, Secret, Detail bool
	// Once: said only when the object is created (initialize_with_readme);
	// never compared or sent again.
	Once bool
	// Always: sent with every update. With: sent again when one of those
	// changes (a hook's token when its url does).
	Always bool
	With   []string
	// Norm maps a value to its canonical form; equality, digests and causes
	// work on it alone. Nil means the value as it is.
	Norm func(cty.Value) cty.Value
	// Words are all the texts that are accepted, where they can be listed.
	Words []string
	// Check refuses a stated value; the error says what would be accepted.
	Check func(cty.Value) error
	// Show renders a value for people where its HCL form says too little
	// (access levels). Nil means the HCL form.
	Show func(cty.Value) string
}

// WireName is the attribute's name on the API.
func (a *Attr) WireName() string {
	if a.Wire != "" {
		return a.Wire
	}
	return a.Name
}

// Kind is a sort of object: its attributes, where its objects are found and
// how a declared one is recognised among them.
type Kind struct {
	Name, Doc string
	// Collection is the API path that lists the objects of one owner, the
	// owner's attribute in braces, with a query where the plain list says too
	// much: "projects/{project}/hooks". Root is the
	// collection of objects that state no owner (top-level groups); its objects
	// are looked up one by one, for it may hold the whole instance.
	Collection, Root string
	Attrs            []Attr
	Match            Matcher
	// Tree is set for kinds that have a path of their own (group, project).
	Tree *Tree
	// Set is set for kinds that stand for many objects of another kind
	// (group_members for group_member).
	Set *Set
	// Data is set for data sources that answer from a collection.
	Data *Data
	// Need is the least role on the owner that reads and writes this kind, in
	// words, for errors: "Maintainer of the project".
	Need string
	// Weighs names the attribute that says what an object counts for in its
	// collection (a member's access level); "" where all count alike. Changes
	// that raise it go before those that lower it or delete.
	Weighs string
	// Inherited lists what an owner passes on to what is below it, its id in
	// braces: "groups/{group}/members/all". An object may not weigh less than
	// what it inherits.
	Inherited string
	// Frozen names the boolean that makes an object read-only on the host
	// (archived): one that is so, and is not said to be, is left alone.
	Frozen string
	// Soft: deleting marks the object and the host removes it later.
	Soft bool
}

// Tree says how an object's full path is made: the owner's full path, a slash
// and the segment. Full is the computed attribute that holds it.
type Tree struct{ Owner, Segment, Full string }

// Set says how a set kind expands: each element of the map attribute Attr is
// an object of kind Element whose Key attribute is the map key. Exclusive
// names the boolean that claims the whole collection.
type Set struct{ Attr, Element, Key, Exclusive string }

// Data says what a data source reads. Of names the kind of the objects: a
// resource, else the source itself.
type Data struct {
	Of string
	// Single: one object, found by the first stated of Keys ("id" by id, any
	// other as Ask.Key). Its attributes are the answer.
	Single bool
	Keys   []string
	// Else the objects of Owner's collection answer as ids, paths and By, the
	// attribute that maps path to id. The boolean argument Recursive, once
	// true, takes the collection Deep instead, which holds everything below
	// the owner.
	Owner, By       string
	Recursive, Deep string
	Filters         []Filter
}

// Filter keeps the objects that fit a stated argument. Live and declared
// objects go through it alike, so it asks the host for nothing and looks only
// at the attributes it Reads.
type Filter struct {
	Arg   string
	Reads []string
	Match func(o Object, arg cty.Value) bool
}

// In returns the collection that the source lists for an owner of the given
// id, of being the kind that Of names.
func (d *Data) In(of *Kind, owner string, recursive bool) Collection {
	if recursive {
		return expand(d.Deep, owner)
	}
	return of.In(owner)
}

// Attr returns the named attribute, or nil.
func (k *Kind) Attr(name string) *Attr {
	for i := range k.Attrs {
		if k.Attrs[i].Name == name {
			return &k.Attrs[i]
		}
	}
	return nil
}

// Owner returns the attribute that names the owner of the kind's collection,
// or nil for a kind that belongs to the instance.
func (k *Kind) Owner() *Attr {
	_, rest, ok := strings.Cut(k.Collection, "{")
	if !ok {
		return nil
	}
	name, _, _ := strings.Cut(rest, "}")
	return k.Attr(name)
}

// Arguments yields the attributes that configuration may state.
func (k *Kind) Arguments() iter.Seq[*Attr] {
	return func(yield func(*Attr) bool) {
		for i := range k.Attrs {
			if k.Attrs[i].Mode != Computed && !yield(&k.Attrs[i]) {
				return
			}
		}
	}
}

// In returns the collection of the given owner's objects, or the root
// collection where owner is "".
func (k *Kind) In(owner string) Collection {
	if owner == "" && strings.Contains(k.Collection, "{") {
		return Collection{Path: k.Root}
	}
	return expand(k.Collection, owner)
}

// Weight is what the object counts for in its collection, 0 where that is not
// known.
func (k *Kind) Weight(o Object) int {
	a := k.Attr(k.Weighs)
	if a == nil {
		return 0
	}
	v := a.Canonical(o.Get(a.Name))
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.Number {
		return 0
	}
	n, _ := v.AsBigFloat().Int64()
	return int(n)
}

// Above returns the collection of what the owner of the given id passes on.
func (k *Kind) Above(owner string) Collection { return expand(k.Inherited, owner) }

// expand fills the one variable of a collection and splits off the query.
func expand(template, owner string) Collection {
	path, query, _ := strings.Cut(template, "?")
	before, rest, ok := strings.Cut(path, "{")
	if ok {
		_, after, _ := strings.Cut(rest, "}")
		path = before + owner + after
	}
	return Collection{Path: path, Query: query}
}

// Catalog is all that a provider offers.
type Catalog struct {
	Resources, Sources map[string]*Kind
}

// NewCatalog indexes kinds by name. It panics on two of one name: that is a
// slip in the program, not in anybody's configuration.
func NewCatalog(resources, sources []*Kind) Catalog {
	index := func(kinds []*Kind) map[string]*Kind {
		m := make(map[string]*Kind, len(kinds))
		for _, k := range kinds {
			if m[k.Name] != nil {
				panic("two kinds named " + k.Name)
			}
			m[k.Name] = k
		}
		return m
	}
	return Catalog{index(resources), index(sources)}
}

// Named returns the kind that a reference of that name leads to: a resource,
// else what only a source knows (user), else nil.
func (c Catalog) Named(ref string) *Kind {
	if k := c.Resources[ref]; k != nil {
		return k
	}
	return c.Sources[ref]
}

// Names returns the sorted names of resource kinds, for suggestions and docs.
func (c Catalog) Names() []string { return sortedKeys(c.Resources) }

// SourceNames returns the sorted names of data sources.
func (c Catalog) SourceNames() []string { return sortedKeys(c.Sources) }

func sortedKeys(m map[string]*Kind) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Twins says what to do when several live objects have the declared key.
type Twins uint8

// Ambiguous twins block the declared object; Lowest takes the one with the
// lowest id and reports the others.
const (
	Ambiguous Twins = iota
	Lowest
)

// Matcher recognises a declared object among live ones by the first of its
// keys that the declared object states.
type Matcher struct {
	Keys  []string
	Twins Twins
}

// ByKey matches on the first stated of the named attributes.
func ByKey(names ...string) Matcher { return Matcher{Keys: names} }

// OnTwins returns the matcher with another answer to several matches.
func (m Matcher) OnTwins(t Twins) Matcher { m.Twins = t; return m }

// Key returns the attribute that identifies the object and its canonical
// value. ok is false where no key is stated or it is not known yet.
func (m Matcher) Key(o Object) (a *Attr, v cty.Value, ok bool) {
	for _, name := range m.Keys {
		if v, stated := o.Value.Get(name); stated && !v.IsNull() {
			a := o.Kind.Attr(name)
			n := a.Canonical(v)
			return a, n, n.IsWhollyKnown()
		}
	}
	return nil, cty.NilVal, false
}

// Canonical applies the attribute's Norm to an unmarked copy of v. An unknown
// value is its own canonical form.
func (a *Attr) Canonical(v cty.Value) cty.Value {
	v, _ = v.UnmarkDeep()
	if !v.IsWhollyKnown() {
		return v
	}
	if a.Norm != nil {
		return a.Norm(v)
	}
	if v.IsNull() && a.Type == cty.String {
		return cty.StringVal("") // the API answers null for an empty text
	}
	return v
}

// Stated tells whether the object's value of a needs sending or comparing:
// present and not null.
func Stated(o Object, name string) bool {
	v, ok := o.Value.Get(name)
	return ok && !v.IsNull()
}

// Triggers reports whether a change of the named attributes makes a be sent
// again.
func (a *Attr) Triggers(changed []string) bool {
	return a.Always || slices.ContainsFunc(a.With, func(w string) bool { return slices.Contains(changed, w) })
}
