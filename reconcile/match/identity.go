package match

import (
	"strings"

	"hew/schema"
)

// Matches are which is which. A declared thing with a path is known by it and,
// once placed, by its id; whatever else is referred to has one Ref.
type Matches struct {
	byThing       map[Thing]*Node
	refs          map[Thing]*schema.Ref
	claimed       map[Identity]*Node
	keys          map[naturalKey]*Node          // natural keys declared so far
	byKindAndName map[string]map[string][]*Node // what siblings refer to
	refers        map[string]bool               // whether siblings refer to a kind
	grants        map[Thing][]*Node             // what gives a thing access to another; nil until somebody asks
}

// DeclaredAs returns the declared object that a live one stands for, nil for
// none.
func (m *Matches) DeclaredAs(id Identity) *Node { return m.claimed[id] }

// Thing is something of the host by kind and by id, or by its name or path in
// lower case.
type Thing struct{ kind, id, name string }

// ByID returns the thing of a kind that has an id.
func ByID(kind, id string) Thing { return Thing{kind: kind, id: id} }

func byName(kind, name string) Thing { return Thing{kind: kind, name: strings.ToLower(name)} }

// ThingsOf returns the ways to tell what a reference leads to: by its id, and by
// its name.
func ThingsOf(kind string, r *schema.Ref) (out []Thing) {
	if r.ID != "" {
		out = append(out, ByID(kind, r.ID))
	}
	if r.Path != "" {
		out = append(out, byName(kind, r.Path))
	}
	return out
}

// Identity names one live object whatever its address: the id within its
// collection, or within its kind where ids are the host's (groups, projects).
type Identity struct{ where, id string }

// IdentityOf returns the identity of the object that has an id in a collection.
func IdentityOf(k *schema.Kind, coll schema.Collection, id string) Identity {
	if k.Tree != nil {
		return Identity{k.Name, id}
	}
	return Identity{coll.Path, id}
}
