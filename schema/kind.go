package schema

import (
	"iter"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Kind is a sort of object: its attributes, where its objects are found and
// how a declared one is recognised among them.
type Kind struct {
	Name, Doc string
	// Collection is the API path that lists the objects of one owner, the
	// owner's attribute in braces, with a query where the plain list says too
	// much: "projects/{project}/hooks". Root is the collection of objects that
	// state no owner (top-level groups); its objects are looked up one by one,
	// for it may hold the whole instance.
	Collection, Root string
	Attrs            []Attr
	Match            Matcher
	// Called names the attribute by which others in the owner name an object whose
	// key is no name: a deploy key's title. Two may be called alike.
	Called string
	// Holds says how many objects a collection has.
	Holds Count
	// Blocks are other ways to write lists.
	Blocks []Block
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
	// collection (a member's access level); "" where all count alike. Owns and
	// Inherited are told in it.
	Weighs string
	// Owns is the weight from which an object owns what it is in, as owners of
	// a group do; 0 where weight has nothing to do with that.
	Owns int
	// Visible names the attribute that says who sees an object, "public" being
	// everybody.
	Visible string
	// Looser names the attributes by which less is asked of people after than
	// before: of who may approve, of how often. Under names the kind whose object
	// of the same key, in a group around it, an object must not be looser than.
	Looser func(before, after Object) []string
	Under  string
	// Admits names the reference to what an object lets into its owner, and into
	// all that is in that: a member's user, a share's group with its members. One
	// that weighs less than Least lets nobody in.
	Admits string
	Least  int
	// Spares names the reference whose object has the last word before something
	// that nobody declares is deleted: with a Note, or where it cannot be read,
	// the object stays. Lists of members do not tell bots from people.
	Spares string
	// Shared names the references to further owners, in whose collections the same
	// object is listed as well: it is declared in one of them.
	Shared string
	// Inherited lists what an owner passes on to what is below it, its id in
	// braces: "groups/{group}/members/all". An object may not weigh less than
	// what it inherits.
	Inherited string
	// Frozen names the boolean that makes an object read-only on the host
	// (archived): one that is so, and is not said to be, is left alone.
	Frozen string
	// Gated: not every host has it, by its edition, licence, version or settings. Of
	// any other kind a list that is not there is one that cannot be read.
	Gated bool
	// Soft: deleting marks the object and the host removes it later.
	Soft bool
	// Example is configuration that declares the kind as people would.
	Example string
	// Check finds what is wrong with stated values that each for itself are
	// right. Values may be unknown, and say nothing then.
	Check func(Object) []Problem
}

// Count says how many objects a collection has.
type Count uint8

// Many are listed. OneOrNone is by itself where the list would be, and is known
// by its owner. One is always there: it can be changed, and neither made nor
// deleted.
const (
	Many Count = iota
	OneOrNone
	One
)

// Problem is what is wrong with an attribute beside others, in words that go on
// from its name or stand alone. Attr may be a path into it, properties["url"].
// Word is a name in it that nothing has, among those that are Known; what was
// meant is proposed. Moot: what is stated has no effect there, so that nothing is
// lost without it.
type Problem struct {
	Attr, Text string
	Moot       bool
	Word       string
	Known      []string
}

// Tree says how an object's full path is made: the owner's full path, a slash
// and the segment. Full is the attribute that holds it, computed but for kinds
// without an owner, whose path is the segment itself (a user's name).
type Tree struct{ Owner, Segment, Full string }

// Block is a nested block, as others write it, for lists of the kind: each
// argument of it is an element of the list that Of names for it.
type Block struct {
	Name string
	Of   map[string]string // argument → attribute
}

// Set says how a set kind expands: each element of the map attribute Attr is
// an object of kind Element whose Key attribute is the map key, or its Mail
// attribute where that is an e-mail address. Exclusive names the boolean that
// claims the whole collection.
type Set struct{ Attr, Element, Key, Mail, Exclusive string }

// KeyFor is the attribute that a key of the map is stated as.
func (s *Set) KeyFor(key string) string {
	if s.Mail != "" && strings.Contains(key, "@") {
		return s.Mail
	}
	return s.Key
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

// Block returns the named nested block, or nil.
func (k *Kind) Block(name string) *Block {
	for i := range k.Blocks {
		if k.Blocks[i].Name == name {
			return &k.Blocks[i]
		}
	}
	return nil
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
