package function

import (
	"fmt"
	"regexp"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// checked wraps f so that its result is never null, because an unknown value that could be
// null would be taken for one of the arguments. The checks run first, to reject arguments
// that would use up all memory.
func checked(f function.Function, checks ...func(args []cty.Value) error) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(), RefineResult: notNull,
		Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			for _, check := range checks {
				if err := check(args); err != nil {
					return cty.NilVal, err
				}
			}
			return f.Call(args)
		},
	})
}

var tooWide = regexp.MustCompile(`%[^a-zA-Z%]*[0-9]{5,}`)

func checkWidth(args []cty.Value) error {
	if v, _ := args[0].Unmark(); v.IsKnown() && tooWide.MatchString(v.AsString()) {
		return function.NewArgErrorf(0, "a width or precision must have at most four digits")
	}
	return nil
}

func checkIndent(args []cty.Value) error {
	if args[0].GreaterThan(cty.NumberIntVal(9999)).True() || args[0].LessThan(cty.Zero).True() {
		return function.NewArgErrorf(0, "the number of spaces must be from 0 to 9999")
	}
	return nil
}

func checkProduct(args []cty.Value) error {
	const most = 1_000_000
	size := 1
	for _, a := range args {
		if v, _ := a.Unmark(); v.IsKnown() && v.Length().IsKnown() {
			size *= v.LengthInt()
		}
		if size > most {
			return fmt.Errorf("the result would have more than %d combinations", most)
		}
	}
	return nil
}
