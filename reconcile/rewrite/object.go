package rewrite

import (
	"cmp"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// adoptObject adopts the drift of one object.
func (w *adopter) adoptObject(c *plan.Change) {
	whole := Value{Addr: c.Addr, At: blockRange(c)}
	switch c.Action {
	case plan.Create:
		w.recordLeft(whole, "it was deleted on the host. hew apply creates it again unless you remove its block")
		return
	case plan.NotFound:
		w.recordLeft(whole, whyNotFound)
		return
	case plan.Delete:
		w.recordLeft(whole, "no block declares it. hew apply deletes it unless you add one")
		return
	}
	paths := driftedPaths(c)
	for _, p := range paths {
		w.adoptAttr(c, p)
	}
	if len(paths) == 0 {
		w.recordLeft(whole, cmp.Or(c.Why, "no argument states what has changed"))
	}
}

// whyNotFound is why nothing is written of an object that the host does not find.
const whyNotFound = "the host answers 404, and the token has probably lost access"

// blockRange returns where the block of a change is.
func blockRange(c *plan.Change) (at hcl.Range) {
	if c.Decl != nil {
		at = *c.Decl
	}
	return at
}

// driftedPaths returns the attributes that others have changed.
func driftedPaths(c *plan.Change) (paths []plan.PathChange) {
	for _, p := range c.Paths {
		if p.Cause == plan.ByDrift || p.Cause == plan.ByBoth {
			paths = append(paths, p)
		}
	}
	return paths
}

// adoptAttr adopts the live value of one attribute.
func (w *adopter) adoptAttr(c *plan.Change, p plan.PathChange) {
	block := w.cfg.Block(c.Addr.Block)
	v := Value{Addr: c.Addr, Attr: p.Attr.Name, At: blockRange(c)}
	if why := whyNotWritten(c, p); why != "" {
		w.recordLeft(v, why)
		return
	}
	v.Attr, v.Live = c.Desired().WrittenName(p.Attr.Name),
		oneLine(sourceValue(p.Attr, nil, writableValue(p), cty.NilVal))
	if parts := attrParts(block, p.Attr); len(parts) > 0 {
		w.adoptParts(c, p, block, parts)
		return
	}
	v.At = block.Range(p.Attr.Name)
	if why := w.cfg.SharedReason(block); why != "" {
		w.recordLeft(v, why)
		return
	}
	s, why := w.findSite(v.At)
	if why != "" {
		w.recordLeft(v, why)
		return
	}
	s.rewriteValue(w, v, block, p)
}

// whyNotWritten returns why a live value must not be written, or "".
func whyNotWritten(c *plan.Change, p plan.PathChange) string {
	switch {
	case p.Attr.IsSecret() || !p.Attr.Partial() && (schema.IsSecret(p.Before) || schema.IsSecret(p.After)):
		return "it is or was a secret"
	case c.Desired() != nil && p.Attr == c.Kind.Owner() && p.After.IsNull():
		return "no argument says where it belongs. hew apply moves it to the top level unless you set " +
			c.Desired().WrittenName(p.Attr.Name)
	case c.Desired() == nil || !schema.Stated(c.Desired().Object, p.Attr.Name):
		return "its argument was removed. hew apply resets it to the default unless you set it again"
	}
	if _, _, all := p.Attr.Shown(p.After, p.Before); !all && !p.Attr.Partial() {
		return "the host does not show the whole value"
	}
	return ""
}

// rewriteValue changes the value at a site to the live one.
func (s site) rewriteValue(w *adopter, v Value, b *config.Block, p plan.PathChange) {
	var n *schema.Naming
	if b.Alias != nil {
		if in := b.Alias.For(p.Attr.Name); s.expr == nil && in != nil && in.Shape == schema.Single {
			w.adoptFields(v, s, in, p)
			return
		}
		n = b.Alias.Naming(s.name)
	}
	switch {
	case s.expr == nil || s.nested != nil && s.name != p.Attr.Name:
		edits, why := s.rewriteBlocks(b, p)
		w.record(v, s.source, edits, why)
		return
	case n != nil && n.Attr != p.Attr.Name:
		w.recordLeft(v, "it is derived from "+s.name)
		return
	}
	old, _ := literalValue(s.expr)
	r := rewriter{src: s.src, equal: elementsEqual(p), keepOtherKeys: p.Attr.Partial(), unordered: isUnordered(p)}
	want := sourceValue(p.Attr, n, writableValue(p), old)
	v.Live = oneLine(want)
	why := r.set(s.expr, want)
	if why == "" {
		why = r.verify(s.expr, func(got cty.Value) error { return checkMeaning(p.Attr, n, got, writableValue(p)) })
	}
	w.record(v, s.source, r.edits, why)
}

// writableValue returns the live value without what must not be written: map keys that are or were
// secret.
func writableValue(p plan.PathChange) cty.Value {
	bare, _ := p.Before.Unmark()
	if !p.Attr.Partial() || bare.IsNull() || !bare.IsKnown() {
		return p.Before
	}
	was, _ := p.After.Unmark()
	stated := was.AsValueMap()
	keys := bare.AsValueMap()
	for key, v := range keys {
		if to, is := stated[key]; schema.IsSecret(v) || !is || schema.IsSecret(to) {
			delete(keys, key)
		}
	}
	return cty.ObjectVal(keys)
}
