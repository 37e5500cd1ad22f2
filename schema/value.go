package schema

import (
	"encoding/json"
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

// IsSpent reports whether v depends on a value that can never be read again.
func IsSpent(v cty.Value) bool {
	if v == cty.NilVal {
		return false
	}
	bare, marks := v.UnmarkDeep()
	_, ok := marks[Spent]
	return ok && !bare.IsWhollyKnown()
}

// IsSecret reports whether v, or anything in it, is marked as a secret.
func IsSecret(v cty.Value) bool {
	if v == cty.NilVal {
		return false
	}
	_, marks := v.UnmarkDeep()
	_, ok := marks[Secret]
	return ok
}

// Text returns the string in v, or "" if it is unknown, null or not a string.
func Text(v cty.Value) string {
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}

// Encode returns the canonical text of a canonical value, which digests are taken
// of. Unknown values encode as their type.
func Encode(v cty.Value) string {
	v, _ = v.UnmarkDeep()
	if r := AsRef(v); r != nil {
		return r.encode()
	}
	if list := Refs(v); list != nil {
		return encodeRefs(list)
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

// positive replaces negative zero by zero, which it equals.
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
