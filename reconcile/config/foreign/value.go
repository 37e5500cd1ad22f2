package foreign

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/schema"
)

// Value returns what an alias's name stands for in expressions, in Terraform's
// type. get returns the kind's attributes by their own names; marks on them are
// kept.
func Value(a *schema.Alias, n *schema.Naming, get func(attr string) cty.Value) cty.Value {
	if composedID(a, n) {
		return composeID(a, get)
	}
	v, marks := get(n.Attr).Unmark()
	switch {
	case n.Part != "":
		v = elementOf(v, n.Part)
	case n.Shape == schema.Single:
		v = blockOf(v, n.Fields)
	}
	switch {
	case n.Out == nil:
	case v.IsNull():
		v = cty.NullVal(cty.DynamicPseudoType)
	case !v.IsKnown():
		v = cty.DynamicVal
	default:
		v = n.Out(v)
	}
	if n.Secret {
		v = v.Mark(schema.Secret)
	}
	return v.WithMarks(marks)
}

// IsAttribute reports whether a name stands for one attribute as a whole, and not
// for a part of one or for several.
func IsAttribute(a *schema.Alias, n *schema.Naming) bool { return n.Part == "" && !composedID(a, n) }

// composedID reports whether a name is an ID that is made of several attributes.
func composedID(a *schema.Alias, n *schema.Naming) bool { return n.Name == "id" && a.ID != "" }

// composeID makes the ID, which is unknown until all of its parts are known.
func composeID(a *schema.Alias, get func(attr string) cty.Value) cty.Value {
	marks := cty.ValueMarks{}
	known := true
	id := a.Fill(func(attr string) string {
		v, m := get(attr).Unmark()
		for mark := range m {
			marks[mark] = struct{}{}
		}
		text, err := convert.Convert(v, cty.String)
		if err != nil || !text.IsKnown() {
			known = false
			return ""
		}
		if text.IsNull() {
			return ""
		}
		return text.AsString()
	})
	if !known {
		return cty.UnknownVal(cty.String).WithMarks(marks)
	}
	return cty.StringVal(id).WithMarks(marks)
}

// elementOf returns the element of a map, null where it has none.
func elementOf(v cty.Value, key string) cty.Value {
	switch {
	case !v.IsKnown() || !v.Type().IsMapType():
		return cty.UnknownVal(cty.DynamicPseudoType)
	case v.IsNull() || !v.HasIndex(cty.StringVal(key)).True():
		return cty.NullVal(v.Type().ElementType())
	}
	return v.Index(cty.StringVal(key))
}

// blockOf returns an object as Terraform shows a nested block: a list of one
// object, or of none.
func blockOf(v cty.Value, fields []schema.Naming) cty.Value {
	switch {
	case !v.IsKnown() || !v.Type().IsObjectType():
		return cty.DynamicVal
	case v.IsNull():
		return cty.EmptyTupleVal
	}
	out := map[string]cty.Value{}
	for _, f := range fields {
		if f.Attr == "" || !v.Type().HasAttribute(f.Attr) {
			continue
		}
		field, marks := v.GetAttr(f.Attr).Unmark()
		if f.Out != nil {
			field = f.Out(field)
		}
		out[f.Name] = field.WithMarks(marks)
	}
	return cty.TupleVal([]cty.Value{cty.ObjectVal(out)})
}
