package function

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

var collectionFuncs = []entry{
	{"alltrue", alltrue, "Whether all elements are true. It is true for an empty list."},
	{"anytrue", anytrue, "Whether any element is true."},
	{"chunklist", stdlib.ChunklistFunc, "The list split into lists of a given size."},
	{"coalesce", coalesce, "The first of the values that is neither null nor an empty string."},
	{"coalescelist", stdlib.CoalesceListFunc, "The first of the lists that is not empty."},
	{"compact", stdlib.CompactFunc, "The list without empty strings and nulls."},
	{"concat", stdlib.ConcatFunc, "One list with the elements of all the lists."},
	{"contains", stdlib.ContainsFunc, "Whether a list or set has an element equal to the value."},
	{"distinct", distinct, "The list without duplicates. The first of equal elements is kept."},
	{"element", stdlib.ElementFunc, "The element at an index. An index past the end starts over at the beginning."},
	{"flatten", stdlib.FlattenFunc, "The list with nested lists replaced by their elements."},
	{"index", indexFunc, "The index of the first element that equals the value, counted from 0."},
	{"keys", stdlib.KeysFunc, "The keys of a map or object, sorted."},
	{"length", lengthFunc, "The number of elements, or of characters of a string."},
	{"lookup", lookupFunc, "The element with a key, or the default if there is none."},
	{"matchkeys", matchkeys, "The values whose keys, at the same index of a second list, are in the search set."},
	{"merge", stdlib.MergeFunc, "One map or object with the elements of all. Later ones win."},
	{"one", oneFunc, "The only element of a list or set, or null if it is empty. More than one element is an error."},
	{
		"range",
		rangeFunc,
		"The numbers from start to end, without end: range(end), range(start, end) or range(start, end, step).",
	},
	{"reverse", stdlib.ReverseListFunc, "The list in reverse order."},
	{"setintersection", stdlib.SetIntersectionFunc, "The elements that are in all of the sets."},
	{
		"setproduct",
		preparing(checked(stdlib.SetProductFunc, checkProduct), tuplesAsLists),
		"All combinations of one element from each set or list.",
	},
	{"setsubtract", stdlib.SetSubtractFunc, "The elements of the first set that are not in the second."},
	{"setunion", stdlib.SetUnionFunc, "The elements that are in any of the sets."},
	{"slice", stdlib.SliceFunc, "The elements from a start index to an end index, without the end."},
	{"sort", stdlib.SortFunc, "The strings of a list in alphabetical order."},
	{"sum", sumFunc, "The sum of the numbers in a list or set."},
	{"transpose", transpose, "A map of lists of strings, inverted: from each string to the keys whose lists had it."},
	{"values", stdlib.ValuesFunc, "The values of a map or object, in the order of its keys."},
	{"zipmap", stdlib.ZipmapFunc, "A map made of a list of keys and a list of values."},
}

var (
	alltrue = reduceBools(cty.True, cty.Value.And)
	anytrue = reduceBools(cty.False, cty.Value.Or)
)

// tuplesAsLists converts the tuples among the arguments.
func tuplesAsLists(args []cty.Value) []cty.Value {
	lists := slices.Clone(args)
	for i, v := range args {
		if v.Type().IsTupleType() {
			lists[i] = converted(v, cty.List(cty.DynamicPseudoType))
		}
	}
	return lists
}
