package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/schema"
)

// A block with another tool's name for its kind is read by that tool's names and
// made into what the kind has: each attribute gets an expression made of those
// that are written. All that comes after evaluates it like any other.

// aliasOf is the other name that a block goes by, or nil.
func (c *Config) aliasOf(mode addr.Mode, typ string) *schema.Alias {
	switch mode {
	case addr.Resource:
		return c.kinds.Aliases[typ]
	case addr.Data:
		return c.kinds.Aliases["data."+typ]
	}
	return nil
}

// aliasSchema is what a block of another name may hold.
func (l *loader) aliasSchema(a *schema.Alias) *hcl.BodySchema {
	if s := l.faces[a]; s != nil {
		return s
	}
	s := &hcl.BodySchema{
		Attributes: append(slices.Clone(metaSchema), hcl.AttributeSchema{Name: "provider"}),
		Blocks:     []hcl.BlockHeaderSchema{{Type: "lifecycle"}, {Type: "timeouts"}, {Type: "dynamic", LabelNames: []string{"block"}}},
	}
	if a.By != "" {
		s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: a.By})
	}
	for _, n := range a.Names {
		if n.Shape == schema.Argument {
			s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: n.Name})
		} else {
			s.Blocks = append(s.Blocks, hcl.BlockHeaderSchema{Type: n.Name})
		}
	}
	if l.faces == nil {
		l.faces = map[*schema.Alias]*hcl.BodySchema{}
	}
	l.faces[a] = s
	return s
}

// caseOf is the one of several kinds that a block says itself to be.
func (l *loader) caseOf(b *hcl.Block, a *schema.Alias) *schema.Alias {
	content, _, _ := b.Body.PartialContent(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: a.By}}})
	in := content.Attributes[a.By]
	if in == nil {
		l.fail(b.DefRange, "Missing required argument", "%s.%s needs the argument %q: add a line %s = …", b.Labels[0], b.Labels[1], a.By, a.By)
		return nil
	}
	v, diags := in.Expr.Value(nil)
	if !diags.HasErrors() && v.Type() == cty.String && !v.IsNull() && a.Cases[v.AsString()] != nil {
		return a.Cases[v.AsString()]
	}
	l.fail(in.Expr.Range(), "Invalid value", "%s says what kind of thing this is, so it stands as it is, without variables: %s.", a.By, orList(slices.Sorted(maps.Keys(a.Cases))))
	return nil
}

// otherName says what an attribute is called where a block has another tool's
// names, or "".
func (l *loader) otherName(s *hcl.BodySchema, attr string) string {
	for a, of := range l.faces {
		if n := a.For(attr); of == s && n != nil {
			return calledThere(n)
		}
	}
	return ""
}

func calledThere(n *schema.Naming) string {
	return fmt.Sprintf("In Terraform it is called %q.", n.Name)
}

// translation gathers what a block of another name states.
type translation struct {
	*loader
	block  *Block
	alias  *schema.Alias
	stated map[string]string  // by attribute, the name that states it
	parts  map[string][]entry // of attributes that several names make
}

// translate reads the arguments of a block by the names of its alias. meant are
// the names that misspelt ones probably stand for.
func (l *loader) translate(b *Block, content *hcl.BodyContent, meant map[string]bool) {
	t := translation{loader: l, block: b, alias: b.Alias, stated: map[string]string{}, parts: map[string][]entry{}}
	for i := range b.Alias.Names {
		n := &b.Alias.Names[i]
		if in := content.Attributes[n.Name]; in != nil && n.Name != b.Alias.By { // which has chosen the kind already
			t.argument(n, in)
		}
		if n.Shape == schema.Single || n.Shape == schema.Repeated {
			t.blocks(n, content.Blocks)
		}
	}
	t.whole()
	for i := range b.Alias.Names {
		t.unstated(&b.Alias.Names[i], content.Attributes)
	}
	for name, v := range b.Alias.Fixed {
		t.states(b.Kind.Attr(name), name, hcl.StaticExpr(v, b.Decl), b.Decl, b.Decl)
	}
	t.required(meant)
}

// argument reads one argument.
func (t *translation) argument(n *schema.Naming, in *hcl.Attribute) {
	a := t.block.Kind.Attr(n.Attr)
	switch {
	case a == nil:
		t.passedOver(n, in.Expr, in.NameRange, t.block.Addr.String())
		return
	case n.Shown || a.Mode == schema.Computed:
		t.fail(in.NameRange, "Computed attribute", "%s of %s is set by the host; configuration can refer to it and cannot state it. Remove the line.", n.Name, t.block.Addr.Kind)
		return
	case n.Part != "":
		if a.Secret || n.Secret || slices.Contains(a.Hidden, n.Part) {
			t.mask(in.Expr)
		}
		t.parts[a.Name] = append(t.parts[a.Name], entry{n.Part, t.value(n, in.Expr), in.Range})
		return
	case a.Secret:
		t.mask(in.Expr)
	}
	t.states(a, n.Name, t.value(n, in.Expr), in.Range, in.NameRange)
}

// value is the expression of the attribute's value.
func (t *translation) value(n *schema.Naming, e hcl.Expression) hcl.Expression {
	if n.In != nil && n.Of == "" {
		e = converted(e, n.Name+" of "+t.block.Addr.String(), n.In)
	}
	if n.Default != cty.NilVal {
		e = withDefault(e, n.Default)
	}
	return e
}

// states makes an expression the value of an attribute, once.
func (t *translation) states(a *schema.Attr, name string, e hcl.Expression, at, nameAt hcl.Range) {
	if first, twice := t.stated[a.Name]; twice {
		t.fail(nameAt, "Conflicting arguments", "%s and %s are two names of one thing. Write one of them.", name, first)
		return
	}
	t.stated[a.Name] = name
	t.attribute(t.block, a, &hcl.Attribute{Name: name, Expr: e, Range: at, NameRange: nameAt})
}

// whole makes one value of the parts of each attribute that has some.
func (t *translation) whole() {
	for i := range t.block.Kind.Attrs {
		a := &t.block.Kind.Attrs[i]
		entries := t.parts[a.Name]
		if len(entries) == 0 {
			continue
		}
		at := entries[0].at
		e := objectOf(entries, at, nil).stating()
		if whole := t.alias.For(a.Name).Whole; whole != nil {
			e = converted(e, a.Name+" of "+t.block.Addr.String(), func(v cty.Value) (cty.Value, error) { return whole(v.AsValueMap()) })
		}
		t.states(a, a.Name, e, at, at)
	}
}

// unstated gives what is left out the value that the other tool gives it.
func (t *translation) unstated(n *schema.Naming, written hcl.Attributes) {
	a := t.block.Kind.Attr(n.Attr)
	if a == nil || n.Part != "" || t.stated[n.Attr] != "" {
		return
	}
	switch of := written[n.Of]; {
	case n.Default != cty.NilVal:
		t.states(a, n.Name, hcl.StaticExpr(n.Default, t.block.Decl), t.block.Decl, t.block.Decl)
	case n.Of != "" && of != nil:
		t.states(a, n.Name, converted(of.Expr, n.Name+" of "+t.block.Addr.String(), n.In), of.Range, of.NameRange)
	}
}

// required tells of what is missing.
func (t *translation) required(meant map[string]bool) {
	for i := range t.block.Kind.Attrs {
		a := &t.block.Kind.Attrs[i]
		n := t.alias.For(a.Name)
		if a.Mode != schema.Required || t.stated[a.Name] != "" || n == nil {
			continue
		}
		t.block.flawed = true
		if meant[n.Name] {
			continue
		}
		t.fail(t.block.Decl, "Missing required argument", "%s needs the argument %q: add a line %s = …%s", t.block.Addr, n.Name, n.Name, because(n.Note))
	}
}

// passedOver tells of an argument without a counterpart: an error where it was
// meant to make a difference.
func (t *translation) passedOver(n *schema.Naming, e hcl.Expression, at hcl.Range, of string) {
	v, diags := e.Value(nil)
	bare, _ := v.Unmark()
	switch {
	case !diags.HasErrors() && bare.IsKnown() && (bare.IsNull() || bare.Type() == cty.Bool && bare.False()):
		// which it is without it
	case n.Refused:
		t.fail(at, "Unsupported argument", "%s of %s has no counterpart%s", n.Name, of, because(n.Note))
	default:
		t.note(at, "%s of %s has no effect%s", n.Name, of, because(n.Note))
	}
}

// because goes on from a sentence with a reason, and ends it.
func because(note string) string {
	if note == "" {
		return "."
	}
	return ": " + note + "."
}
