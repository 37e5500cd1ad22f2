package config

import (
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/reconcile/addr"
	"hew/schema"
)

// accept turns what an expression gave into a value of the attribute. v is raw
// without its origins.
func (d *decoder) accept(a *schema.Attr, v, raw cty.Value, self *addr.Instance, from *pile) (cty.Value, *addr.Instance, error) {
	if a.Ref != "" && !v.IsNull() {
		if t := v.Type(); t.IsObjectType() {
			if !t.HasAttribute("id") {
				return v, nil, fmt.Errorf("takes %s, and this object has no id", refForms(a))
			}
			raw, _ = raw.Unmark()
			v, self = strip(raw.GetAttr("id"), from)
		} else if t.IsTupleType() || t.IsListType() || t.IsSetType() {
			v = ids(v)
		} else if t == cty.Bool || t.IsMapType() {
			return v, nil, fmt.Errorf("takes %s, and this is %s", refForms(a), typeName(t))
		}
		if self != nil && self.Kind != a.Ref && v.Type() != cty.String && d.eval.cfg.kinds.Resources[a.Ref] != nil {
			return v, nil, fmt.Errorf("takes %s, and %s is a %s", refForms(a), *self, self.Kind)
		}
	} else if a.Ref == "" {
		self = nil
	}
	if k := d.node.block.Kind; k.Set != nil && k.Set.Attr == a.Name && d.node.block.Addr.Mode == addr.Resource {
		return v, nil, nil // each entry is checked as an element
	}
	v, err := value(a, v, typeShape(a.Type))
	return v, self, err
}

func refForms(a *schema.Attr) string {
	return fmt.Sprintf("a %s: its id, its path or name, or the resource itself", a.Ref)
}

// ids replaces objects in a list of references by their ids.
func ids(v cty.Value) cty.Value {
	bare, marks := v.Unmark()
	if bare.IsNull() || !bare.IsKnown() || bare.LengthInt() == 0 {
		return v
	}
	var out []cty.Value
	for _, item := range bare.Elements() {
		if inner, m := item.Unmark(); inner.Type().IsObjectType() && inner.Type().HasAttribute("id") {
			item = inner.GetAttr("id").WithMarks(m)
		}
		out = append(out, item)
	}
	return cty.TupleVal(out).WithMarks(marks)
}

// value converts v to the attribute's type, checks it where it is known, and
// marks secrets. Null means not stated, whatever its type.
func value(a *schema.Attr, v cty.Value, s *shape) (cty.Value, error) {
	if v.IsNull() {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	secret := schema.IsSecret(v)
	if err := s.check(v, nil); err != nil {
		return v, err
	}
	if a.Type != cty.NilType {
		out, err := convert.Convert(v, a.Type)
		if err != nil {
			return v, misfit(v.Type(), a.Type, err)
		}
		v = out
	}
	if err := whole(v); err != nil {
		return v, err
	}
	if a.Check != nil && v.IsWhollyKnown() {
		if err := a.Check(a.Canonical(v)); err != nil {
			if secret || a.Secret {
				err = errors.New("the secret's value is not acceptable") // the reason may quote it
			}
			return v, err
		}
	}
	if a.Secret && !v.HasMark(schema.Secret) {
		v = v.Mark(schema.Secret)
	}
	return v, nil
}

// whole finds what no host can be told: numbers without an end, and nulls in
// lists and sets.
func whole(v cty.Value) error {
	v, _ = v.Unmark()
	t := v.Type()
	switch {
	case v.IsNull() || !v.IsKnown():
	case t == cty.Number && v.AsBigFloat().IsInf():
		return errors.New("is no number: something is divided by zero")
	case t.IsCollectionType() || t.IsObjectType() || t.IsTupleType():
		row := t.IsListType() || t.IsSetType()
		for _, item := range v.Elements() {
			if row && item.IsKnown() && item.IsNull() {
				return errors.New("has an element that is null. Leave it out, or filter it: [for x in LIST : x if x != null]")
			}
			if err := whole(item); err != nil {
				return err
			}
		}
	}
	return nil
}
