package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/didyoumean"
	"hew/schema"
)

// otherBlock reads a nested block of another tool's that makes no argument.
func (l *loader) otherBlock(b *Block, in *hcl.Block) {
	name := in.Type
	if name == "dynamic" {
		name = in.Labels[0]
	}
	n := b.Alias.Naming(name)
	switch {
	case in.Type == "timeouts":
		l.note(in.DefRange, "timeouts of %s has no effect: hew waits as long as the host works on a request", b.Addr)
	case n == nil || n.Shape == schema.Argument:
		l.fail(in.DefRange, "Unsupported block type", "%s has no blocks %q, so there is nothing that a dynamic block could make.", b.Addr.Kind, name)
	case n.Shape == schema.Beside && in.Type == "dynamic":
		l.fail(in.DefRange, "Unsupported block type", "%s of %s is an object of its own. Write resource %q %q { … } with for_each instead.", name, b.Addr, n.Attr, b.Addr.Name)
	case n.Shape == schema.Beside:
		l.beside(b, n, in)
	}
}

// beside reads a nested block that is an object of its own: it is declared under
// the name of the block that it stands in.
func (l *loader) beside(b *Block, n *schema.Naming, in *hcl.Block) {
	k := l.kinds.Resource(n.Attr)
	content, _ := l.content(in.Body, l.besideSchema(k), "The block "+in.Type, in.DefRange)
	of := b.Addr.Kind + "." + b.Addr.Name
	attrs := hcl.Attributes{}
	for name, a := range content.Attributes {
		attrs[name] = a
	}
	switch {
	case b.forEach != nil:
		of += "[each.key]"
		attrs["for_each"] = &hcl.Attribute{Name: "for_each", Expr: b.forEach, Range: in.DefRange, NameRange: in.DefRange}
	case b.count != nil:
		of += "[count.index]"
		attrs["count"] = &hcl.Attribute{Name: "count", Expr: b.count, Range: in.DefRange, NameRange: in.DefRange}
	}
	owner, _ := hclsyntax.ParseExpression([]byte(of+".id"), in.DefRange.Filename, in.DefRange.Start)
	attrs[k.Owner().Name] = &hcl.Attribute{Name: k.Owner().Name, Expr: owner, Range: in.DefRange, NameRange: in.DefRange}
	l.declareBlock(&Block{Addr: addr.Block{Mode: addr.Resource, Kind: k.Name, Name: b.Addr.Name}, Kind: k, Decl: in.DefRange}, &hcl.BodyContent{Attributes: attrs}, nil)
}

// besideSchema is what such a block holds: all but whose it is.
func (l *loader) besideSchema(k *schema.Kind) *hcl.BodySchema {
	s := &hcl.BodySchema{}
	for a := range k.Arguments() {
		if a != k.Owner() {
			s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: a.Name})
		}
	}
	return s
}

// ignoredName reads a path of ignore_changes by another tool's names. Blocks are
// lists there, of which one index leads to the object.
func (l *loader) ignoredName(b *Block, steps hcl.Traversal) (Ignore, bool) {
	name, at := stepName(steps[0]), steps.SourceRange()
	n := b.Alias.Naming(name)
	if !b.shows(n) {
		l.fail(at, "Unknown attribute", "ignore_changes lists attributes of %s, and %q is none.%s", b.Addr.Kind, name, didyoumean.Hint(name, b.names()))
		return Ignore{}, false
	}
	part, rest := Ignore{Attr: n.Attr}, steps[1:]
	switch {
	case n.Part != "" && n.Whole == nil:
		part.Path = cty.Path{}.Index(cty.StringVal(n.Part))
		return part, true
	case n.Part != "":
		return part, true
	case n.Shape == schema.Single && len(rest) > 0:
		rest = rest[1:]
		if len(rest) > 0 {
			for _, f := range n.Fields {
				if f.Name == stepName(rest[0]) && f.Attr != "" {
					part.Path = cty.Path{}.GetAttr(f.Attr)
					return part, true
				}
			}
			l.fail(at, "Invalid path", "There is nothing of that name within %s of %s.", name, b.Addr.Kind)
			return part, false
		}
	}
	part.Path = pathOf(rest)
	return part, true
}
