package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config/foreign"
	"hew/reconcile/didyoumean"
	"hew/reconcile/guard"
	"hew/schema"
)

var lifecycleSchema = hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "prevent_destroy"}, {Name: "ignore_changes"}, {Name: "allow"},
		{Name: "create_before_destroy"}, {Name: "replace_triggered_by"}},
	Blocks: []hcl.BlockHeaderSchema{{Type: "precondition"}, {Type: "postcondition"}},
}

// lifecycleSupport has the modes of blocks whose lifecycle supports only some arguments.
var lifecycleSupport = map[addr.Mode]struct {
	has []string
	why string
}{
	addr.Data: {
		[]string{"precondition", "postcondition"},
		"hew only reads data sources, so their lifecycle supports only precondition and postcondition.",
	},
	addr.Exclusive: {[]string{"allow"}, "An exclusive block declares no object, so its lifecycle supports only allow."},
}

func (l *loader) loadLifecycle(n *node, in *hcl.Block) {
	b := n.block
	content, _ := l.readBody(in.Body, &lifecycleSchema, "A lifecycle block", in.DefRange)
	may := lifecycleSupport[b.Addr.Mode]
	suits := func(name string, at hcl.Range) bool {
		if may.has == nil || slices.Contains(may.has, name) {
			return true
		}
		l.fail(at, "Unsupported argument", "%s", may.why)
		return false
	}
	for _, a := range sortAttributes(content.Attributes) {
		if !suits(a.Name, a.NameRange) {
			continue
		}
		switch a.Name {
		case "prevent_destroy":
			l.decodeConstant(a, &b.Lifecycle.PreventDestroy)
		case "create_before_destroy":
			l.decodeConstant(a, &b.Lifecycle.CreateBeforeDestroy)
		case "ignore_changes":
			b.Lifecycle.IgnoreChanges = l.readIgnoreChanges(b, a.Expr)
		case "replace_triggered_by":
			for _, item := range l.literalList(a.Name, a.Expr) {
				b.triggers = append(b.triggers, parseNative(item))
			}
		case "allow":
			b.Lifecycle.Allow, b.Lifecycle.AllowAt = l.readAllow(a), a.Range.Ptr()
		}
	}
	var blocks hcl.Blocks
	for _, inner := range content.Blocks {
		if suits(inner.Type, inner.DefRange) {
			blocks = append(blocks, inner)
		}
	}
	b.preconditions = l.loadConditions(blocks, "precondition")
	if after := l.loadConditions(blocks, "postcondition"); len(after) > 0 {
		b.postconditions = &node{
			name:   n.name + " postcondition",
			decl:   in.DefRange,
			rule:   &rule{conditions: after, of: n},
			repeat: b.repeat,
		}
		l.declare(b.postconditions)
	}
}

// readIgnoreChanges reads ignore_changes: all, or a list of attributes and paths into
// them. For a set kind they are attributes of its elements, or of one element, as in
// members["bob"].access_level.
func (l *loader) readIgnoreChanges(b *Block, expr hcl.Expression) (parts []Ignore) {
	k := b.Kind
	if hcl.ExprAsKeyword(expr) == "all" {
		return []Ignore{{All: true}}
	}
	for _, item := range l.literalList("ignore_changes", expr) {
		steps, ok := l.readPath(item)
		if !ok {
			l.fail(item.Range(), "Invalid ignore_changes path",
				"ignore_changes must list attributes and paths into them, such as [description, settings[\"level\"]].")
			continue
		}
		part, of := Ignore{}, k
		if set := k.Set; set != nil {
			of = l.kinds.Resources[set.Element]
			if steps.RootName() == set.Attr {
				if len(steps) == 1 {
					l.fail(item.Range(), "Invalid ignore_changes path",
						"ignore_changes cannot list %s as a whole, because the block manages nothing else. "+
							"Name one element, %s[\"NAME\"], or an attribute of every element: %s.",
						set.Attr, set.Attr, orList(l.shape(k, k.Attr(set.Attr)).elem.keys()))
					continue
				}
				part.Elem, steps = stepName(steps[1]), steps[2:]
			}
		}
		if len(steps) > 0 {
			part.Attr, part.Path = stepName(steps[0]), toPath(steps[1:])
			if b.Alias != nil {
				names := make([]string, len(steps))
				for i, step := range steps {
					names[i] = stepName(step)
				}
				for _, p := range foreign.TranslatePath(b.Alias, b.Addr.Kind, names, item.Range(), reporter{l}) {
					part := Ignore{Attr: p.Attr, Path: append(p.Path, toPath(steps[p.Rest:])...), All: p.Attr == ""}
					if p.Block == "" {
						parts = append(parts, part)
						continue
					}
					if b.nestedIgnores == nil {
						b.nestedIgnores = map[string][]Ignore{}
					}
					b.nestedIgnores[p.Block] = append(b.nestedIgnores[p.Block], part)
				}
				continue
			}
			if of.Attr(part.Attr) == nil {
				l.fail(item.Range(), "Unsupported attribute",
					"ignore_changes must list attributes, and %s has no attribute %q.%s",
					of.Name, part.Attr, didyoumean.Hint(part.Attr, attrNames(of)))
				continue
			}
			if !hasPath(of.Attr(part.Attr).Type, part.Path) {
				l.fail(item.Range(), "Invalid ignore_changes path",
					"%s of %s has no element at this ignore_changes path.", part.Attr, of.Name)
				continue
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// readPath reads an expression that is a path, or a string with one.
func (l *loader) readPath(e hcl.Expression) (hcl.Traversal, bool) {
	if t, diags := hcl.AbsTraversalForExpr(e); !diags.HasErrors() {
		return t, true
	}
	v, diags := e.Value(nil) // older configurations quote paths
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
		return unquoteKey(formatKey(s.Key))
	}
	return ""
}

func toPath(steps hcl.Traversal) (p cty.Path) {
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

// hasPath reports whether values of a type have something at a path.
func hasPath(t cty.Type, p cty.Path) bool {
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

// readAllow reads allow, a list of guard codes.
func (l *loader) readAllow(a *hcl.Attribute) (codes []string) {
	l.decodeConstant(a, &codes)
	for _, c := range codes {
		if known := guard.Liftable(); !slices.Contains(known, c) {
			l.fail(a.Expr.Range(), "Unknown guard",
				"allow names an unknown guard %q.%s Expected: %s.",
				c, didyoumean.Hint(c, known), orList(known))
		}
	}
	return codes
}
