package rewrite

import (
	"fmt"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// What another tool writes as several arguments, or as a block, is one value for
// hew. Each part of it is written on its own.

// partsOf are the names that make an attribute together.
func partsOf(b *config.Block, a *schema.Attr) (parts []*schema.Naming) {
	if b == nil || b.Alias == nil {
		return nil
	}
	for i := range b.Alias.Names {
		if n := &b.Alias.Names[i]; n.Attr == a.Name && n.Part != "" {
			parts = append(parts, n)
		}
	}
	return parts
}

// parts writes those parts of an attribute that have changed.
func (w *writer) parts(c *plan.Change, p plan.PathChange, b *config.Block, names []*schema.Naming) {
	v := Value{Addr: c.Addr, At: b.Decl}
	s, why := w.open(b.Decl.Filename)
	if shared := w.cfg.Shared(b); shared != "" {
		why = shared
	}
	var args hclsyntax.Attributes
	if why == "" {
		for _, top := range s.body.Blocks {
			if top.DefRange().Start == b.Decl.Start {
				args = top.Body.Attributes
			}
		}
	}
	before, after := fieldsOf(p.Before), fieldsOf(p.After)
	for _, n := range names {
		w.part(v, s, why, args[n.Name], n, before[n.Part], after[n.Part])
	}
}

// fields writes those arguments of a nested block that have changed.
func (w *writer) fields(v Value, s site, in *schema.Naming, p plan.PathChange) {
	before, after := fieldsOf(p.Before), fieldsOf(p.After)
	v.Attr = in.Name + "."
	for i := range in.Fields {
		if n := &in.Fields[i]; n.Attr != "" {
			w.part(v, s.source, "", s.nested.Body.Attributes[n.Name], n, before[n.Attr], after[n.Attr])
		}
	}
}

// part writes one of them; why keeps it from that.
func (w *writer) part(v Value, s *source, why string, arg *hclsyntax.Attribute, n *schema.Naming, live, was cty.Value) {
	if live == cty.NilVal || was == cty.NilVal || live.IsNull() && was.IsNull() {
		return
	}
	v.Attr += n.Name
	if arg != nil {
		v.At = arg.SrcRange
	}
	if n.Secret || schema.IsSecret(live) || schema.IsSecret(was) {
		bare, _ := live.UnmarkDeep()
		if old, _ := was.UnmarkDeep(); !alike(bare, old) {
			w.leave(v, "it is a secret, or was one")
		}
		return
	}
	if alike(live, was) {
		return
	}
	if n.Out != nil && !live.IsNull() {
		live = n.Out(live)
	}
	v.Live = inline(live)
	if arg == nil && why == "" {
		why = "no line says it"
	}
	if why != "" {
		w.leave(v, why)
		return
	}
	r := rewriting{src: s.src, same: alike}
	if why = r.set(arg.Expr, live); why == "" {
		why = r.proven(arg.Expr, func(got cty.Value) error {
			if !alike(got, live) {
				return fmt.Errorf("the host has another value")
			}
			return nil
		})
	}
	w.write(v, s, r.edits, why)
}

// fieldsOf are the fields of an object; there may be none.
func fieldsOf(v cty.Value) map[string]cty.Value {
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() || !keyed(v) {
		return nil
	}
	return v.AsValueMap()
}
