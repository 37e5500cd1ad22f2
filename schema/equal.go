package schema

import (
	"github.com/zclconf/go-cty/cty"
)

// Canonical applies the attribute's Norm to an unmarked copy of v. An unknown
// value is its own canonical form.
func (a *Attr) Canonical(v cty.Value) cty.Value {
	v, _ = v.UnmarkDeep()
	if !v.IsWhollyKnown() {
		return v
	}
	if a.Form.Norm != nil {
		return a.Form.Norm(v)
	}
	switch {
	case v.IsNull() && a.ManyRefs():
		return RefsVal(nil)
	case v.IsNull() && a.Type == cty.String:
		return cty.StringVal("") // the API answers null for an empty text
	}
	return v
}

// Known reports whether a stated value is wholly known, with ids for references.
func (a *Attr) Known(v cty.Value) bool {
	for _, r := range Refs(v) {
		if r.ID == "" {
			return false
		}
	}
	return a.Canonical(v).IsWhollyKnown()
}

// Equal compares two values of an attribute by their canonical forms. Unknown
// values are equal to nothing; marks do not count. This is the only comparison
// of cty values in hew: the raw one panics on marked and unknown values.
func (a *Attr) Equal(x, y cty.Value) bool {
	x, y = a.Canonical(x), a.Canonical(y)
	if !x.IsWhollyKnown() || !y.IsWhollyKnown() {
		return false
	}
	if x.IsNull() || y.IsNull() {
		return x.IsNull() && y.IsNull()
	}
	if a.ManyRefs() {
		return x.Type().Equals(y.Type()) && sameRefs(Refs(x), Refs(y))
	}
	return x.RawEquals(y)
}

// Shown narrows a stated and a live value to what hosts show of both: everything
// for most attributes, the stated keys for partial maps. It reports false if the
// stated value has more than hosts show.
func (a *Attr) Shown(stated, live cty.Value) (shown, of cty.Value, all bool) {
	bare, _ := stated.UnmarkDeep()
	switch {
	case !bare.IsWhollyKnown() || bare.IsNull():
		return stated, live, true
	case a.Partial():
		return shownKeys(a.Canonical(bare), a.Canonical(live))
	case a.HasSecretPart():
		return stated, live, Encode(a.Complete(bare)) == Encode(a.Canonical(bare))
	}
	return stated, live, true
}

// shownKeys narrows two maps to the keys that both have.
func shownKeys(stated, live cty.Value) (x, y cty.Value, all bool) {
	live, _ = live.UnmarkDeep()
	want, have := stated.AsValueMap(), map[string]cty.Value{}
	if !live.IsNull() && live.IsKnown() {
		have = live.AsValueMap()
	}
	xs, ys := map[string]cty.Value{}, map[string]cty.Value{}
	for key, v := range want {
		if h, told := have[key]; told {
			xs[key], ys[key] = filled(v), filled(h)
		}
	}
	return cty.ObjectVal(xs), cty.ObjectVal(ys), len(xs) == len(want)
}

// filled returns "" for a null string, as the API answers null for an empty one.
func filled(v cty.Value) cty.Value {
	if v.IsNull() && v.Type() == cty.String {
		return cty.StringVal("")
	}
	return v
}

// Agrees reports whether the live value is the stated one, as far as hosts show it.
func (a *Attr) Agrees(stated, live cty.Value) bool {
	x, y, _ := a.Shown(stated, live)
	return a.Equal(x, y)
}
