package config

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// expandSet adds the elements of an instance of a set kind: objects with the owner, the
// key and the entry of the map. It returns why that is not possible yet, or "".
func (d *decoder) expandSet(of Desired) string {
	set := of.Block.Kind.Set
	kind := d.eval.cfg.kinds.Resources[set.Element]
	owner := kind.Owner()
	stated := schema.Object{Kind: kind}
	if v, ok := of.Object.Value.Get(owner.Name); ok {
		stated.Value.Set(owner, v)
	}
	whole := false
	if v, ok := of.Object.Value.Get(set.Exclusive); ok {
		bare, _ := v.Unmark()
		if !bare.IsKnown() {
			return set.Exclusive + " is not known yet"
		}
		whole = bare.True()
	}
	entries, ok := of.Object.Value.Get(set.Attr)
	if !ok { // null states nothing about elements
		entries = cty.EmptyObjectVal
	}
	bare, marks := entries.Unmark()
	at := of.Block.Range(set.Attr)
	t := bare.Type()
	if _, secret := marks[schema.Secret]; secret {
		d.fail(at, "Sensitive value not allowed", "Plans show the keys of %s, so they must not be sensitive.", set.Attr)
		return ""
	}
	if !bare.IsKnown() {
		return unknownKeys
	}
	if !t.IsMapType() && !t.IsObjectType() {
		d.fail(at, "Invalid value", "%s of %s must be a map: { NAME = { … } }.", set.Attr, of.Addr)
		return ""
	}
	if d.shape == nil {
		d.shape = shapeOf(d.eval.cfg.kinds, of.Block.Kind, of.Block.Kind.Attr(set.Attr)).elem
	}
	if whole {
		o := of
		o.Object, o.DeferUntil = stated, nil
		d.state.exclusives = append(d.state.exclusives, Exclusive{Addr: of.Addr, Kind: kind, Owner: o, Block: of.Block})
	}
	fold, seen := keyFolder(kind.Attr(set.Key)), map[string]string{}
	for key, entry := range bare.Elements() {
		name := key.AsString()
		if first, twice := seen[fold(name)]; twice {
			d.fail(at, "Duplicate key", "%q is the same key as %q of %s. Remove one of the two.", name, first, set.Attr)
			continue
		}
		seen[fold(name)] = name
		d.addElement(of, stated, name, entry, at)
	}
	return ""
}

// addElement adds one element.
func (d *decoder) addElement(of Desired, stated schema.Object, name string, entry cty.Value, at hcl.Range) {
	set, kind := of.Block.Kind.Set, stated.Kind
	out := of
	out.Addr.Elem = name
	out.Object = schema.Object{Kind: kind, Value: stated.Value.Clone()}
	fail := func(format string, args ...any) {
		where := entryRange(argumentExpr(of.Block, set.Attr),
			hcl.Traversal{hcl.TraverseIndex{Key: cty.StringVal(name)}}, at)
		d.fail(where, "Invalid value", "%s: %s", out.Addr, fmt.Sprintf(format, args...))
	}
	if name == "" {
		fail("a key of %s must not be empty.", set.Attr)
		return
	}
	key := kind.Attr(set.KeyFor(name))
	v, err := convertValue(key, cty.StringVal(name), nil)
	if err != nil {
		fail("the key: %s", err)
		return
	}
	out.Object.Value.Set(key, v)
	bare, marks := entry.Unmark()
	if t := bare.Type(); bare.IsNull() || !(t.IsObjectType() || t.IsMapType() || t == cty.DynamicPseudoType) {
		fail("must be an object, such as { %s }.", exampleEntry(kind, set))
		return
	}
	fields := map[string]cty.Value{}
	if bare.IsKnown() {
		fields = bare.AsValueMap()
	}
	if err := d.shape.check(entry, of.Block.Kind); err != nil {
		fail("%s", err)
		return
	}
	for a := range kind.Arguments() {
		if a == kind.Owner() || a == key {
			continue
		}
		v, ok := fields[a.Name]
		if !bare.IsKnown() {
			v, ok = cty.DynamicVal, a.Mode == schema.Required
		}
		if ok {
			v, err = convertValue(a, v.WithMarks(marks), typeShape(a.Type))
			if err != nil {
				fail("%s: %s", a.Name, err)
				continue
			}
		}
		if !ok || v.IsNull() {
			if a.Mode == schema.Required {
				fail("%s is required.", a.Name)
			}
			continue
		}
		out.Object.Value.Set(a, v)
	}
	d.state.elems = append(d.state.elems, out)
}

func argumentExpr(b *Block, name string) hcl.Expression {
	for _, w := range b.args {
		if w.attr.Name == name {
			return w.expr
		}
	}
	return nil
}

// exampleEntry returns an example of an entry: its first argument other than owner and
// key.
func exampleEntry(k *schema.Kind, set *schema.Set) string {
	for a := range k.Arguments() {
		if a != k.Owner() && a.Name != set.Key {
			return a.Name + " = …"
		}
	}
	return "…"
}
