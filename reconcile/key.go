package reconcile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// spoken tells whether the live object belongs to another declared one: it is
// claimed, or the ledger has it under that address.
func (w *world) spoken(n *node, c *collection, id string) bool {
	if other := w.claims[identityOf(n.kind(), c.query.Collection, id)]; other != nil && other != n {
		return n.kind().Match.Twins == schema.Lowest
	}
	at, ok := w.led.Find(c.query.Collection.String(), id)
	return ok && at != n.want.Addr && w.nodes[at] != nil && n.kind().Match.Twins == schema.Lowest
}

// key is the natural key within a collection: of a thing with a path its last
// segment, for the owner above it may be on its way to another path.
func key(o schema.Object) (*schema.Attr, cty.Value, bool) {
	if t := o.Kind.Tree; t != nil {
		return schema.ByKey(t.Segment).Key(o)
	}
	return o.Kind.Match.Key(o)
}

// unreadable says why a collection or object could not be read, in the words
// of the provider's error.
func unreadable(k *schema.Kind, owner *schema.Ref, s schema.State, err error) string {
	of := ""
	if owner != nil {
		of = " of " + owner.String()
	}
	switch s {
	case schema.OwnerAbsent:
		return fmt.Sprintf("%s%s cannot be listed: the owner is not there (404)", k.Name, of)
	case schema.Unsupported:
		return fmt.Sprintf("%s is not supported by this instance", k.Name)
	case schema.Forbidden:
		return fmt.Sprintf("the token may not read %s%s; it takes %s (%v)", k.Name, of, k.Need, err)
	}
	return fmt.Sprintf("%s%s could not be read: %v", k.Name, of, err)
}

func number(id string) int64 {
	n, _ := strconv.ParseInt(id, 10, 64)
	return n
}

func ids(c *collection, at []int) string {
	texts := make([]string, len(at))
	for i, j := range at {
		texts[i] = c.objs[j].ID
	}
	return strings.Join(texts, ", ")
}

// plain is a key value for people.
func plain(v cty.Value) string {
	if r := schema.AsRef(v); r != nil {
		return strconv.Quote(r.String())
	}
	if schema.IsSecret(v) {
		return "(secret)"
	}
	return schema.Encode(v)
}

func titleOf(o schema.Object, n *node) string {
	if t := n.title(); n.kind().Tree != nil && t != "" {
		return t
	}
	return "id " + o.ID
}
