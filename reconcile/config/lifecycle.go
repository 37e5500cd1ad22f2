package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/didyoumean"
	"hew/reconcile/guard"
	"hew/schema"
)

var lifecycleSchema = hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "prevent_destroy"}, {Name: "ignore_changes"}, {Name: "allow"},
		{Name: "create_before_destroy"}, {Name: "replace_triggered_by"}},
	Blocks: []hcl.BlockHeaderSchema{{Type: "precondition"}, {Type: "postcondition"}},
}

// lifecycles says what of a lifecycle block means something in which sort of
// block.
var lifecycles = map[addr.Mode]struct {
	has []string // nil: everything
	why string
}{
	addr.Data:      {[]string{"precondition", "postcondition"}, "A data source is read and nothing else, so its lifecycle has nothing but precondition and postcondition."},
	addr.Exclusive: {[]string{"allow"}, "An exclusive block declares no object, so its lifecycle has nothing but allow."},
}

func (l *loader) lifecycle(n *node, in *hcl.Block) {
	b := n.block
	content, _ := l.content(in.Body, &lifecycleSchema, "A lifecycle block", in.DefRange)
	may := lifecycles[b.Addr.Mode]
	suits := func(name string, at hcl.Range) bool {
		if may.has == nil || slices.Contains(may.has, name) {
			return true
		}
		l.fail(at, "Unsupported argument", "%s", may.why)
		return false
	}
	for _, a := range sorted(content.Attributes) {
		if !suits(a.Name, a.NameRange) {
			continue
		}
		switch a.Name {
		case "prevent_destroy":
			l.constant(a, &b.Lifecycle.PreventDestroy)
		case "create_before_destroy":
			l.constant(a, &b.Lifecycle.CreateBeforeDestroy)
		case "ignore_changes":
			b.Lifecycle.IgnoreChanges = l.ignored(b, a.Expr)
		case "replace_triggered_by":
			for _, item := range l.items(a.Name, a.Expr) {
				b.triggers = append(b.triggers, native(item))
			}
		case "allow":
			b.Lifecycle.Allow, b.Lifecycle.AllowAt = l.allowed(a), a.Range.Ptr()
		}
	}
	var blocks hcl.Blocks
	for _, inner := range content.Blocks {
		if suits(inner.Type, inner.DefRange) {
			blocks = append(blocks, inner)
		}
	}
	b.before = l.conditions(blocks, "precondition")
	if after := l.conditions(blocks, "postcondition"); len(after) > 0 {
		b.verified = &node{name: n.name + " postcondition", decl: in.DefRange, rule: &rule{conds: after, of: n}, repeat: b.repeat}
		l.declare(b.verified)
	}
}

// ignored reads ignore_changes: all, or a list of attributes and of paths into
// them; of a set kind attributes of its elements, for these are what changes,
// or single elements as in members["bob"].access_level.
func (l *loader) ignored(b *Block, expr hcl.Expression) (parts []Ignore) {
	k := b.Kind
	if hcl.ExprAsKeyword(expr) == "all" {
		return []Ignore{{All: true}}
	}
	for _, item := range l.items("ignore_changes", expr) {
		steps, ok := l.steps(item)
		if !ok {
			l.fail(item.Range(), "Invalid path", "ignore_changes lists attributes and paths into them, as in [description, settings[\"level\"]].")
			continue
		}
		part, of := Ignore{}, k
		if set := k.Set; set != nil {
			of = l.kinds.Resources[set.Element]
			if steps.RootName() == set.Attr {
				if len(steps) == 1 {
					l.fail(item.Range(), "Invalid path", "%s as a whole is what the block manages. Name one element of it, %s[\"NAME\"], or an attribute of all of them: %s.", set.Attr, set.Attr, orList(l.shape(k, k.Attr(set.Attr)).elem.keys()))
					continue
				}
				part.Elem, steps = stepName(steps[1]), steps[2:]
			}
		}
		if len(steps) > 0 {
			part.Attr, part.Path = stepName(steps[0]), pathOf(steps[1:])
			if b.Alias != nil {
				if part, ok = l.ignoredName(b, steps); ok {
					parts = append(parts, part)
				}
				continue
			}
			if of.Attr(part.Attr) == nil {
				l.fail(item.Range(), "Unknown attribute", "ignore_changes lists attributes of %s, and %q is none.%s", of.Name, part.Attr, didyoumean.Hint(part.Attr, attrNames(of)))
				continue
			}
			if !leads(of.Attr(part.Attr).Type, part.Path) {
				l.fail(item.Range(), "Invalid path", "There is nothing of that name within %s of %s.", part.Attr, of.Name)
				continue
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// steps reads an expression that is a path, or a text that holds one.
func (l *loader) steps(e hcl.Expression) (hcl.Traversal, bool) {
	if t, diags := hcl.AbsTraversalForExpr(e); !diags.HasErrors() {
		return t, true
	}
	v, diags := e.Value(nil) // older configurations quote them
	if diags.HasErrors() || v.Type() != cty.String || v.IsNull() {
		return nil, false
	}
	t, diags := hclsyntax.ParseTraversalAbs([]byte(v.AsString()), "", hcl.InitialPos)
	return t, !diags.HasErrors()
}

func stepName(step hcl.Traverser) string {
	switch s := step.(type) {
	case hcl.TraverseRoot:
		return s.Name
	case hcl.TraverseAttr:
		return s.Name
	case hcl.TraverseIndex:
		return unquoteKey(printedKey(s.Key))
	}
	return ""
}

func pathOf(steps hcl.Traversal) (p cty.Path) {
	for _, step := range steps {
		switch s := step.(type) {
		case hcl.TraverseAttr:
			p = p.GetAttr(s.Name)
		case hcl.TraverseIndex:
			p = p.Index(s.Key)
		}
	}
	return p
}

// leads tells whether values of a type have something at the path.
func leads(t cty.Type, p cty.Path) bool {
	for _, step := range p {
		name := ""
		if attr, ok := step.(cty.GetAttrStep); ok {
			name = attr.Name
		} else if key := step.(cty.IndexStep).Key; key.Type() == cty.String {
			name = key.AsString()
		}
		switch {
		case t == cty.NilType || t == cty.DynamicPseudoType:
			return true
		case t.IsObjectType() && t.HasAttribute(name):
			t = t.AttributeType(name)
		case t.IsMapType() || t.IsListType():
			t = t.ElementType()
		default:
			return false
		}
	}
	return true
}

func attrNames(k *schema.Kind) (names []string) {
	for i := range k.Attrs {
		names = append(names, k.Attrs[i].Name)
	}
	return names
}

// allowed reads allow: a list of guard codes.
func (l *loader) allowed(a *hcl.Attribute) (codes []string) {
	l.constant(a, &codes)
	for _, c := range codes {
		if liftable := guard.Liftable(); !slices.Contains(liftable, c) {
			l.fail(a.Expr.Range(), "Unknown guard", "%q is no guard that can be lifted here.%s The codes are %s.", c, didyoumean.Hint(c, liftable), orList(liftable))
		}
	}
	return codes
}
