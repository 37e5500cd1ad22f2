package function

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// reduceBools returns a function that combines bools. null counts as false.
func reduceBools(start cty.Value, join func(a, b cty.Value) cty.Value) function.Function {
	return staticFunc(cty.Bool, func(args []cty.Value) (cty.Value, error) {
		all := start
		for _, v := range args[0].AsValueSlice() {
			if v.IsNull() {
				v = cty.False
			}
			all = join(all, v)
		}
		return all, nil
	}, param("list", cty.List(cty.Bool)))
}

// coalesce skips empty strings, which the library's function does not.
var coalesce = function.New(&function.Spec{
	VarParam: &function.Parameter{
		Name:             "values",
		Type:             cty.DynamicPseudoType,
		AllowMarked:      true,
		AllowNull:        true,
		AllowUnknown:     true,
		AllowDynamicType: true,
	},
	Type: function.StaticReturnType(cty.DynamicPseudoType),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		some := false
		args = slices.Clone(args)
		for i, v := range args {
			if bare, marks := v.Unmark(); bare.RawEquals(cty.StringVal("")) {
				args[i] = cty.NullVal(cty.String).WithMarks(marks)
			}
			some = some || !args[i].IsNull()
		}
		if !some {
			return cty.NilVal, errors.New("all of the values are null or empty. Add a fallback as the last argument")
		}
		return stdlib.Coalesce(args...)
	},
})

// indexFunc returns the index of a value; the library's function of this name returns an
// element.
var indexFunc = staticFunc(cty.Number, func(args []cty.Value) (cty.Value, error) {
	if t := args[0].Type(); !t.IsListType() && !t.IsTupleType() {
		return cty.NilVal, function.NewArgErrorf(0, "must be a list")
	}
	for i, v := range args[0].AsValueSlice() {
		switch same := v.Equals(args[1]); {
		case !same.IsKnown():
			return cty.UnknownVal(cty.Number), nil
		case same.True():
			return cty.NumberIntVal(int64(i)), nil
		}
	}
	return cty.NilVal, function.NewArgErrorf(1, "the list has no such element. Check with contains() first")
}, param("list", cty.DynamicPseudoType), param("value", cty.DynamicPseudoType))

var lengthFunc = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "value", Type: cty.DynamicPseudoType, AllowDynamicType: true, AllowUnknown: true, AllowMarked: true},
	},
	Type: function.StaticReturnType(cty.Number), RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		v, marks := args[0].Unmark() // the length of a list with a secret is not secret
		n, err := length(v)
		if err != nil {
			return cty.NilVal, err
		}
		return n.WithMarks(marks), nil
	},
})

func length(v cty.Value) (cty.Value, error) {
	switch t := v.Type(); {
	case t == cty.String:
		return stdlib.Strlen(v)
	case t.IsObjectType():
		return cty.NumberIntVal(int64(len(t.AttributeTypes()))), nil
	case t == cty.DynamicPseudoType:
		return cty.UnknownVal(cty.Number), nil
	case t.IsTupleType(), t.IsCollectionType():
		return stdlib.Length(v)
	default:
		return cty.NilVal, function.NewArgErrorf(0, "must be a string, list, set, map or object")
	}
}

// lookupFunc accepts a call without a default, which the library's function does not.
var lookupFunc = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "map", Type: cty.DynamicPseudoType, AllowMarked: true},
		{Name: "key", Type: cty.String, AllowMarked: true},
	},
	VarParam: &function.Parameter{
		Name:             "default",
		Type:             cty.DynamicPseudoType,
		AllowMarked:      true,
		AllowNull:        true,
		AllowUnknown:     true,
		AllowDynamicType: true,
	},
	Type: function.StaticReturnType(cty.DynamicPseudoType),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if t := args[0].Type(); !t.IsMapType() && !t.IsObjectType() {
			return cty.NilVal, function.NewArgErrorf(0, "must be a map or an object")
		}
		if len(args) > 3 {
			return cty.NilVal, function.NewArgErrorf(3, "lookup accepts only one default")
		}
		v, diags := hcl.Index(args[0], args[1], nil)
		switch {
		case !diags.HasErrors():
			return v, nil
		case len(args) == 2:
			key, _ := args[1].Unmark()
			return cty.NilVal, function.NewArgErrorf(1,
				"there is no element with the key %q. Add a third argument as the default", key.AsString())
		}
		fallback, marks := args[2], cty.NewValueMarks(topMarks(args[0]), topMarks(args[1]))
		if t := args[0].Type(); t.IsMapType() {
			var err error
			if fallback, err = convert.Convert(fallback, t.ElementType()); err != nil {
				return cty.NilVal, function.NewArgErrorf(2, "the default must have the type of the map's elements, %s",
					t.ElementType().FriendlyName())
			}
		}
		return fallback.WithMarks(marks), nil
	},
})

func topMarks(v cty.Value) cty.ValueMarks {
	_, marks := v.Unmark()
	return marks
}

var matchkeys = function.New(&function.Spec{
	Params: []function.Parameter{
		param(
			"values",
			cty.List(cty.DynamicPseudoType),
		), param("keys", cty.List(cty.DynamicPseudoType)), param("searchset", cty.List(cty.DynamicPseudoType)),
	},
	Type: func(args []cty.Value) (cty.Type, error) {
		if t, _ := convert.UnifyUnsafe([]cty.Type{args[1].Type(), args[2].Type()}); t == cty.NilType {
			return cty.NilType, function.NewArgErrorf(2, "the keys are %s, but the search set has %s",
				args[1].Type().ElementType().FriendlyName(), args[2].Type().ElementType().FriendlyName())
		}
		return args[0].Type(), nil
	}, RefineResult: notNull,
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		values, keys, wanted := args[0].AsValueSlice(), args[1], args[2]
		if len(values) != keys.LengthInt() {
			return cty.NilVal, function.NewArgErrorf(1,
				"there must be as many keys as values, but there are %d and %d", keys.LengthInt(), len(values))
		}
		var out []cty.Value
		search := containsFunc(wanted)
		for i, key := range keys.AsValueSlice() {
			found, err := search(key)
			switch {
			case err != nil:
				return cty.NilVal, err
			case !found.IsKnown():
				return cty.UnknownVal(t), nil
			case found.True():
				out = append(out, values[i])
			}
		}
		return listOf(t.ElementType(), out), nil
	},
})

var oneFunc = function.New(&function.Spec{
	Params: []function.Parameter{param("list", cty.DynamicPseudoType)},
	Type: func(args []cty.Value) (cty.Type, error) {
		switch t := args[0].Type(); {
		case t.IsListType() || t.IsSetType():
			return t.ElementType(), nil
		case t.IsTupleType() && t.Length() == 1:
			return t.TupleElementType(0), nil
		case t.IsTupleType() && t.Length() == 0:
			return cty.DynamicPseudoType, nil
		}
		return cty.NilType, errNotOne
	},
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		if !args[0].Length().IsKnown() { // a set whose unknown elements may be equal
			return cty.UnknownVal(t), nil
		}
		switch items := args[0].AsValueSlice(); len(items) {
		case 0:
			return cty.NullVal(t), nil
		case 1:
			return items[0], nil
		}
		return cty.NilVal, errNotOne
	},
})

var errNotOne = errors.New("must be a list or set with one element or none")

var transpose = staticFunc(cty.Map(cty.List(cty.String)), func(args []cty.Value) (cty.Value, error) {
	if !args[0].IsWhollyKnown() {
		return cty.UnknownVal(cty.Map(cty.List(cty.String))), nil
	}
	turned := map[string][]cty.Value{}
	for key, list := range args[0].AsValueMap() { // the order does not matter, since keys are sorted below
		if list.IsNull() {
			return cty.NilVal, fmt.Errorf("the element with the key %q is null, not a list", key)
		}
		for _, v := range list.AsValueSlice() {
			if v.IsNull() {
				return cty.NilVal, fmt.Errorf("the list with the key %q has a null element, which cannot become a key",
					key)
			}
			turned[v.AsString()] = append(turned[v.AsString()], cty.StringVal(key))
		}
	}
	out := map[string]cty.Value{}
	for s, keys := range turned {
		slices.SortFunc(keys, func(a, b cty.Value) int { return strings.Compare(a.AsString(), b.AsString()) })
		out[s] = cty.ListVal(keys)
	}
	if len(out) == 0 {
		return cty.MapValEmpty(cty.List(cty.String)), nil
	}
	return cty.MapVal(out), nil
}, param("map", cty.Map(cty.List(cty.String))))
