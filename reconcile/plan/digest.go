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

// Sum sets the digest of each change and of the plan. The digest of a change covers what it would
// do and the object as it is before; the digest of the plan covers its changes, the host, the
// blocked addresses and the findings. Statistics and messages are not included. Secrets are
// included as keyed digests.
func (p *Plan) Sum(d Digester) {
	var wait sync.WaitGroup
	for part := range slices.Chunk(p.Changes, 1+len(p.Changes)/runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := range part {
				if c := &part[i]; c.Action != NoOp {
					h := sha256.New()
					c.writeDigest(h, d)
					c.Digest = encodeDigest(h)
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
	p.Digest = encodeDigest(h)
}

// writeDigest writes to h what the digest of the change covers.
func (c *Change) writeDigest(h hash.Hash, d Digester) {
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
	writeField(h, c.Cascade...)
	for a := range c.Kind.Arguments() { // the whole object was reviewed
		if v, ok := c.Before.Value.Get(a.Name); ok {
			writeField(h, a.Name, digestValue(d, a, v))
		}
	}
}

// digestValue returns the digest of a known value. For an unknown value it returns the type, or the
// address of the object to create.
func digestValue(d Digester, a *schema.Attr, v cty.Value) string {
	switch {
	case v == cty.NilVal:
		return ""
	case !a.Known(v):
		return schema.Encode(v)
	}
	return string(digestOf(d, a, v))
}

// writeField writes a list of strings with length prefixes, so that different lists encode
// differently.
func writeField(h hash.Hash, texts ...string) {
	fmt.Fprintf(h, "%d;", len(texts))
	for _, t := range texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
}

func encodeDigest(h hash.Hash) string { return base64.RawURLEncoding.EncodeToString(h.Sum(nil)) }
