package rewrite

import (
	"cmp"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// object adopts what others have made of one object.
func (w *writer) object(c *plan.Change) {
	whole := Value{Addr: c.Addr, At: declared(c)}
	switch c.Action {
	case plan.Create:
		w.leave(whole, "it was deleted by hand: apply creates it again, unless its block is taken out")
		return
	case plan.Delete:
		w.leave(whole, "no block declares it: apply deletes it, unless one does")
		return
	}
	paths := drifted(c)
	for _, p := range paths {
		w.attribute(c, p)
	}
	if len(paths) == 0 {
		w.leave(whole, cmp.Or(c.Why, "nothing that is written says so"))
	}
}

// declared is where the block of a change stands.
func declared(c *plan.Change) (at hcl.Range) {
	if c.Decl != nil {
		at = *c.Decl
	}
	return at
}

// drifted are the differences that others have made.
func drifted(c *plan.Change) (paths []plan.PathChange) {
	for _, p := range c.Paths {
		if p.Cause == plan.ByDrift || p.Cause == plan.ByBoth {
			paths = append(paths, p)
		}
	}
	return paths
}

// attribute adopts the live value of one attribute.
func (w *writer) attribute(c *plan.Change, p plan.PathChange) {
	block := w.cfg.Block(c.Addr.Block)
	v := Value{Addr: c.Addr, Attr: p.Attr.Name, At: declared(c)}
	if why := unspeakable(c, p); why != "" {
		w.leave(v, why)
		return
	}
	v.Attr, v.Live = c.Desired.Written(p.Attr.Name), inline(spoken(p.Attr, nil, open(p), cty.NilVal))
	if parts := partsOf(block, p.Attr); len(parts) > 0 {
		w.parts(c, p, block, parts)
		return
	}
	v.At = block.Range(p.Attr.Name)
	if why := w.cfg.Shared(block); why != "" {
		w.leave(v, why)
		return
	}
	s, why := w.find(v.At)
	if why != "" {
		w.leave(v, why)
		return
	}
	s.state(w, v, block, p)
}

// unspeakable tells why a live value is never written, "" where it may be.
func unspeakable(c *plan.Change, p plan.PathChange) string {
	switch {
	case p.Attr.IsSecret() || !p.Attr.Partial() && (schema.IsSecret(p.Before) || schema.IsSecret(p.After)):
		return "it is a secret, or was one"
	case c.Desired != nil && p.Attr == c.Kind.Owner() && p.After.IsNull():
		return "no line says where it is: apply takes it to the top level, unless a line " + c.Desired.Written(p.Attr.Name) + " = … keeps it there"
	case c.Desired == nil || !schema.Stated(c.Desired.Object, p.Attr.Name):
		return "no line says it any more: apply gives it back to its default, unless a line keeps it"
	}
	if _, _, all := p.Attr.Shown(p.After, p.Before); !all && !p.Attr.Partial() {
		return "the host does not show all of it"
	}
	return ""
}

// state changes what is written at a site to the live value.
func (s site) state(w *writer, v Value, b *config.Block, p plan.PathChange) {
	var n *schema.Naming
	if b.Alias != nil {
		if in := b.Alias.For(p.Attr.Name); s.expr == nil && in != nil && in.Shape == schema.Single {
			w.fields(v, s, in, p)
			return
		}
		n = b.Alias.Naming(s.name)
	}
	switch {
	case s.expr == nil || s.nested != nil && s.name != p.Attr.Name:
		edits, why := s.blocks(b, p)
		w.write(v, s.source, edits, why)
		return
	case n != nil && n.Attr != p.Attr.Name:
		w.leave(v, "it is made of "+s.name)
		return
	}
	old, _ := constant(s.expr)
	r := rewriting{src: s.src, same: sameAs(p), partial: p.Attr.Partial(), unordered: unordered(p)}
	want := spoken(p.Attr, n, open(p), old)
	v.Live = inline(want)
	why := r.set(s.expr, want)
	if why == "" {
		why = r.proven(s.expr, func(got cty.Value) error { return means(p.Attr, n, got, open(p)) })
	}
	w.write(v, s.source, r.edits, why)
}

// open is the live value without what may not be written of it: the keys of a
// map that are, or were, secret.
func open(p plan.PathChange) cty.Value {
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
