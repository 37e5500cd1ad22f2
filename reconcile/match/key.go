package match

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Key returns the natural key within a collection. For an object with a path, it is the last
// segment, because the owner's path may be about to change.
func Key(o schema.Object) (*schema.Attr, cty.Value, bool) {
	if t := o.Kind.Tree; t != nil {
		return schema.ByKey(t.Segment).Key(o)
	}
	return o.Kind.Match.Key(o)
}

// naturalKey is a key value within a collection. beside holds the other attributes that identify an
// object of the kind.
type naturalKey struct {
	coll                      schema.Collection
	owner, beside, attr, text string
}

// keysOf returns the forms of an object's natural key in a collection, none while the key is
// unknown.
func keysOf(o schema.Object, in schema.Collection) (keys []naturalKey) {
	a, v, ok := Key(o)
	if !ok {
		return nil
	}
	id := naturalKey{coll: in, attr: a.Name}
	if len(o.Kind.Match.Also) > 0 {
		id.beside = fmt.Sprintf("%q", o.Kind.Match.Beside(o))
	}
	for _, t := range a.KeyTexts(v) {
		id.text = t
		keys = append(keys, id)
	}
	return keys
}

// liveKeys returns the forms of every natural key that a declaration of a live object could have: a
// kind can have several key attributes, and a host shows those that are not declared too.
func liveKeys(o schema.Object, in schema.Collection) []naturalKey {
	keys := keysOf(o, in)
	if len(o.Kind.Match.Keys) < 2 || o.Kind.Tree != nil {
		return keys
	}
	for _, name := range o.Kind.Match.Keys {
		alone := o
		alone.Value = schema.Sparse{}
		for a, v := range o.Value.All() {
			if a.Name == name || !slices.Contains(o.Kind.Match.Keys, a.Name) {
				alone.Value.Set(a, v)
			}
		}
		keys = append(keys, keysOf(alone, in)...)
	}
	return keys
}

// claimKey records n as the node with its key in its collection. If another node has the key, it
// reports a duplicate and returns false. A kind with Twins = Lowest allows several objects with one
// key; then only nodes without a ledger entry are duplicates.
func (w *World) claimKey(n *Node) bool {
	return w.claimKeys(n, func(other *Node) bool {
		return n.Kind().Match.Twins != schema.Lowest || other.entryID() == ""
	})
}

// claimSharedKey records n as the node with its key, unless another node has it.
func (w *World) claimSharedKey(n *Node) {
	w.claimKeys(n, func(*Node) bool { return false })
}

// claimKeys records n as the node with all forms of its key that no other node has. It reports n
// and returns false if another node makes it a duplicate.
func (w *World) claimKeys(n *Node, isDuplicateOf func(other *Node) bool) bool {
	for _, id := range keysOf(n.want.Object, n.coll) {
		if n.coll == (schema.Collection{}) {
			id.owner, id.coll.Path = n.owner.Addr, n.Kind().Collection // the owner has no id yet
		}
		other := w.keys[id]
		switch {
		case other == nil:
			w.keys[id] = n
		case other != n && isDuplicateOf(other):
			a, v, _ := Key(n.want.Object)
			w.reportDuplicate(n, other, fmt.Sprintf("the %s with %s %s", n.Kind().Name, a.Name, showKey(a, v)))
			return false
		}
	}
	return true
}

// compareIDs compares ids numerically where both are numbers.
func compareIDs(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) }
