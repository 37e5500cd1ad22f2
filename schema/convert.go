package schema

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// fewElements is how many elements the library converts at once.
const fewElements = 100

// Convert converts a value to a type as [convert.Convert] does, in time that is linear in the
// number of elements. To find the type of a list, the library compares the type of each element of
// a tuple with that of every other, which takes a minute for fifty thousand.
func Convert(v cty.Value, want cty.Type) (cty.Value, error) {
	if out, ok := convertElements(v, want); ok {
		return out, nil
	}
	if out, err := convert.Convert(convertAttributes(v, want), want); err == nil {
		return out, nil
	}
	return convert.Convert(v, want) // for an error that is about v
}

// convertAttributes converts those attributes of an object that are to be collections.
func convertAttributes(v cty.Value, want cty.Type) cty.Value {
	bare, marks := v.Unmark()
	if !bare.Type().IsObjectType() || !want.IsObjectType() || bare.IsNull() || !bare.IsKnown() {
		return v
	}
	out := bare.AsValueMap()
	for name, item := range out {
		if !want.HasAttribute(name) {
			continue
		}
		if t := want.AttributeType(name); t.IsCollectionType() || t.IsObjectType() {
			if item, err := Convert(item, t); err == nil {
				out[name] = item
			}
		}
	}
	return cty.ObjectVal(out).WithMarks(marks)
}

// convertElements converts a large tuple to a list or set, or a large object to a map, one element
// at a time. ok is false where the result would not be certain; the library then converts the value
// or says what is wrong with it.
func convertElements(v cty.Value, want cty.Type) (out cty.Value, ok bool) {
	bare, marks := v.Unmark()
	t := bare.Type()
	tuple := t.IsTupleType() && (want.IsListType() || want.IsSetType())
	object := t.IsObjectType() && want.IsMapType()
	if !tuple && !object || bare.IsNull() || !bare.IsKnown() || bare.LengthInt() == 0 {
		return v, false
	}
	if e := want.ElementType(); bare.LengthInt() <= fewElements && !e.IsCollectionType() && !e.IsObjectType() {
		return v, false
	}
	element, ok := elementType(t, want.ElementType())
	if !ok {
		return v, false
	}
	var items []cty.Value
	members := map[string]cty.Value{}
	for it := bare.ElementIterator(); it.Next(); {
		key, item := it.Element()
		item, err := Convert(item, element)
		if err != nil || len(items) > 0 && !item.Type().Equals(items[0].Type()) {
			return v, false
		}
		items = append(items, item)
		if object {
			members[key.AsString()] = item
		}
	}
	switch {
	case items[0].Type().HasDynamicTypes():
		return v, false
	case object:
		out = cty.MapVal(members)
	case want.IsSetType():
		out = cty.SetVal(items)
	default:
		out = cty.ListVal(items)
	}
	return out.WithMarks(marks), true
}

// elementType returns the type that the elements of a tuple or object are converted to: the wanted
// one, or one that all of their types can be converted to.
func elementType(t, want cty.Type) (cty.Type, bool) {
	if want != cty.DynamicPseudoType {
		return want, true
	}
	types := elementTypes([]cty.Type{t})
	for _, e := range types {
		if e.HasDynamicTypes() {
			return cty.NilType, false
		}
	}
	one := Unify(types)
	return one, one != cty.NilType
}
