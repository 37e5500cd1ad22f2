package function

import (
	"maps"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"hew/schema"
)

var typeFuncs = []entry{
	{"can", tryfunc.CanFunc, "Whether an expression evaluates without an error."},
	{"convert", typeexpr.ConvertFunc, "The value converted to a type, as in convert(v, list(string))."},
	{"issensitive", issensitive, "Whether a value is sensitive."},
	{"nonsensitive", nonsensitive, "The value without its sensitive mark, so that output shows it."},
	{"sensitive", sensitive, "The value marked as sensitive, so that output never shows it."},
	{"tobool", stdlib.MakeToFunc(cty.Bool), "The value as a bool."},
	{
		"tolist",
		listFirst(stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType))),
		"The value as a list. Its elements must have one type.",
	},
	{
		"tomap",
		stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
		"The value as a map. Its elements must have one type.",
	},
	{"tonumber", stdlib.MakeToFunc(cty.Number), "The value as a number."},
	{
		"toset",
		listFirst(stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType))),
		"The value as a set, without duplicates. Its elements must have one type.",
	},
	{"tostring", stdlib.MakeToFunc(cty.String), "The value as a string."},
	{"try", tryfunc.TryFunc, "The first of the expressions that evaluates without an error."},
	{"type", typeFunc, "The type of a value, such as list(string)."},
}

var (
	sensitive    = markFunc(func(v cty.Value) cty.Value { return v.Mark(schema.Secret) })
	nonsensitive = markFunc(func(v cty.Value) cty.Value {
		v, marks := withoutSecret(v)
		return v.WithMarks(marks)
	})
)

// listFirst wraps f with a fast path for lists whose elements have one type, as for
// expressions usually return. To find a common type, the library compares the type of each
// element with every other, which takes seconds for ten thousand.
func listFirst(f function.Function) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(),
		Type:   func(args []cty.Value) (cty.Type, error) { return f.ReturnTypeForValues(asList(args)) },
		Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(asList(args)) },
	})
}

// asList converts a known tuple with one element type to a list.
func asList(args []cty.Value) []cty.Value {
	t := args[0].Type()
	if !t.IsTupleType() || t.Length() == 0 || args[0].IsNull() || !args[0].IsKnown() {
		return args
	}
	one := t.TupleElementType(0)
	for _, e := range t.TupleElementTypes() {
		if !e.Equals(one) || e.HasDynamicTypes() {
			return args
		}
	}
	return []cty.Value{cty.ListVal(args[0].AsValueSlice())}
}

func markFunc(f func(cty.Value) cty.Value) function.Function {
	return function.New(&function.Spec{
		Params: anyParam,
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f(args[0]), nil },
	})
}

// anyParam is the parameter of functions that accept any value.
var anyParam = []function.Parameter{{
	Name: "value", Type: cty.DynamicPseudoType,
	AllowMarked: true, AllowUnknown: true, AllowNull: true, AllowDynamicType: true,
}}

// withoutSecret returns a value without marks, and its marks without schema.Secret.
func withoutSecret(v cty.Value) (cty.Value, cty.ValueMarks) {
	v, marks := v.Unmark()
	marks = maps.Clone(marks)
	delete(marks, schema.Secret)
	return v, marks
}

// issensitive is unknown until its argument is known, because the value may be marked only
// then.
var issensitive = function.New(&function.Spec{
	Params: anyParam,
	Type:   function.StaticReturnType(cty.Bool), RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		v, marks := withoutSecret(args[0])
		if args[0].HasMark(schema.Secret) || v.IsKnown() {
			return cty.BoolVal(args[0].HasMark(schema.Secret)), nil
		}
		return cty.UnknownVal(cty.Bool).WithMarks(marks), nil
	},
})

var typeFunc = function.New(&function.Spec{
	Params: anyParam,
	Type:   function.StaticReturnType(cty.String), RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		v, marks := args[0].Unmark() // names of attributes may be secret
		if v.Type().HasDynamicTypes() && !v.IsWhollyKnown() {
			return cty.UnknownVal(cty.String).WithMarks(marks), nil
		}
		return cty.StringVal(typeexpr.TypeString(v.Type())).WithMarks(marks), nil
	},
})
