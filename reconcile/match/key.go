package match

import (
	"cmp"
	"fmt"
	"strings"

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

// KeyTexts returns the texts under which a key value is indexed. A reference is indexed by its id
// and by its name.
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

// naturalKey is a key value within a collection. beside holds the other attributes that identify an
// object of the kind.
type naturalKey struct {
	coll                      schema.Collection
	owner, beside, attr, text string
}

// claimKey records n as the only node with a key in its collection. It reports a duplicate, and
// returns false, if another node has the key.
func (w *World) claimKey(n *Node, a *schema.Attr, v cty.Value) bool {
	id := naturalKey{coll: n.coll, attr: a.Name, beside: fmt.Sprintf("%q", n.Kind().Match.Beside(n.want.Object))}
	if n.coll == (schema.Collection{}) {
		id.owner, id.coll.Path = n.owner.Addr, n.Kind().Collection // the owner has no id yet
	}
	for _, t := range KeyTexts(a, v) {
		id.text = t
		if other := w.keys[id]; other != nil && other != n {
			w.reportDuplicate(n, other, fmt.Sprintf("the %s with %s %s", n.Kind().Name, a.Name, showKey(v)))
			return false
		}
		w.keys[id] = n
	}
	return true
}

// compareIDs compares ids numerically where both are numbers.
func compareIDs(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) }
