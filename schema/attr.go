package schema

import (
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

// Default returns what an object has of an attribute that nobody states, given the
// object as it is.
type Default func(Object) cty.Value

// Value returns a Default that does not depend on the object.
func Value(v cty.Value) Default { return func(Object) cty.Value { return v } }

// Attr is one row of a kind's table. Each field answers one question about the
// attribute; most rows answer few.
type Attr struct {
	// Name is what configuration calls it. Doc says in sentences what it means.
	Name, Doc string
	// Type is that of a stated value. References and access levels take
	// cty.DynamicPseudoType: they are stated as a name or as a number.
	Type cty.Type
	Mode Mode
	// Default is what it goes back to when its line is removed. Nil leaves the live
	// value as it is, and releases it.
	Default Default
	// Usual is what most hosts give a new object, where each decides for itself.
	// Nothing goes back to it, and configuration that hew writes leaves it out.
	Usual Default
	// Ref is set for references to other objects.
	Ref *RefRule
	// Mask says which part of a value is secret, or not shown by hosts. Nil is none.
	Mask Mask
	// Sent says when it is sent to the host: with a change of it, unless it says
	// otherwise.
	Sent Sent
	// ForceNew makes a new value replace the object.
	ForceNew bool
	// Detail is set where lists leave it out: it costs a read of the single object.
	Detail bool
	// Named is set where objects are known by it: as a part of their path, of their id
	// or of an address on the host. It stands in plans, in the ledger and in logs, and
	// so cannot be secret. The provider derives it.
	Named bool
	// Instead names the attribute that says the same in the current way.
	Instead string
	// Form is the canonical form that values are compared by.
	Form Form
	// Accepts says which values are right.
	Accepts Accepts
	// Opens reports whether after gives somebody more access than before, or asks less
	// of people. Both are canonical and known; before is null for a new object. Nil is
	// never. [Attr.Widens] asks it.
	Opens func(before, after cty.Value) bool
	// Show renders a value for people where its HCL form says too little (access
	// levels). Nil takes the HCL form.
	Show func(cty.Value) string
	// Public returns a known value without what must not be shown of it, such as the
	// credentials in a URL. Nil leaves out what a [SecretPart] masks, or nothing.
	Public func(cty.Value) cty.Value
}

// RefRule is what an attribute refers to. A stated id, path or user name becomes a
// RefType value.
type RefRule struct {
	// Kind names the kind of the object. One without a path of its own (a protected
	// branch) is looked for in the owner of the object that refers to it.
	Kind string
	// Many makes it a list of references, in no order.
	Many bool
	// Outsiders says what hosts do with users and groups that have no access to the
	// owner of what refers to them. [Membership] says what gives access.
	Outsiders Outsiders
	// Needs names the bool attribute that must be true in what is referred to, or hosts refuse
	// the reference. "" requires nothing.
	Needs string
	// OnlySelf is set where hosts set the reference to no other user than the token's own.
	OnlySelf bool
	// SkippedBy names the bool argument that makes hew leave out references to what is
	// not there. "" makes them an error.
	SkippedBy string
}

// Form is the canonical form of an attribute's values. Equality, digests and
// causes work on it alone.
type Form struct {
	// Norm returns the canonical form of a known value without marks. Nil takes the
	// value as it is.
	Norm func(cty.Value) cty.Value
	// Alike says in sentences what makes no difference to it, where people would
	// wonder.
	Alike string
}

// Accepts says which values an attribute takes.
type Accepts struct {
	// Words are all strings that are right, where they can be listed.
	Words []string
	// Check returns what is wrong with a stated value and what is accepted. Nil takes
	// any.
	Check func(cty.Value) error
	// Doc says the same beforehand, in sentences, where Words cannot.
	Doc string
}

// RefKind returns the kind that the attribute refers to, "" for what is not a
// reference.
func (a *Attr) RefKind() string {
	if a.Ref == nil {
		return ""
	}
	return a.Ref.Kind
}

// ManyRefs reports whether the attribute is a list of references.
func (a *Attr) ManyRefs() bool { return a.Ref != nil && a.Ref.Many }

// Outsiders returns what hosts do with references to what has no access to the owner.
func (a *Attr) Outsiders() Outsiders {
	if a.Ref == nil {
		return AcceptOutsiders
	}
	return a.Ref.Outsiders
}

// NeedsAccess reports whether it matters that what it refers to has access to the owner.
func (a *Attr) NeedsAccess() bool { return a.Outsiders() != AcceptOutsiders }

// SkippedBy returns the name of the argument that leaves out missing references,
// or "".
func (a *Attr) SkippedBy() string {
	if a.Ref == nil {
		return ""
	}
	return a.Ref.SkippedBy
}

// OnlySelf reports whether the reference can be set to the token's own user alone.
func (a *Attr) OnlySelf() bool { return a.Ref != nil && a.Ref.OnlySelf }
