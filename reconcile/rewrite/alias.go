package rewrite

import (
	"errors"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// Some attributes are written under Terraform's names as several arguments, or as a nested block.
// Each of these is then adopted on its own.

// attrParts returns the arguments that make up an attribute.
func attrParts(b *config.Block, a *schema.Attr) (parts []*schema.Naming) {
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

// adoptParts adopts the changed parts of an attribute that is written as several arguments.
func (w *adopter) adoptParts(c *plan.Change, p plan.PathChange, b *config.Block, names []*schema.Naming) {
	v := Value{Addr: c.Addr, At: b.DeclRange}
	s, why := w.openSource(b.DeclRange.Filename)
	if shared := w.cfg.SharedReason(b); shared != "" {
		why = shared
	}
	var args hclsyntax.Attributes
	if why == "" {
		for _, top := range s.body.Blocks {
			if top.DefRange().Start == b.DeclRange.Start {
				args = top.Body.Attributes
			}
		}
	}
	before, after := objectFields(p.Before), objectFields(p.After)
	for _, n := range names {
		w.adoptPart(v, s, why, args[n.Name], n, before[n.Part], after[n.Part])
	}
}

// adoptFields adopts the changed parts of an attribute that is written as a nested block.
func (w *adopter) adoptFields(v Value, s site, in *schema.Naming, p plan.PathChange) {
	before, after := objectFields(p.Before), objectFields(p.After)
	v.Attr = in.Name + "."
	for i := range in.Fields {
		if n := &in.Fields[i]; n.Attr != "" {
			w.adoptPart(v, s.source, "", s.nested.Body.Attributes[n.Name], n, before[n.Attr], after[n.Attr])
		}
	}
}

// adoptPart adopts one part, unless why forbids it.
func (w *adopter) adoptPart(v Value, s *source, why string, arg *hclsyntax.Attribute, n *schema.Naming, live,
	was cty.Value) {
	if live == cty.NilVal || was == cty.NilVal || live.IsNull() && was.IsNull() {
		return
	}
	v.Attr += n.Name
	if arg != nil {
		v.At = arg.SrcRange
	}
	if n.Secret || schema.IsSecret(live) || schema.IsSecret(was) {
		bare, _ := live.UnmarkDeep()
		if old, _ := was.UnmarkDeep(); !sameMeaning(bare, old) {
			w.recordLeft(v, "it is or was a secret")
		}
		return
	}
	if sameMeaning(live, was) {
		return
	}
	if n.Out != nil && !live.IsNull() {
		live = n.Out(live)
	}
	v.Live = oneLine(live)
	if arg == nil && why == "" {
		why = "no argument sets it"
	}
	if why != "" {
		w.recordLeft(v, why)
		return
	}
	r := rewriter{src: s.src, equal: sameMeaning}
	if why = r.set(arg.Expr, live); why == "" {
		why = r.verify(arg.Expr, func(got cty.Value) error {
			if !sameMeaning(got, live) {
				return errors.New("the host has another value")
			}
			return nil
		})
	}
	w.record(v, s, r.edits, why)
}

// objectFields returns the fields of an object, nil if it is null or unknown.
func objectFields(v cty.Value) map[string]cty.Value {
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() || !isObject(v) {
		return nil
	}
	return v.AsValueMap()
}
