package schema

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Ref is a reference in one form: the host's id, the full path or user name,
// and the printed address of the declared object, each where known. References
// to one thing share one Ref.
type Ref struct{ ID, Path, Addr string }

// RefType is the cty type of a folded reference; its values hold a *Ref.
var RefType = cty.CapsuleWithOps("reference", reflect.TypeFor[Ref](), &cty.CapsuleOps{
	GoString: func(v any) string { return "Ref(" + v.(*Ref).String() + ")" },
	RawEquals: func(a, b any) bool {
		return a.(*Ref).Same(b.(*Ref))
	},
	HashKey: func(v any) string { return v.(*Ref).ID },
})

// RefVal returns the value that holds r.
func RefVal(r *Ref) cty.Value { return cty.CapsuleVal(RefType, r) }

// RefsVal returns the value that holds several references.
func RefsVal(refs []*Ref) cty.Value {
	if len(refs) == 0 {
		return cty.ListValEmpty(RefType)
	}
	values := make([]cty.Value, len(refs))
	for i, r := range refs {
		values[i] = RefVal(r)
	}
	return cty.ListVal(values)
}

// AsRef returns the reference that v holds, or nil.
func AsRef(v cty.Value) *Ref {
	if v == cty.NilVal {
		return nil
	}
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() || !v.Type().Equals(RefType) {
		return nil
	}
	return v.EncapsulatedValue().(*Ref)
}

// Refs returns the references that v holds, one or several, or nil.
func Refs(v cty.Value) []*Ref {
	if r := AsRef(v); r != nil {
		return []*Ref{r}
	}
	if v == cty.NilVal {
		return nil
	}
	v, _ = v.Unmark()
	if !v.Type().Equals(cty.List(RefType)) || v.IsNull() || !v.IsKnown() {
		return nil
	}
	refs := make([]*Ref, 0, v.LengthInt())
	for _, item := range v.Elements() {
		if r := AsRef(item); r != nil {
			refs = append(refs, r)
		}
	}
	return refs
}

// sameRefs reports whether two lists refer to the same objects, in any order and
// regardless of repetition.
func sameRefs(x, y []*Ref) bool {
	within := func(x, y []*Ref) bool {
		for _, r := range x {
			if !slices.ContainsFunc(y, r.Same) {
				return false
			}
		}
		return true
	}
	return within(x, y) && within(y, x)
}

// Same reports whether two references are to one object: by id if both have one,
// otherwise by path, in any case.
func (r *Ref) Same(o *Ref) bool {
	if r == o {
		return true
	}
	if r.ID != "" && o.ID != "" {
		return r.ID == o.ID
	}
	if r.Path != "" && o.Path != "" {
		return strings.EqualFold(r.Path, o.Path)
	}
	return r.Addr != "" && r.Addr == o.Addr
}

// String returns the path, or the address, or the id.
func (r *Ref) String() string {
	for _, s := range []string{r.Path, r.Addr, r.ID} {
		if s != "" {
			return s
		}
	}
	return "(unknown)"
}

// RefOf returns the reference for a stated id, path or name. Numbers and strings of
// digits are ids, as on the API.
func RefOf(v cty.Value) (Ref, bool) {
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() {
		return Ref{}, false
	}
	switch {
	case v.Type().Equals(RefType):
		return *v.EncapsulatedValue().(*Ref), true
	case v.Type() == cty.Number:
		return Ref{ID: v.AsBigFloat().Text('f', -1)}, true
	case v.Type() == cty.String:
		s := strings.Trim(v.AsString(), "/")
		if _, err := strconv.ParseUint(s, 10, 64); err == nil {
			return Ref{ID: s}, true
		}
		return Ref{Path: s}, s != ""
	}
	return Ref{}, false
}

// encode returns the canonical text of a reference.
func (r *Ref) encode() string {
	if r.ID != "" {
		return "ref:" + r.ID
	}
	return "ref:" + r.String()
}

// encodeRefs returns the canonical text of several references, regardless of order
// and repetition.
func encodeRefs(refs []*Ref) string {
	texts := make([]string, len(refs))
	for i, r := range refs {
		texts[i] = strconv.Quote(r.encode())
	}
	slices.Sort(texts)
	return "[" + strings.Join(slices.Compact(texts), ",") + "]"
}
