package plan

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash"
	"slices"
	"strings"

	"hew/schema"
)

// Sum sets the plan's digest: a canonical encoding of every change, of what is
// blocked and of the guards that trip. Statistics and wording are left out, so
// the same plan of the same world has the same digest. Secrets go in keyed.
func (p *Plan) Sum(d Digester) {
	h := sha256.New()
	for i := range p.Changes {
		p.Changes[i].sum(h, d)
	}
	for _, b := range p.Blocked {
		field(h, "blocked", b.Addr.String(), b.Why)
	}
	for _, f := range p.Guards {
		field(h, append([]string{"guard", f.Code}, slices.Sorted(slices.Values(f.Objects))...)...)
	}
	p.Digest = base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

func (c *Change) sum(h hash.Hash, d Digester) {
	if c.Action == NoOp {
		return
	}
	field(h, "change", c.Addr.String(), c.From.String(), c.Action.Name(), c.Before.ID, c.Collection.String())
	paths := slices.Clone(c.Paths)
	slices.SortFunc(paths, func(x, y PathChange) int { return strings.Compare(x.Attr.Name, y.Attr.Name) })
	for _, p := range paths {
		after := schema.Encode(p.After) // a type, or the address of what will be created
		if p.Attr.Known(p.After) {
			after = string(digestOf(d, p.Attr, p.After))
		}
		field(h, p.Attr.Name, after, string(p.Cause))
	}
}

// field writes length-prefixed texts, so that no two lists encode alike.
func field(h hash.Hash, texts ...string) {
	fmt.Fprintf(h, "%d;", len(texts))
	for _, t := range texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
}
