package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"hew/reconcile/config/composite"
	"hew/reconcile/config/foreign"
	"hew/schema"
)

// A nested block sets lists of its kind: each argument of the block is an element of the
// list that the kind names for it, in the order of the blocks. A dynamic block stands for
// one block for each element of its for_each.

// nestedBlocks returns the nested blocks of a body without lifecycle. Dynamic blocks are
// read.
func (l *loader) nestedBlocks(blocks hcl.Blocks) (out []composite.Block) {
	for _, b := range blocks {
		switch b.Type {
		case "lifecycle":
		case "dynamic":
			if in, ok := l.loadDynamic(b); ok {
				out = append(out, in)
			}
		default:
			out = append(out, composite.Block{Name: b.Type, Body: b.Body, Range: b.DefRange, Content: b.DefRange})
		}
	}
	return out
}

// loadNested adds the lists that nested blocks set.
func (l *loader) loadNested(b *Block, blocks []composite.Block) {
	lists, starts := map[string]*composite.List{}, map[string]hcl.Range{}
	var order []*schema.Attr
	for _, in := range blocks {
		of := b.nestedBlock(in.Name)
		if of == nil {
			l.fail(
				in.Range,
				"Unsupported block type",
				"%s has no nested%s blocks for a dynamic block to generate. To build a map or a list, use for: { "+
					"for k, v in var.all : k => v }.",
				b.Kind.Name,
				otherThan(b.Kind, in.Name),
			)
			continue
		}
		s := &hcl.BodySchema{}
		for arg := range of.Of {
			s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: arg})
		}
		content, _ := l.readBody(in.Body, s, "The block "+of.Name, in.Content)
		for _, arg := range sortAttributes(content.Attributes) {
			a := b.Kind.Attr(of.Of[arg.Name])
			if lists[a.Name] == nil {
				lists[a.Name], starts[a.Name] = composite.NewList(arg.Range), arg.Range
				order = append(order, a)
			}
			e := arg.Expr
			if b.Alias != nil {
				e = composite.NonZero(e)
			}
			lists[a.Name].Add(in, e)
		}
	}
	for _, a := range order {
		at := starts[a.Name]
		for _, w := range b.args {
			if w.attr == a {
				l.fail(at, "Conflicting arguments",
					"This block adds to %s, which is already set as a list at %s. Use either blocks or a list.",
					a.Name, FormatRange(w.at))
			}
		}
		b.args = append(b.args, argument{attr: a, written: written{a.Name, lists[a.Name], at}})
	}
}

// nestedBlock returns the nested block that a block's kind has under a name, or
// nil.
func (b *Block) nestedBlock(name string) *schema.Block {
	if b.Alias != nil {
		return foreign.OwnBlock(b.Alias, name)
	}
	return b.Kind.Block(name)
}

// otherThan returns the name of a block for an error message, if the kind has other
// blocks.
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

// loadDynamic reads a dynamic block.
func (l *loader) loadDynamic(b *hcl.Block) (out composite.Block, ok bool) {
	content, ok := l.readBody(b.Body, &dynamicSchema, "A dynamic block", b.DefRange)
	if !ok {
		return out, false
	}
	d := &composite.Dynamic{Block: b.Labels[0], ForEach: content.Attributes["for_each"].Expr, Iterator: b.Labels[0]}
	if a := content.Attributes["iterator"]; a != nil {
		if d.Iterator = hcl.ExprAsKeyword(parseNative(unwrapTemplate(a.Expr))); d.Iterator == "" {
			l.fail(a.Expr.Range(), "Invalid value", "iterator must be a name without quotes.")
			return out, false
		}
	}
	if len(content.Blocks) != 1 {
		l.fail(b.DefRange, "Invalid dynamic block",
			"A dynamic block must have one content block, which holds the arguments of each block.")
		return out, false
	}
	in := content.Blocks[0]
	return composite.Block{Name: b.Labels[0], Body: in.Body, Range: b.DefRange, Content: in.DefRange, Dynamic: d}, true
}

// tupleElements returns the elements of a literal list.
func tupleElements(e hcl.Expression) []hcl.Expression {
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
