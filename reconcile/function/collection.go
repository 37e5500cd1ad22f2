package function

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

var collections = []entry{
	{"alltrue", alltrue, "Whether all elements are true; of an empty list they are."},
	{"anytrue", anytrue, "Whether any element is true."},
	{"chunklist", stdlib.ChunklistFunc, "The list in pieces of a size."},
	{"coalesce", coalesce, "The first of the values that is neither null nor an empty string."},
	{"coalescelist", stdlib.CoalesceListFunc, "The first of the lists that is not empty."},
	{"compact", stdlib.CompactFunc, "The list without empty strings and nulls."},
	{"concat", stdlib.ConcatFunc, "One list of the elements of all."},
	{"contains", stdlib.ContainsFunc, "Whether a list or set has an element equal to the value."},
	{"distinct", stdlib.DistinctFunc, "The list with each value once, where it comes first."},
	{"element", stdlib.ElementFunc, "The element at an index that starts over behind the end."},
	{"flatten", stdlib.FlattenFunc, "One list of all that is in lists within lists."},
	{"index", indexFunc, "The place of the first element equal to the value, counted from 0."},
	{"keys", stdlib.KeysFunc, "The keys of a map or object, sorted."},
	{"length", lengthFunc, "The number of elements, or of characters of a string."},
	{"lookup", lookupFunc, "The element under a key, or else the default."},
	{"matchkeys", matchkeys, "Those values whose keys, in a list beside, are among the ones looked for."},
	{"merge", stdlib.MergeFunc, "One map or object of all; later ones win."},
	{"one", oneFunc, "The only element of a list or set, or null if it is empty."},
	{"range", rangeFunc, "The numbers from start up to, without it, end: range(end), range(start, end) or range(start, end, step)."},
	{"reverse", stdlib.ReverseListFunc, "The list in reverse."},
	{"setintersection", stdlib.SetIntersectionFunc, "What is in all of the sets."},
	{"setproduct", made(stdlib.SetProductFunc, checkProduct), "All combinations of one element of each set or list."},
	{"setsubtract", stdlib.SetSubtractFunc, "What is in the first set and not in the second."},
	{"setunion", stdlib.SetUnionFunc, "What is in any of the sets."},
	{"slice", stdlib.SliceFunc, "The elements from a start index up to, without it, an end index."},
	{"sort", stdlib.SortFunc, "The strings of a list in order."},
	{"sum", sumFunc, "The sum of the numbers in a list or set."},
	{"transpose", transpose, "A map of lists of strings turned around: from each string to the keys that had it."},
	{"values", stdlib.ValuesFunc, "The values of a map or object, in the order of its keys."},
	{"zipmap", stdlib.ZipmapFunc, "A map of a list of keys and a list of values."},
}

var (
	alltrue = truths(cty.True, cty.Value.And)
	anytrue = truths(cty.False, cty.Value.Or)
)
