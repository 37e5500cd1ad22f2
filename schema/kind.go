package schema

import (
	"iter"
	"strings"
)

// Kind describes one sort of object: its attributes, where its objects are found
// and how a declared one is recognised among them.
type Kind struct {
	Name, Doc string
	// Collection is the API path that lists the objects of one owner, with the
	// owner's attribute in braces and a query if the plain list holds too much:
	// "projects/{project}/hooks". Root is the collection of objects that state no
	// owner (top-level groups). Its objects are looked up one by one, as it may hold
	// the whole instance.
	Collection, Root string
	Attrs            []Attr
	Match            Matcher
	// Unique lists what no two objects of a collection have in common, apart from the
	// full path of kinds with a Tree.
	Unique []Unique
	// Called names the attribute by which other objects of the owner refer to this
	// one if its key is not a name: a deploy key's title. It need not be unique.
	Called string
	// Holds is the number of objects in a collection.
	Holds Count
	// Blocks are nested blocks that stand for lists.
	Blocks []Block
	// Tree is set for kinds that have a path of their own (group, project).
	Tree *Tree
	// Set is set for kinds that stand for many objects of another kind
	// (group_members for group_member).
	Set *Set
	// Data is set for data sources that answer from a collection.
	Data *Data
	// Need is the least role that reads and writes the kind, as errors name it:
	// "Maintainer of the project".
	Need string
	// Members is set for kinds that let somebody into their owner.
	Members *Membership
	// Visible names the attribute that says who can see an object. "public" is
	// everybody.
	Visible string
	// Strict is set for kinds that ask something of people.
	Strict *Strictness
	// Protects is set for kinds whose objects restrict what people may do, such as
	// protected branches: a new one widens no access, and its deletion does.
	Protects bool
	// Shared names the references to further owners, whose collections list the same
	// object. It is declared in one of them.
	Shared string
	// Frozen names the bool that makes an object read-only on the host (archived). A
	// frozen object that is not declared frozen is left alone.
	Frozen string
	// Gated is set if hosts may lack the kind, by their edition, license, version or
	// settings. For any other kind, a missing list is an error.
	Gated bool
	// Features names the attributes of the owner that turn the kind off: where one of them is
	// "disabled" or false, hosts refuse the list, and there is nothing to declare.
	Features []string
	// Soft is set if a deletion marks the object, and the host removes it later.
	Soft bool
	// Example is configuration that declares the kind as people would.
	Example string
	// Check returns what is wrong with a combination of stated values, each of which
	// is right by itself. Unknown values are taken for right. It does not depend on the id of
	// the owner: it is not called again when that becomes known.
	Check func(Object) []Problem
}

// Count is the number of objects in a collection.
type Count uint8

// Many objects are listed. OneOrNone is a single object in the place of the list,
// identified by its owner. One always exists: it is updated, and neither created
// nor deleted.
const (
	Many Count = iota
	OneOrNone
	One
)

// Problem is what is wrong with an attribute in combination with others. Attr may
// be a path into it, properties["url"]. Text is a sentence. Word is an unknown name
// in it, for which the closest of the Known ones is suggested. Moot is set if the
// value has no effect, so that nothing is lost without it.
type Problem struct {
	Attr, Text string
	Moot       bool
	Word       string
	Known      []string
}

// Tree says how an object's full path is made: from the owner's full path, a slash
// and the segment. Full is the attribute that holds it. It is computed, except for
// kinds without an owner, whose path is the segment itself (a username).
type Tree struct{ Owner, Segment, Full string }

// Block is a nested block that stands for lists of the kind: each of its arguments
// is an element of the list that Of names for it.
type Block struct {
	Name string
	Of   map[string]string // argument → attribute
}

// Set says how a set kind expands: each element of the map attribute Attr is
// an object of kind Element whose Key attribute is the map key, or its Mail
// attribute where that is an e-mail address. Exclusive names the boolean that
// claims the whole collection.
type Set struct{ Attr, Element, Key, Mail, Exclusive string }

// KeyFor returns the attribute that a key of the map sets.
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
