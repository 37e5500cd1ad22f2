package schema

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

type mark string

// Secret marks values that must never be shown, stored or planned in clear.
const Secret = mark("secret")

// Spent marks unknown values that the host has shown once, in answer to a
// creation, and shows nobody again.
const Spent = mark("spent")

// IsSpent tells whether v is made of something that nobody can read any
// more.
func IsSpent(v cty.Value) bool {
	if v == cty.NilVal {
		return false
	}
	bare, marks := v.UnmarkDeep()
	_, ok := marks[Spent]
	return ok && !bare.IsWhollyKnown()
}

// IsSecret tells whether v, or anything in it, is marked as a secret.
func IsSecret(v cty.Value) bool {
	if v == cty.NilVal {
		return false
	}
	_, marks := v.UnmarkDeep()
	_, ok := marks[Secret]
	return ok
}

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

// RefVal folds r into a value.
func RefVal(r *Ref) cty.Value { return cty.CapsuleVal(RefType, r) }

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

// Same tells whether two references lead to one thing: by id where both have
// one, else by path, upper and lower case alike.
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

// String is the form for people: the path, else the address, else the id.
func (r *Ref) String() string {
	for _, s := range []string{r.Path, r.Addr, r.ID} {
		if s != "" {
			return s
		}
	}
	return "(unknown)"
}

// RefOf folds a stated id, path or name. Numbers and strings of digits are
// ids, as on the API itself.
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

// Encode is the canonical text of a canonical value: what digests are taken
// of. Unknown values have none and encode as their type.
func Encode(v cty.Value) string {
	v, _ = v.UnmarkDeep()
	if r := AsRef(v); r != nil {
		if r.ID != "" {
			return "ref:" + r.ID
		}
		return "ref:" + r.String()
	}
	if !v.IsWhollyKnown() {
		return "unknown:" + v.Type().FriendlyName()
	}
	text := encode(v)
	if strings.Contains(text, "-0") {
		text = encode(positive(v))
	}
	return text
}

func encode(v cty.Value) string {
	b, err := json.Marshal(ctyjson.SimpleJSONValue{Value: v})
	if err != nil {
		panic("schema.Encode of " + v.GoString() + ": " + err.Error()) // only capsules other than RefType fail
	}
	return string(b)
}

// positive writes the two zeros that there are as one: they are equal.
func positive(v cty.Value) cty.Value {
	out, err := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if v.Type() == cty.Number && !v.IsNull() && v.AsBigFloat().Sign() == 0 {
			return cty.Zero, nil
		}
		return v, nil
	})
	if err != nil {
		return v // none of the steps fails
	}
	return out
}
