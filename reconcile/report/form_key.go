package report

import (
	"cmp"
	"strconv"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/report/prose"
)

// anyKey stands for the key of an object in values that are equal but for it.
const anyKey = "…"

// keyed returns an argument of something new with anyKey in the place of the key of its block
// instance, "" where it does not contain that. Such values follow from the address: they differ
// among objects that are declared alike.
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

// referenceWithoutKey does the same for the address of an object whose block has the same key:
// objects of one for_each refer to each other so.
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
