package match

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Key returns the natural key within a collection: of a thing with a path its last
// segment, for the owner above it may be on its way to another path.
func Key(o schema.Object) (*schema.Attr, cty.Value, bool) {
	if t := o.Kind.Tree; t != nil {
		return schema.ByKey(t.Segment).Key(o)
	}
	return o.Kind.Match.Key(o)
}

// KeyTexts returns the texts under which a key value is found: a reference is
// found by its id and by its name.
func KeyTexts(a *schema.Attr, v cty.Value) []string {
	r := schema.AsRef(v)
	if r == nil {
		return []string{schema.Encode(a.Canonical(v))}
	}
	var texts []string
	if r.ID != "" {
		texts = append(texts, "id:"+r.ID)
	}
	if r.Path != "" {
		texts = append(texts, "name:"+strings.ToLower(r.Path))
	}
	return texts
}

// naturalKey is a natural key: the text of an attribute, beside those of others,
// within a collection.
type naturalKey struct {
	coll                      schema.Collection
	owner, beside, attr, text string
}

// claimKey makes sure that no other block declares an object of that key in the
// collection, under any of the texts that it is known by.
func (w *World) claimKey(n *Node, a *schema.Attr, v cty.Value) bool {
	id := naturalKey{coll: n.coll, attr: a.Name, beside: fmt.Sprintf("%q", n.Kind().Match.Beside(n.want.Object))}
	if n.coll == (schema.Collection{}) {
		id.owner, id.coll.Path = n.owner.Addr, n.Kind().Collection // which has no id to be filled in yet
	}
	for _, t := range KeyTexts(a, v) {
		id.text = t
		if other := w.keys[id]; other != nil && other != n {
			w.conflict(n, other, fmt.Sprintf("Both declare the %s with %s %s.", n.Kind().Name, a.Name, showKey(v)))
			return false
		}
		w.keys[id] = n
	}
	return true
}

// compareIDs orders ids as the host gave them out: by number, where they are.
func compareIDs(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) }
