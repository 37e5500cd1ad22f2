package config

import (
	"fmt"
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/schema"
)

// ElementName returns the name of an element of an attribute with several references.
func ElementName(attr string, i int) string { return fmt.Sprintf("%s[%d]", attr, i) }

// resolveReference returns the value of a reference; an object stands for its ID. v is raw
// without origins, and self the instance that it identifies, if any.
func (d *decoder) resolveReference(a *schema.Attr, v, raw cty.Value, self *addr.Instance,
	from *instanceSet) (cty.Value, *addr.Instance, error) {
	switch t := v.Type(); {
	case v.IsNull():
		return v, self, nil
	case t.IsObjectType() && !t.HasAttribute("id"):
		return v, nil, fmt.Errorf("must be %s; this object has no id attribute", referenceForms(a))
	case t.IsObjectType():
		raw, _ = raw.Unmark()
		raw = raw.GetAttr("id")
		v, self = stripOrigins(raw, from)
	case t == cty.Bool, t.IsMapType(), t.IsTupleType(), t.IsListType(), t.IsSetType():
		return v, nil, fmt.Errorf("must be %s, not %s", referenceForms(a), typeName(withoutLength(t)))
	}
	if self != nil && d.eval.cfg.isWrongKind(*self, a.RefKind(), v) {
		return v, nil, fmt.Errorf("must be %s; %s is a %s", referenceForms(a), *self, self.Kind)
	}
	if found, kind := d.eval.cfg.foundKind(raw); kind != "" && kind != a.RefKind() &&
		d.eval.cfg.kinds.Resources[a.RefKind()] != nil {
		return v, nil, fmt.Errorf("must be %s; %s is a %s", referenceForms(a), found, kind)
	}
	return v, self, nil
}

// isWrongKind reports whether a value that identifies an instance is used as a reference
// to another kind. In the names of an alias IDs are strings, and so are paths, which may
// be those of any kind.
func (c *Config) isWrongKind(i addr.Instance, ref string, v cty.Value) bool {
	kind := c.kinds.Resource(i.Kind)
	if kind == nil || kind.Name == ref || c.kinds.Resources[ref] == nil {
		return false
	}
	if v.Type() != cty.String {
		return true
	}
	return c.kinds.AliasOf(i.Kind) != nil && (!v.IsKnown() || strings.Trim(v.AsString(), "0123456789") == "")
}

func referenceForms(a *schema.Attr) string {
	return fmt.Sprintf("a %s (its id, its path or name, or the resource itself)", a.RefKind())
}

// resolveReferences returns the values of a list of references as a tuple. unknown holds
// those that refer to objects not created yet, by Part.
func (d *decoder) resolveReferences(a *schema.Attr, raw cty.Value,
	from *instanceSet) (cty.Value, map[string]addr.Instance, error) {
	list, marks := raw.Unmark()
	_, _ = stripOrigins(cty.EmptyTupleVal.WithMarks(marks), from)
	_, secret := marks[schema.Secret]
	switch t := list.Type(); {
	case secret:
		return list, nil, errSensitive
	case list.IsNull():
		return cty.NullVal(cty.DynamicPseudoType), nil, nil
	case t != cty.DynamicPseudoType && !t.IsTupleType() && !t.IsListType() && !t.IsSetType():
		return list, nil, fmt.Errorf("must be a list, not %s. Write it in brackets, [ … ], where each element is %s",
			typeName(t), referenceForms(a))
	case !list.IsKnown():
		items, ok := d.probeElements(a)
		if !ok {
			return cty.DynamicVal, nil, nil
		}
		list = cty.TupleVal(items)
	}
	one := *a // check each element like a single value
	rule := *a.Ref
	rule.Many = false
	one.Ref, one.Type, one.Accepts.Check = &rule, cty.DynamicPseudoType, nil
	origins := sync.OnceValue(func() []*addr.Instance { return d.probeOrigins(a) }) // only if an element needs them
	var items []cty.Value
	var unknown map[string]addr.Instance
	for _, item := range list.Elements() {
		v, self := stripOrigins(item, from)
		if self == nil && !v.IsKnown() {
			self = elementOrigin(origins(), len(items))
			from.addOptional(self)
		}
		v, self, err := d.resolveReference(&one, v, item, self, from)
		switch {
		case err == nil && v.IsNull():
			return list, nil, errNullElement
		case err == nil:
			v, err = convertValue(&one, v, nil)
		}
		if err != nil {
			return list, nil, fmt.Errorf("element [%d] %w", len(items), err)
		}
		if self != nil && !v.IsKnown() {
			if unknown == nil {
				unknown = map[string]addr.Instance{}
			}
			unknown[ElementName(a.Name, len(items))] = *self
		}
		items = append(items, v)
	}
	return cty.TupleVal(items), unknown, nil
}

// elementOrigin returns the object that the i-th element of an argument leads to, or nil.
func elementOrigin(origins []*addr.Instance, i int) *addr.Instance {
	if i >= len(origins) {
		return nil
	}
	return origins[i]
}

// countUnknown returns how many references in a value are unknown.
func countUnknown(a *schema.Attr, v cty.Value) (n int) {
	switch {
	case v.IsWhollyKnown():
		return 0
	case !a.ManyRefs() || !v.IsKnown():
		return 1
	}
	for _, item := range v.Elements() {
		if !item.IsWhollyKnown() {
			n++
		}
	}
	return n
}

// markOrigins marks unknown references with the instances that they refer to.
func markOrigins(a *schema.Attr, v cty.Value, unknown map[string]addr.Instance) cty.Value {
	if from, is := unknown[a.Name]; is {
		return MarkOrigin(from, v)
	}
	if !a.ManyRefs() || len(unknown) == 0 || !v.IsKnown() || v.IsNull() {
		return v
	}
	items := v.AsValueSlice()
	for i, item := range items {
		if from, is := unknown[ElementName(a.Name, i)]; is {
			items[i] = MarkOrigin(from, item)
		}
	}
	return cty.TupleVal(items)
}
