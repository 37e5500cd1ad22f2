package function

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// distinct finds equal elements by their hashes; the library's function compares all with all.
var distinct = function.New(&function.Spec{
	Params: []function.Parameter{param("list", cty.List(cty.DynamicPseudoType))},
	Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil }, RefineResult: notNull,
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		if !args[0].IsWhollyKnown() {
			return cty.UnknownVal(t), nil
		}
		seen := hashed{}
		var out []cty.Value
		for _, v := range args[0].AsValueSlice() {
			if !seen.contains(v) {
				seen.add(v)
				out = append(out, v)
			}
		}
		return listOf(t.ElementType(), out), nil
	},
})

// hashed is a set of known values, by hash.
type hashed map[int][]cty.Value

func (h hashed) add(v cty.Value) { h[v.Hash()] = append(h[v.Hash()], v) }

func (h hashed) contains(v cty.Value) bool { return slices.ContainsFunc(h[v.Hash()], v.RawEquals) }

// containsFunc returns a function that reports whether a list has an element. It finds the
// element by its hash if all are known.
func containsFunc(list cty.Value) func(cty.Value) (cty.Value, error) {
	if !list.IsWhollyKnown() {
		return func(v cty.Value) (cty.Value, error) { return stdlib.Contains(list, v) }
	}
	set := hashed{}
	for _, v := range list.AsValueSlice() {
		set.add(v)
	}
	return func(v cty.Value) (cty.Value, error) {
		if !v.IsWhollyKnown() {
			return stdlib.Contains(list, v)
		}
		return cty.BoolVal(set.contains(v)), nil
	}
}
