package foreign

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config/composite"
	"hew/schema"
)

// list adds an argument for the nested blocks of one type: a list of objects, or
// one object.
func (t *translator) list(n *schema.Naming) {
	a := t.Alias.Kind.Attr(n.Attr)
	if a == nil {
		return // the kind has blocks for it, or nothing
	}
	var list *composite.List
	var at hcl.Range
	for _, in := range t.Blocks {
		if in.Name != n.Name {
			continue
		}
		if list == nil {
			at = in.Content
			list = composite.NewList(at)
		}
		list.Add(in, t.object(n, in))
	}
	if list == nil {
		return
	}
	var e hcl.Expression = list
	if n.Shape == schema.Single {
		e = composite.Single(list, t.Address, n.Name)
	}
	t.state(a, n.Name, e, at, at)
}

// object returns an expression for what one nested block holds.
func (t *translator) object(n *schema.Naming, in composite.Block) hcl.Expression {
	s := &hcl.BodySchema{}
	for _, f := range n.Fields {
		s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: f.Name})
	}
	content := t.Content(in.Body, s, "The block "+n.Name, in.Content)
	var fields []composite.Field
	var null []string
	for i := range n.Fields {
		f := &n.Fields[i]
		given := content.Attributes[f.Name]
		switch {
		case given == nil && f.Default != cty.NilVal:
			fields = append(fields,
				composite.Field{Name: f.Attr, Expr: hcl.StaticExpr(f.Default, in.Content), Range: in.Content})
		case given == nil && f.Attr != "":
			null = append(null, f.Attr)
		case given == nil:
		case f.Attr == "":
			t.ignore(f, given)
		default:
			e := t.value(f, given.Expr)
			if f.Default != cty.NilVal {
				e = composite.Default(e, hcl.StaticExpr(f.Default, in.Content))
			}
			fields = append(fields, composite.Field{Name: f.Attr, Expr: e, Range: given.Range})
		}
	}
	return composite.Object(fields, in.Content, null)
}

// Object is a nested block that is an object of another kind. It is declared under
// the name of the block that it stands in.
type Object struct {
	Kind       *schema.Kind
	Name       string
	Range      hcl.Range
	Attributes hcl.Attributes
	Block      string             // the name of the nested block
	Dynamic    *composite.Dynamic // whose only element it is for, or nil
}

// nested sorts out the nested blocks that state no attribute.
func (t *translator) nested(in composite.Block) {
	n := t.Alias.Naming(in.Name)
	switch {
	case OwnBlock(t.Alias, in.Name) != nil:
		t.out.Blocks = append(t.out.Blocks, in)
	case in.Name == "timeouts":
		t.Note(in.Range, "timeouts of %s has no effect: hew waits until the host answers", t.Address)
	case n == nil || n.Shape == schema.Argument:
		t.Fail(in.Range, "Unsupported block type",
			"%s has no %q blocks for a dynamic block to generate.", t.Type, in.Name)
	case n.Shape == schema.Beside:
		t.out.Objects = append(t.out.Objects, t.beside(n, in))
	}
}

// OwnBlock returns which of the kind's own nested blocks the alias calls by a
// name, or nil.
func OwnBlock(a *schema.Alias, name string) *schema.Block {
	for i := range a.Blocks {
		if a.Blocks[i].Name == name {
			return &a.Blocks[i]
		}
	}
	return nil
}

// beside reads a nested block that is an object of another kind. The block that it
// stands in owns it, and has as many instances.
func (t *translator) beside(n *schema.Naming, in composite.Block) Object {
	k := t.kinds.Resource(n.Attr)
	s := &hcl.BodySchema{}
	for a := range k.Arguments() {
		if a != k.Owner() {
			s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: a.Name})
		}
	}
	attrs := maps.Clone(t.Content(in.Body, s, "The block "+in.Name, in.Content).Attributes)
	if attrs == nil {
		attrs = hcl.Attributes{}
	}
	for name, attr := range attrs {
		e := hcl.Expression(attr.Expr)
		if in.Dynamic != nil {
			list := composite.NewList(attr.Range)
			list.Add(in, e)
			e = composite.Single(list, t.Address, in.Name)
		}
		attrs[name] = &hcl.Attribute{Name: name, Expr: e, Range: attr.Range, NameRange: attr.NameRange}
	}
	owner := t.Type + "." + t.Name
	if forEach := t.Attributes["for_each"]; forEach != nil {
		owner += "[each.key]"
		attrs["for_each"] = &hcl.Attribute{Name: "for_each", Expr: forEach.Expr, Range: in.Range, NameRange: in.Range}
	} else if count := t.Attributes["count"]; count != nil {
		owner += "[count.index]"
		attrs["count"] = &hcl.Attribute{Name: "count", Expr: count.Expr, Range: in.Range, NameRange: in.Range}
	}
	e, _ := hclsyntax.ParseExpression([]byte(owner+".id"), in.Range.Filename, in.Range.Start)
	name := k.Owner().Name
	attrs[name] = &hcl.Attribute{Name: name, Expr: e, Range: in.Range, NameRange: in.Range}
	return Object{k, t.Name, in.Range, attrs, in.Name, in.Dynamic}
}
