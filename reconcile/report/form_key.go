package report

import (
	"cmp"
	"strconv"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/report/prose"
)

// anyKey stands for the key of an object in values that are otherwise equal.
const anyKey = "…"

// keyed returns an argument of a new object with anyKey in place of the key of its block instance,
// or "" if it does not contain the key. Such values follow from the address and differ among the
// instances of a block.
func (c *Change) keyed(p Path) string {
	switch v := p.After.(type) {
	case string:
		if p.Unknown == true {
			return c.referenceWithoutKey(v)
		}
		return c.withoutKey(v)
	case pathReference:
		return c.withoutKey(string(v))
	case bareReference:
		return c.referenceWithoutKey(string(v))
	}
	return ""
}

// withoutKey returns a text that is the key of the change's block instance, or a path that ends
// with it, with anyKey in its place, else "". A block without a key has its name as the key.
func (c *Change) withoutKey(said string) string {
	at, err := addr.Parse(c.Address)
	if err != nil {
		return ""
	}
	key := cmp.Or(at.Key, at.Name)
	if text, err := strconv.Unquote(at.Key); err == nil {
		key = text
	}
	if key == "" {
		return ""
	}
	if said == key {
		return anyKey
	}
	if rest, ok := strings.CutSuffix(said, "/"+key); ok {
		return prose.Clean(rest) + "/" + anyKey
	}
	return ""
}

// referenceWithoutKey does the same for the address of an object whose block has the same key: as
// among objects with the same for_each.
func (c *Change) referenceWithoutKey(address string) string {
	to, err := addr.Parse(address)
	if err != nil || to.Key == "" {
		return ""
	}
	own, err := addr.Parse(c.Address)
	if err != nil || own.Key != to.Key {
		return ""
	}
	to.Key = ""
	return prose.Clean(to.String()) + "[" + anyKey + "]"
}
