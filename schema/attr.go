package schema

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// Mode says who sets an attribute.
type Mode uint8

// An attribute is set by the configuration if it likes, always, or never.
const (
	Optional Mode = iota
	Required
	Computed
)

// Default is what an attribute goes back to when its line is removed, given
// the object as it is. A nil Default means that none is known: the live value
// stays and is released.
type Default func(Object) cty.Value

// Value is a Default that does not depend on the object.
func Value(v cty.Value) Default { return func(Object) cty.Value { return v } }

// Attr is one row of a kind's table.
type Attr struct {
	// Name in configuration. Wire is the name on the API where it differs.
	Name, Wire string
	Doc        string
	// Type of a stated value. References and access levels take
	// cty.DynamicPseudoType: they are written as a name or as a number.
	Type    cty.Type
	Mode    Mode
	Default Default
	// Ref names the kind that the attribute refers to. A stated id, path or
	// user name is folded into one RefType value.
	Ref string
	// Fixed: a new value means a new object. Secret: never shown or stored,
	// never read back. Detail: missing from list answers, costs a read of the
	// single object.
	Fixed, Secret, Detail bool
	// Once: said only when the object is created (initialize_with_readme);
	// never compared or sent again.
	Once bool
	// Leads names the reference that a value may lead to: who is invited by an
	// e-mail address is there as a user once the invitation is accepted.
	Leads string
	// Always: sent with every update. With: sent again when one of those
	// changes (a hook's token when its url does).
	Always bool
	With   []string
	// Norm maps a value to its canonical form; equality, digests and causes
	// work on it alone. Nil means the value as it is. Alike says in words what
	// makes no difference to it, where people would wonder.
	Norm  func(cty.Value) cty.Value
	Alike string
	// Words are all the texts that are accepted, where they can be listed.
	Words []string
	// Check refuses a stated value; the error says what would be accepted.
	// Accepts says so beforehand, where Words cannot.
	Check   func(cty.Value) error
	Accepts string
	// Show renders a value for people where its HCL form says too little
	// (access levels). Nil means the HCL form.
	Show func(cty.Value) string
}

// WireName is the attribute's name on the API.
func (a *Attr) WireName() string {
	if a.Wire != "" {
		return a.Wire
	}
	return a.Name
}

// Canonical applies the attribute's Norm to an unmarked copy of v. An unknown
// value is its own canonical form.
func (a *Attr) Canonical(v cty.Value) cty.Value {
	v, _ = v.UnmarkDeep()
	if !v.IsWhollyKnown() {
		return v
	}
	if a.Norm != nil {
		return a.Norm(v)
	}
	if v.IsNull() && a.Type == cty.String {
		return cty.StringVal("") // the API answers null for an empty text
	}
	return v
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
	return x.RawEquals(y)
}

// Triggers reports whether a change of the named attributes makes a be sent
// again.
func (a *Attr) Triggers(changed []string) bool {
	return a.Always || slices.ContainsFunc(a.With, func(w string) bool { return slices.Contains(changed, w) })
}
