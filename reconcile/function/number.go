package function

import (
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

var numericFuncs = []entry{
	{"abs", stdlib.AbsoluteFunc, "The number without its sign."},
	{"ceil", stdlib.CeilFunc, "The smallest whole number that is not less than the number."},
	{"floor", stdlib.FloorFunc, "The greatest whole number that is not greater than the number."},
	{"log", stdlib.LogFunc, "The logarithm of a number in a base."},
	{"max", stdlib.MaxFunc, "The greatest of the numbers."},
	{"min", stdlib.MinFunc, "The smallest of the numbers."},
	{"parseint", stdlib.ParseIntFunc, "The whole number that a string represents in a base from 2 to 62."},
	{"pow", stdlib.PowFunc, "A number raised to a power."},
	{"signum", stdlib.SignumFunc, "-1, 0 or 1: the sign of the number."},
}

// rangeFunc multiplies exact decimals, so that steps such as 0.1 do not accumulate errors.
// The library's function is limited to 1,024 elements.
var rangeFunc = function.New(&function.Spec{
	VarParam: &function.Parameter{Name: "numbers", Type: cty.Number},
	Type:     function.StaticReturnType(cty.List(cty.Number)), RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		start, step := cty.Zero, cty.NumberIntVal(1)
		var end cty.Value
		switch len(args) {
		case 1:
			end = args[0]
		case 2:
			start, end = args[0], args[1]
		case 3:
			start, end, step = args[0], args[1], args[2]
		default:
			return cty.NilVal, errors.New("range accepts one to three numbers: end; start and end; start, end and step")
		}
		down := end.LessThan(start)
		if len(args) < 3 && down.True() {
			step = cty.NumberIntVal(-1)
		}
		if step.RawEquals(cty.Zero) {
			return cty.NilVal, function.NewArgErrorf(2, "the step must not be zero")
		}
		if !end.RawEquals(start) && down.True() != step.LessThan(cty.Zero).True() {
			return cty.NilVal, function.NewArgErrorf(2,
				"the step must be positive if the end is greater than the start, and negative if it is less")
		}
		const most = 1_000_000 // more is a typing error
		size := end.Subtract(start).Divide(step)
		if size.GreaterThan(cty.NumberIntVal(most)).True() {
			return cty.NilVal, fmt.Errorf("the result would have more than %d elements", most)
		}
		var items []cty.Value
		for i := int64(0); cty.NumberIntVal(i).LessThan(size).True(); i++ {
			v := decimal(start.Add(step.Multiply(cty.NumberIntVal(i))))
			if v.RawEquals(end) { // size was rounded up
				break
			}
			items = append(items, v)
		}
		return listOf(cty.Number, items), nil
	},
})

// decimal rounds off the error of binary fractions far behind the point.
func decimal(v cty.Value) cty.Value {
	f := v.AsBigFloat()
	if f.IsInt() {
		return v
	}
	return cty.MustParseNumberVal(f.Text('f', 100))
}

// listOf is cty.ListVal for a list that may be empty.
func listOf(t cty.Type, items []cty.Value) cty.Value {
	if len(items) == 0 {
		return cty.ListValEmpty(t)
	}
	return cty.ListVal(items)
}

var sumFunc = staticFunc(cty.Number, func(args []cty.Value) (cty.Value, error) {
	total := cty.Zero
	if args[0].LengthInt() == 0 {
		return cty.NilVal, function.NewArgErrorf(0, "must not be an empty list")
	}
	for _, v := range args[0].AsValueSlice() {
		if v.IsNull() {
			return cty.NilVal, function.NewArgErrorf(0, "must not have a null element")
		}
		total = total.Add(v)
	}
	return total, nil
}, param("list", cty.List(cty.Number)))
