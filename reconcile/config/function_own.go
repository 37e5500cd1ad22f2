package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"hew/schema"
)

// text and its siblings make functions of strings.
func text(f func(string) string) function.Function {
	return fallible(func(s string) (string, error) { return f(s), nil })
}

func fallible(f func(string) (string, error)) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "str", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String), RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			s, err := f(args[0].AsString())
			return cty.StringVal(s), err
		},
	})
}

func textTest(f func(s, part string) bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "str", Type: cty.String}, {Name: "part", Type: cty.String}},
		Type:   function.StaticReturnType(cty.Bool), RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.BoolVal(f(args[0].AsString(), args[1].AsString())), nil
		},
	})
}

func notNull(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.NotNull() }

func decode64(s string) (string, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err == nil && !utf8.Valid(b) {
		err = errors.New("the decoded bytes are not UTF-8 text")
	}
	return string(b), err
}

var rangeFunc = function.New(&function.Spec{
	VarParam: &function.Parameter{Name: "numbers", Type: cty.Number},
	Type:     function.StaticReturnType(cty.List(cty.Number)), RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		n := make([]float64, len(args))
		for i := range args {
			n[i], _ = args[i].AsBigFloat().Float64()
		}
		start, end, step := 0.0, 0.0, 1.0
		switch len(n) {
		case 1:
			end = n[0]
		case 2:
			start, end = n[0], n[1]
		case 3:
			start, end, step = n[0], n[1], n[2]
		default:
			return cty.NilVal, errors.New("takes one to three numbers: end; start and end; start, end and step")
		}
		if len(n) < 3 && end < start {
			step = -1
		}
		const most = 1_000_000 // a slip of the keyboard, not a configuration
		size := math.Ceil((end - start) / step)
		if step == 0 || size > most || math.IsNaN(size) {
			return cty.NilVal, fmt.Errorf("would have more than %d items", most)
		}
		var items []cty.Value
		for i := range int(max(size, 0)) {
			items = append(items, cty.NumberFloatVal(start+float64(i)*step))
		}
		if items == nil {
			return cty.ListValEmpty(cty.Number), nil
		}
		return cty.ListVal(items), nil
	},
})

var lengthFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowDynamicType: true, AllowUnknown: true}},
	Type:   function.StaticReturnType(cty.Number), RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		switch t := args[0].Type(); {
		case t == cty.String:
			return stdlib.Strlen(args[0])
		case t.IsObjectType():
			return cty.NumberIntVal(int64(len(t.AttributeTypes()))), nil
		case t == cty.DynamicPseudoType:
			return cty.UnknownVal(cty.Number), nil
		}
		return stdlib.Length(args[0])
	},
})

var oneFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}},
	Type: func(args []cty.Value) (cty.Type, error) {
		switch t := args[0].Type(); {
		case t.IsListType() || t.IsSetType():
			return t.ElementType(), nil
		case t.IsTupleType() && t.Length() == 1:
			return t.TupleElementType(0), nil
		case t.IsTupleType() && t.Length() == 0:
			return cty.DynamicPseudoType, nil
		}
		return cty.NilType, errors.New("takes a list or set of one item or none")
	},
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		switch items := args[0].AsValueSlice(); len(items) {
		case 0:
			return cty.NullVal(t), nil
		case 1:
			return items[0], nil
		}
		return cty.NilVal, errors.New("takes a list or set of one item or none")
	},
})

// replaceFunc takes a regular expression where the pattern stands between
// slashes.
var replaceFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "str", Type: cty.String}, {Name: "pattern", Type: cty.String}, {Name: "by", Type: cty.String}},
	Type:   function.StaticReturnType(cty.String), RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if p := args[1].AsString(); len(p) > 1 && p[0] == '/' && p[len(p)-1] == '/' {
			return stdlib.RegexReplace(args[0], cty.StringVal(p[1:len(p)-1]), args[2])
		}
		return stdlib.Replace(args[0], args[1], args[2])
	},
})

func sensitiveFunc(secret bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowMarked: true, AllowUnknown: true, AllowNull: true, AllowDynamicType: true}},
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if secret {
				return args[0].Mark(schema.Secret), nil
			}
			v, marks := args[0].Unmark()
			marks = maps.Clone(marks)
			delete(marks, schema.Secret)
			return v.WithMarks(marks), nil
		},
	})
}
