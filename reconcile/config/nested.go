package config

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Nested blocks are another way to write the lists of a kind: each argument of a
// block is an element of the list that the kind names for it, in the order of
// the blocks. A dynamic block makes one for each element of its for_each.

// gathered is the list that blocks make of an attribute.
type gathered struct {
	items []hcl.Expression // an element each, or a repeated
	at    hcl.Range
}

// repeated is an argument in the content of a dynamic block: a list.
type repeated struct {
	over, item hcl.Expression
	iterator   string
}

// nested reads the nested blocks of a kind, which l has found to be written,
// into arguments.
func (l *loader) nested(b *Block, blocks hcl.Blocks) {
	lists := map[string]*gathered{}
	var order []*schema.Attr
	add := func(of *schema.Block, body hcl.Body, decl hcl.Range, wrap func(hcl.Expression) hcl.Expression) {
		s := &hcl.BodySchema{}
		for arg := range of.Of {
			s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: arg})
		}
		content, _ := l.content(body, s, "The block "+of.Name, decl)
		for _, in := range sorted(content.Attributes) {
			a := b.Kind.Attr(of.Of[in.Name])
			if lists[a.Name] == nil {
				lists[a.Name], order = &gathered{at: in.Range}, append(order, a)
			}
			lists[a.Name].items = append(lists[a.Name].items, wrap(in.Expr))
		}
	}
	for _, inner := range blocks {
		name := inner.Type
		if name == "dynamic" {
			name = inner.Labels[0]
		}
		of := b.nestedBlock(name)
		switch {
		case inner.Type == "lifecycle":
		case b.Alias != nil && of == nil:
			l.otherBlock(b, inner)
		case of == nil:
			l.fail(inner.DefRange, "Unsupported block type", "%s has no nested%s blocks, so there is nothing that a %s block could make. Write maps and lists with for: { for k, v in var.all : k => v }.",
				b.Kind.Name, otherThan(b.Kind, name), inner.Type)
		case inner.Type == "dynamic":
			l.dynamic(inner, of, add)
		default:
			add(of, inner.Body, inner.DefRange, func(e hcl.Expression) hcl.Expression { return e })
		}
	}
	for _, a := range order {
		for _, w := range b.attrs {
			if w.attr == a {
				l.fail(lists[a.Name].at, "Conflicting arguments", "This adds to %s, which is written as a list at %s. Write all of it in one way.", a.Name, Place(w.at))
			}
		}
		b.attrs = append(b.attrs, written{a, a.Name, lists[a.Name], lists[a.Name].at, false})
	}
}

// otherThan names the block where the kind has others.
func otherThan(k *schema.Kind, name string) string {
	if len(k.Blocks) == 0 {
		return ""
	}
	return " " + name
}

var dynamicSchema = hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "for_each", Required: true}, {Name: "iterator"}},
	Blocks:     []hcl.BlockHeaderSchema{{Type: "content"}},
}

// dynamic reads a dynamic block.
func (l *loader) dynamic(b *hcl.Block, of *schema.Block, add func(*schema.Block, hcl.Body, hcl.Range, func(hcl.Expression) hcl.Expression)) {
	content, ok := l.content(b.Body, &dynamicSchema, "A dynamic block", b.DefRange)
	if !ok {
		return
	}
	iterator := of.Name
	if a := content.Attributes["iterator"]; a != nil {
		if iterator = hcl.ExprAsKeyword(native(unwrapped(a.Expr))); iterator == "" {
			l.fail(a.Expr.Range(), "Invalid value", "iterator takes a name, without quotes.")
			return
		}
	}
	if len(content.Blocks) != 1 {
		l.fail(b.DefRange, "Invalid dynamic block", "A dynamic block has one content block, which says what each block holds.")
		return
	}
	over := content.Attributes["for_each"].Expr
	add(of, content.Blocks[0].Body, content.Blocks[0].DefRange, func(e hcl.Expression) hcl.Expression {
		return &repeated{over: over, item: e, iterator: iterator}
	})
}

// Value is a tuple of all elements.
func (g *gathered) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	var all []cty.Value
	var diags hcl.Diagnostics
	marks := cty.ValueMarks{}
	for _, item := range g.items {
		v, more := item.Value(ctx)
		diags = append(diags, more...)
		if _, many := item.(*repeated); !many {
			all = append(all, v)
			continue
		}
		bare, m := v.Unmark()
		for mark := range m {
			marks[mark] = struct{}{}
		}
		if !bare.IsKnown() {
			return cty.DynamicVal.WithMarks(marks), diags
		}
		all = append(all, bare.AsValueSlice()...)
	}
	return cty.TupleVal(all).WithMarks(marks), diags
}

// Value is a tuple of what the argument is for each element; what is null is not
// stated.
func (r *repeated) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	over, diags := r.over.Value(ctx)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	over, marks := over.Unmark()
	switch {
	case !over.IsKnown():
		return cty.DynamicVal.WithMarks(marks), diags
	case over.IsNull() || !over.CanIterateElements():
		return cty.DynamicVal, append(diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Invalid value", Subject: r.over.Range().Ptr(),
			Detail: fmt.Sprintf("for_each of a dynamic block takes a list, a set or a map, and this is %s.", typeName(over.Type()))})
	}
	var all []cty.Value
	for key, value := range over.Elements() {
		if over.Type().IsSetType() {
			key = value
		}
		in := ctx.NewChild()
		in.Variables = map[string]cty.Value{r.iterator: cty.ObjectVal(map[string]cty.Value{"key": key, "value": value})}
		v, more := r.item.Value(in)
		diags = append(diags, more...)
		if bare, _ := v.Unmark(); !bare.IsNull() {
			all = append(all, v)
		}
	}
	return cty.TupleVal(all).WithMarks(marks), diags
}

// Variables are what the elements refer to.
func (g *gathered) Variables() (all []hcl.Traversal) {
	for _, item := range g.items {
		all = append(all, item.Variables()...)
	}
	return all
}

// Variables are what the list and the argument refer to, but for the iterator.
func (r *repeated) Variables() []hcl.Traversal {
	all := r.over.Variables()
	for _, t := range r.item.Variables() {
		if t.RootName() != r.iterator {
			all = append(all, t)
		}
	}
	return all
}

// Range and StartRange are where the first block says so.
func (g *gathered) Range() hcl.Range      { return g.at }
func (g *gathered) StartRange() hcl.Range { return g.at }

// Range and StartRange are the argument's.
func (r *repeated) Range() hcl.Range      { return r.item.Range() }
func (r *repeated) StartRange() hcl.Range { return r.item.StartRange() }

// ExprList lets the syntax of each element be checked.
func (g *gathered) ExprList() []hcl.Expression { return g.items }

// ExprList is for the same.
func (r *repeated) ExprList() []hcl.Expression { return []hcl.Expression{r.over, r.item} }

// elements are the elements of a list as it is written.
func elements(e hcl.Expression) []hcl.Expression {
	if _, call := e.(hclsyntax.Expression); call {
		if _, tuple := e.(*hclsyntax.TupleConsExpr); !tuple {
			return nil
		}
	}
	items, diags := hcl.ExprList(e)
	if diags.HasErrors() {
		return nil
	}
	return items
}

// nestedBlock is the block of that name that makes lists, or nil.
func (b *Block) nestedBlock(name string) *schema.Block {
	if b.Alias == nil {
		return b.Kind.Block(name)
	}
	for i := range b.Alias.Blocks {
		if b.Alias.Blocks[i].Name == name {
			return &b.Alias.Blocks[i]
		}
	}
	return nil
}
