package function

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"hew/schema/pattern"
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

var tooWide = pattern.Lazy(`%[^a-zA-Z%]*[0-9]{5,}`)

func checkWidth(args []cty.Value) error {
	if v, _ := args[0].Unmark(); v.IsKnown() && tooWide().MatchString(v.AsString()) {
		return function.NewArgErrorf(0, "a width or precision must have at most four digits")
	}
	return nil
}

// checkFormat allows for each verb to stand for all of the values.
func checkFormat(args []cty.Value) error {
	bare, _ := args[0].Unmark()
	if !bare.IsKnown() {
		return nil
	}
	size, values := len(bare.AsString()), 0
	for _, v := range args[1:] {
		values += textSize(v)
	}
	if size += strings.Count(bare.AsString(), "%") * values; size > maxText {
		return errTooLong
	}
	return nil
}

// textSize returns the length of the longest string in a value.
func textSize(v cty.Value) (size int) {
	_ = cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
		if v, _ = v.Unmark(); v.IsKnown() && !v.IsNull() && v.Type() == cty.String {
			size = max(size, len(v.AsString()))
		}
		return true, nil
	})
	return size
}

func checkIndent(args []cty.Value) error {
	if args[0].GreaterThan(cty.NumberIntVal(9999)).True() || args[0].LessThan(cty.Zero).True() {
		return function.NewArgErrorf(0, "the number of spaces must be from 0 to 9999")
	}
	return nil
}

// maxText is the size of the largest string that a function returns, in bytes.
const maxText = 64 << 20

var errTooLong = fmt.Errorf("the result would be longer than %d MiB", maxText>>20)

func checkJoin(args []cty.Value) error {
	size := 0
	for _, list := range args[1:] {
		if !list.IsWhollyKnown() {
			return nil
		}
		for _, v := range list.AsValueSlice() {
			if !v.IsNull() {
				size += len(v.AsString()) + len(args[0].AsString())
			}
			if size > maxText {
				return errTooLong
			}
		}
	}
	return nil
}

func checkReplace(text, old, replacement string) error {
	if growth := len(replacement) - len(old); len(text)+strings.Count(text, old)*growth > maxText {
		return errTooLong
	}
	return nil
}

// checkRegexReplace allows for each reference to a group to stand for all of the text.
func checkRegexReplace(text, pattern, replacement string) error {
	expression, err := regexp.Compile(pattern)
	if err != nil {
		return nil // the library reports it
	}
	matches := len(expression.FindAllStringIndex(text, -1))
	if len(text)*(1+strings.Count(replacement, "$"))+matches*len(replacement) > maxText {
		return errTooLong
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
