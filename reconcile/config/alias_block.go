package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// blocks makes one value of the nested blocks of a type.
func (t *translation) blocks(n *schema.Naming, blocks hcl.Blocks) {
	a := t.block.Kind.Attr(n.Attr)
	if a == nil {
		return // it is one of the kind's own blocks, or none
	}
	var g *gathered
	add := func(_ *schema.Block, body hcl.Body, decl hcl.Range, wrap func(hcl.Expression) hcl.Expression) {
		if g == nil {
			g = &gathered{at: decl}
		}
		g.items = append(g.items, wrap(t.object(n, body, decl)))
	}
	for _, in := range blocks {
		switch {
		case in.Type == n.Name:
			add(nil, in.Body, in.DefRange, func(e hcl.Expression) hcl.Expression { return e })
		case in.Type == "dynamic" && in.Labels[0] == n.Name:
			t.dynamic(in, &schema.Block{Name: n.Name}, add)
		}
	}
	if g == nil {
		return
	}
	var e hcl.Expression = g
	if n.Shape == schema.Single {
		e = single(g, t.block.Addr.String(), n.Name)
	}
	t.states(a, n.Name, e, g.at, g.at)
}

// object is what a nested block holds.
func (t *translation) object(n *schema.Naming, body hcl.Body, decl hcl.Range) *made {
	s := &hcl.BodySchema{}
	for _, f := range n.Fields {
		s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: f.Name})
	}
	content, _ := t.content(body, s, "The block "+n.Name, decl)
	var entries []entry
	var empty []string
	for i := range n.Fields {
		f := &n.Fields[i]
		in := content.Attributes[f.Name]
		switch {
		case in == nil && f.Default != cty.NilVal:
			entries = append(entries, entry{f.Attr, hcl.StaticExpr(f.Default, decl), decl})
		case in == nil && f.Attr != "":
			empty = append(empty, f.Attr)
		case in == nil:
		case f.Attr == "":
			t.passedOver(f, in.Expr, in.NameRange, t.block.Addr.String())
		default:
			entries = append(entries, entry{f.Attr, t.value(f, in.Expr), in.Range})
		}
	}
	return objectOf(entries, decl, empty)
}
