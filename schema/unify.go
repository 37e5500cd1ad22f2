package schema

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Unify returns the type that [convert.UnifyUnsafe] finds for types, or [cty.NilType] if they have
// none in common, in time that is linear in the size of the types. The library compares each with
// every other. It also returns NilType for more than a hundred different types that are neither
// all objects nor all tuples, if one of them is not known yet or is of another kind.
func Unify(types []cty.Type) cty.Type {
	types = distinctTypes(types)
	lists, tuples := count(types, cty.Type.IsListType), count(types, cty.Type.IsTupleType)
	maps, objects := count(types, cty.Type.IsMapType), count(types, cty.Type.IsObjectType)
	n := len(types)
	switch {
	case n == 0:
		return cty.NilType
	case n == 1:
		return types[0]
	case slices.ContainsFunc(types, cty.Type.HasDynamicTypes):
	case objects == n:
		return unifyObjects(types)
	case tuples == n:
		return unifyTuples(types)
	case objects > 0 && tuples > 0:
		return cty.NilType
	case lists == n, maps == n, count(types, cty.Type.IsSetType) == n:
		return collectionLike(types[0], Unify(elementTypes(types)))
	case lists+tuples == n, maps+objects == n:
		if one := unifyWithCollections(types); one != cty.NilType {
			return one
		}
	}
	if n > fewElements {
		return cty.NilType
	}
	one, _ := convert.UnifyUnsafe(types)
	return one
}

// unifyObjects returns an object with the attributes of all types, or a map if they differ.
func unifyObjects(types []cty.Type) cty.Type {
	first := types[0].AttributeTypes()
	for _, t := range types[1:] {
		same := len(t.AttributeTypes()) == len(first)
		for name := range first {
			same = same && t.HasAttribute(name)
		}
		if !same {
			return collectionLike(cty.Map(cty.String), Unify(elementTypes(types)))
		}
	}
	out := make(map[string]cty.Type, len(first))
	across := make([]cty.Type, len(types))
	for name := range first {
		for i, t := range types {
			across[i] = t.AttributeType(name)
		}
		if out[name] = Unify(across); out[name] == cty.NilType {
			return cty.NilType
		}
	}
	return cty.Object(out)
}

// unifyTuples returns a tuple with the elements of all types, or a list if their lengths differ.
func unifyTuples(types []cty.Type) cty.Type {
	out := make([]cty.Type, types[0].Length())
	for _, t := range types[1:] {
		if t.Length() != len(out) {
			return collectionLike(cty.List(cty.String), Unify(elementTypes(types)))
		}
	}
	across := make([]cty.Type, len(types))
	for k := range out {
		for i, t := range types {
			across[i] = t.TupleElementType(k)
		}
		if out[k] = Unify(across); out[k] == cty.NilType {
			return cty.NilType
		}
	}
	return cty.Tuple(out)
}

// unifyWithCollections unifies lists and tuples, or maps and objects: first those that are no
// collections, as the library does.
func unifyWithCollections(types []cty.Type) cty.Type {
	var collections, others []cty.Type
	for _, t := range types {
		if t.IsCollectionType() {
			collections = append(collections, t)
		} else {
			others = append(others, t)
		}
	}
	first := collectionLike(collections[0], Unify(elementTypes(others)))
	if first == cty.NilType {
		return cty.NilType
	}
	return Unify(append(collections, first))
}

// collectionLike returns a collection of the same sort as like, or NilType if the elements
// have no common type.
func collectionLike(like, element cty.Type) cty.Type {
	switch {
	case element == cty.NilType:
		return cty.NilType
	case like.IsListType():
		return cty.List(element)
	case like.IsSetType():
		return cty.Set(element)
	}
	return cty.Map(element)
}

// elementTypes returns the types of all elements of the types.
func elementTypes(types []cty.Type) (out []cty.Type) {
	for _, t := range types {
		switch {
		case t.IsTupleType():
			out = append(out, t.TupleElementTypes()...)
		case t.IsObjectType():
			for _, e := range t.AttributeTypes() {
				out = append(out, e)
			}
		default:
			out = append(out, t.ElementType())
		}
	}
	return out
}

// distinctTypes returns the types without duplicates, in their order.
func distinctTypes(types []cty.Type) (out []cty.Type) {
	const few = 4 // that are compared one by one
	seen := map[string]bool{}
	for _, t := range types {
		if slices.ContainsFunc(out[:min(few, len(out))], t.Equals) {
			continue
		}
		if name := t.GoString(); !seen[name] {
			seen[name] = true
			out = append(out, t)
		}
	}
	return out
}

func count(types []cty.Type, is func(cty.Type) bool) (n int) {
	for _, t := range types {
		if is(t) {
			n++
		}
	}
	return n
}
