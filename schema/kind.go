package schema

import (
	"iter"
	"strings"
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
	// Members is set for kinds that let somebody into their owner.
	Members *Membership
	// Visible names the attribute that says who sees an object, "public" being
	// everybody.
	Visible string
	// Strict is set for kinds that ask something of people.
	Strict *Strictness
	// Shared names the references to further owners, in whose collections the same
	// object is listed as well: it is declared in one of them.
	Shared string
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
