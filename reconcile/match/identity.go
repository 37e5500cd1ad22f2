package match

import (
	"strings"

	"hew/reconcile/addr"
	"hew/schema"
)

// Matches index the nodes and references. A declared object with a path is found by its path and,
// once matched, by its id. All references to one object share one Ref.
type Matches struct {
	byRefKey      map[RefKey]*Node
	byPath        map[string]*Node // by lower-case path, which groups, projects and users share
	refs          map[RefKey]*schema.Ref
	claimed       map[Identity]*Node
	keys          map[naturalKey]*Node          // by declared natural key
	byKindAndName map[string]map[string][]*Node // objects that siblings refer to
	refers        map[string]bool               // by kind: whether siblings refer to it
	grants        map[RefKey][]*Node            // by user or group; nil until first used

	peers        map[addr.Block][]*Node         // by group; nil until first used after an evaluation
	allLocated   map[addr.Block]bool            // the groups whose nodes are all located or blocked
	managed      map[addr.Block][]addr.Instance // ledger addresses by group; nil until first used
	exchanged    bool                           // entries were exchanged since orphans were decided
	peerDeferral Deferral                       // of nodes until their peers are located
}

// DeclaredAs returns the node that was matched to a live object, or nil.
func (m *Matches) DeclaredAs(id Identity) *Node { return m.claimed[id] }

// RefKey identifies the target of a reference: a kind, and either an id or a lower-case name or
// path.
type RefKey struct{ kind, id, name string }

// ByID returns the key of the object of a kind with the given id.
func ByID(kind, id string) RefKey { return RefKey{kind: kind, id: id} }

func byName(kind, name string) RefKey { return RefKey{kind: kind, name: strings.ToLower(name)} }

// RefKeys returns the keys under which the target of a reference may be found: its id, then its
// name.
func RefKeys(kind string, r *schema.Ref) (out []RefKey) {
	if r.ID != "" {
		out = append(out, ByID(kind, r.ID))
	}
	if r.Path != "" {
		out = append(out, byName(kind, r.Path))
	}
	return out
}

// Identity identifies one live object independently of its address: by its id within its collection
// or, for groups and projects, within its kind.
type Identity struct{ where, id string }

// IdentityOf returns the identity of the object with an id in a collection.
func IdentityOf(k *schema.Kind, coll schema.Collection, id string) Identity {
	if k.Tree != nil {
		return Identity{k.Name, id}
	}
	return Identity{coll.Path, id}
}
