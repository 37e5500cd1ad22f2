package plan

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Sum gives every change its digest, and the plan one of them all, of the host,
// of what is blocked and of the guards that trip. A change goes in with what it
// would do and with what is there before, so that the digests stand for the
// configuration and the world alike: as long as neither has moved in anything
// that the plan is about, another run comes to the same. Statistics and wording
// are left out. Secrets go in keyed.
func (p *Plan) Sum(d Digester) {
	var wait sync.WaitGroup
	for part := range slices.Chunk(p.Changes, 1+len(p.Changes)/runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := range part {
				if c := &part[i]; c.Action != NoOp {
					h := sha256.New()
					c.sum(h, d)
					c.Digest = encodeSum(h)
				}
			}
		})
	}
	wait.Wait()
	h := sha256.New()
	writeField(h, "plan", p.Host)
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Action != NoOp {
			writeField(h, "change", c.Digest)
		}
	}
	for _, b := range p.Blocked {
		writeField(h, "blocked", b.Addr.String())
	}
	for _, f := range p.Guards {
		writeField(h, append([]string{"guard", f.Code}, slices.Sorted(slices.Values(f.Objects))...)...)
	}
	p.Digest = encodeSum(h)
}

func (c *Change) sum(h hash.Hash, d Digester) {
	writeField(h, c.Addr.String(), c.From.String(), c.Action.Name(), c.Before.ID, c.Collection.String(),
		c.Successor().String(), fmt.Sprint(c.Restore))
	paths := slices.Clone(c.Paths)
	slices.SortFunc(paths, func(x, y PathChange) int { return strings.Compare(x.Attr.Name, y.Attr.Name) })
	for _, p := range paths {
		writeField(h, p.Attr.Name, digestValue(d, p.Attr, p.Before), digestValue(d, p.Attr, p.After), string(p.Cause))
	}
	if !c.Removes() {
		return
	}
	writeField(h, c.Along...)
	for a := range c.Kind.Arguments() { // what goes has been looked at as a whole
		if v, told := c.Before.Value.Get(a.Name); told {
			writeField(h, a.Name, digestValue(d, a, v))
		}
	}
}

// digestValue returns the digest of what is known; of what is not, its type or the address
// of what will be created.
func digestValue(d Digester, a *schema.Attr, v cty.Value) string {
	switch {
	case v == cty.NilVal:
		return ""
	case !a.Known(v):
		return schema.Encode(v)
	}
	return string(digestOf(d, a, v))
}

// writeField writes length-prefixed texts, so that no two lists encode alike.
func writeField(h hash.Hash, texts ...string) {
	fmt.Fprintf(h, "%d;", len(texts))
	for _, t := range texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
}

func encodeSum(h hash.Hash) string { return base64.RawURLEncoding.EncodeToString(h.Sum(nil)) }
