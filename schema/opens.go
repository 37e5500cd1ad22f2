package schema

import "github.com/zclconf/go-cty/cty"

// Widens reports whether a change of the attribute from one value to another gives
// somebody more access or weakens a rule. Before is null where an object is new; what
// it would have anyway, by the attribute's default, widens nothing. Unknown and marked
// values are not compared.
func (a *Attr) Widens(before, after cty.Value) bool {
	if a.Opens == nil || after == cty.NilVal || after.IsNull() {
		return false
	}
	if before == cty.NilVal || before.IsNull() {
		if !isPlain(after) || a.isUsual(after) {
			return false
		}
		return a.Opens(cty.NullVal(a.Type), a.Canonical(after))
	}
	return isPlain(before) && isPlain(after) && a.Opens(a.Canonical(before), a.Canonical(after))
}

// isPlain reports whether a value is wholly known and not marked.
func isPlain(v cty.Value) bool { return v.IsWhollyKnown() && !v.ContainsMarked() }

// isUsual reports whether a value is what a new object has if nobody states it.
func (a *Attr) isUsual(v cty.Value) bool {
	for _, of := range []Default{a.Default, a.Usual} {
		if of != nil && a.Equal(of(Object{}), v) {
			return true
		}
	}
	return false
}
