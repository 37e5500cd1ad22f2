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
	{"convert", convertToGiven, "The value converted to a type, as in convert(v, list(string))."},
	{"issensitive", issensitive, "Whether a value is sensitive."},
	{"nonsensitive", nonsensitive, "The value without its sensitive mark, so that output shows it."},
	{"sensitive", sensitive, "The value marked as sensitive, so that output never shows it."},
	{"tobool", stdlib.MakeToFunc(cty.Bool), "The value as a bool."},
	{
		"tolist",
		convertTo(cty.List(cty.DynamicPseudoType)),
		"The value as a list. Its elements must have one type.",
	},
	{
		"tomap",
		convertTo(cty.Map(cty.DynamicPseudoType)),
		"The value as a map. Its elements must have one type.",
	},
	{"tonumber", stdlib.MakeToFunc(cty.Number), "The value as a number."},
	{
		"toset",
		convertTo(cty.Set(cty.DynamicPseudoType)),
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

// convertTo returns a function that converts a value to a kind of collection.
func convertTo(t cty.Type) function.Function {
	return preparing(stdlib.MakeToFunc(t), func(args []cty.Value) []cty.Value {
		return []cty.Value{converted(args[0], t)}
	})
}

// convertToGiven converts a value to the type that its second argument is.
var convertToGiven = preparing(typeexpr.ConvertFunc, func(args []cty.Value) []cty.Value {
	return []cty.Value{converted(args[0], typeexpr.TypeConstraintFromVal(args[1])), args[1]}
})

// preparing returns f with other arguments. The library's functions take quadratic time to
// convert large tuples and objects, unless they are converted before.
func preparing(f function.Function, prepare func(args []cty.Value) []cty.Value) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) { return f.ReturnTypeForValues(prepare(args)) },
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(prepare(args)) },
	})
}

// converted returns v converted to t, or as it is if it has to be converted by the library,
// which explains what is wrong with it.
func converted(v cty.Value, t cty.Type) cty.Value {
	if out, err := schema.Convert(v, t); err == nil && !out.Type().HasDynamicTypes() {
		return out
	}
	return v
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
