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
	Name string // in configuration
	Doc  string
	// Type of a stated value. References and access levels take
	// cty.DynamicPseudoType: they are written as a name or as a number.
	Type    cty.Type
	Mode    Mode
	Default Default
	// Usual is what a new object has where hosts decide that for themselves, and most
	// decide alike. Nothing goes back to it; nobody who writes configuration down
	// has to say it.
	Usual Default
	// Ref names the kind that the attribute refers to. A stated id, path or
	// user name is folded into one RefType value. A kind without a path of its
	// own (a protected branch) is looked for in the owner of whatever refers to
	// it. Many: it takes a list, in no order, folded into one of RefType values.
	Ref  string
	Many bool
	// Fixed: a new value means a new object. Secret: never shown or stored, and
	// never read back unless it is Readable. Detail: missing from list answers,
	// costs a read of the single object.
	Fixed, Secret, Detail bool
	Readable              bool
	// Admitted: what it names has to have access to the owner of the object; hosts
	// leave out without a word what has none. Kinds say what gives access (Admits).
	Admitted bool
	// Skips names the boolean argument by which siblings that are not there are left
	// out. Without it they are an error.
	Skips string
	// Local: it tells hew how to go about the rest; it is neither sent nor compared.
	Local bool
	// Once: said only when the object is created (initialize_with_readme);
	// never compared or sent again.
	Once bool
	// Leads names the reference that a value may lead to: who is invited by an
	// e-mail address is there as a user once the invitation is accepted.
	Leads string
	// Instead names the attribute that says the same and is stated in its place,
	// by whoever writes configuration down: this one is an older name of it, or an
	// older way to say it.
	Instead string
	// Named: objects are known by it, as a part of their path, of their id on the
	// host or of an address there, so that it stands in plans, in the ledger and
	// in logs, and is no secret.
	Named bool
	// Always: sent with every update. With: sent again when one of those
	// changes (a hook's token when its url does).
	Always bool
	With   []string
	// Norm maps a value to its canonical form; equality, digests and causes
	// work on it alone. Nil means the value as it is. Alike says in words what
	// makes no difference to it, where people would wonder.
	Norm  func(cty.Value) cty.Value
	Alike string
	// Whole is the canonical form with what hosts do not show of a value and Norm
	// leaves out, such as the credentials in a URL. Digests, which are keyed then,
	// are of it: that is how a change of the rest is noticed.
	Whole func(cty.Value) cty.Value
	// Partial is for maps: only the keys that are stated count, and hosts may
	// leave some out. Hidden are the keys that hold secrets, but for values that
	// Open says are none.
	Partial bool
	Hidden  []string
	Open    func(key string, v cty.Value) bool
	// Needs are the keys of such a map that an object cannot be without.
	Needs func(Object) []string
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

// Lasting tells whether live objects are held to a stated value.
func (a *Attr) Lasting() bool { return !a.Once && !a.Local }

// Triggers reports whether a change of the named attributes makes a be sent
// again.
func (a *Attr) Triggers(changed []string) bool {
	return a.Always || slices.ContainsFunc(a.With, func(w string) bool { return slices.Contains(changed, w) })
}
