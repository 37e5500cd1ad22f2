package function

import (
	"reflect"

	"github.com/zclconf/go-cty/cty"
)

// Index finds elements of a large list or tuple that is searched again and again. It keeps the
// list that it was last asked about. The zero value is an empty index.
type Index struct {
	at     uintptr // of the elements, 0 for none; list keeps them where they are
	list   cty.Value
	usable bool
	set    hashed // nil until the same list comes again
}

// fewElements is how many elements are compared one by one.
const fewElements = 100

// Contains reports whether list contains v. ok is false where the function contains has to say: a
// short list, one that comes for the first time, one with unknown or marked elements, or a v that
// is not a known string, number or bool.
func (x *Index) Contains(list, v cty.Value) (found, ok bool) {
	if t := list.Type(); !t.IsListType() && !t.IsTupleType() || list.IsMarked() || !list.IsKnown() || list.IsNull() ||
		list.LengthInt() <= fewElements || !v.Type().IsPrimitiveType() || v.IsMarked() || !v.IsKnown() || v.IsNull() {
		return false, false
	}
	at := address(list)
	if at != x.at || !list.Type().Equals(x.list.Type()) || list.LengthInt() != x.list.LengthInt() {
		*x = Index{at: at, list: list, usable: at != 0}
		return false, false
	}
	if x.set == nil && x.usable {
		if x.usable = list.IsWhollyKnown() && !list.ContainsMarked(); x.usable {
			x.set = hashed{}
			for _, e := range list.AsValueSlice() {
				if e.Type().IsPrimitiveType() {
					x.set.add(e)
				}
			}
		}
	}
	return x.usable && x.set.contains(v), x.usable
}

// address returns where the elements of a list are, or 0. Values are immutable, so two lists of one
// type and length with the same address are equal.
func address(list cty.Value) uintptr {
	if v := reflect.ValueOf(list).FieldByName("v"); v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Slice {
		return v.Elem().Pointer()
	}
	return 0
}
