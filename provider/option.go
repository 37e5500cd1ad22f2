package provider

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Option says something of a row.
type Option func(*Attr)

// Required makes configuration state the attribute. Without it and without
// [Computed] an attribute is optional.
func Required(a *Attr) { a.Mode = schema.Required }

// Computed marks what the host alone sets.
func Computed(a *Attr) { a.Mode = schema.Computed }

// ForceNew makes a new value replace the object.
func ForceNew(a *Attr) { a.ForceNew = true }

// Secret marks what is never shown, stored or read back.
func Secret(a *Attr) { a.Mask = schema.SecretValue{} }

// ReadableSecret marks a secret that hosts show to users who can change it.
func ReadableSecret(a *Attr) { a.Mask = schema.SecretValue{Readable: true} }

// Masked says which part of the value is secret, or not shown by hosts.
func Masked(m schema.Mask) Option { return func(a *Attr) { a.Mask = m } }

// Detail marks what lists of objects leave out: to read it takes a request for
// the single object.
func Detail(a *Attr) { a.Detail = true }

// CreateOnly marks what is sent in a creation, and neither compared nor sent
// later.
func CreateOnly(a *Attr) { a.Sent = schema.SentOnce }

// AlwaysSent marks what goes along with every update.
func AlwaysSent(a *Attr) { a.Sent = schema.SentAlways }

// SentWith marks what goes along with an update that changes one of the named
// attributes.
func SentWith(names ...string) Option { return func(a *Attr) { a.Sent = schema.SentWith(names...) } }

// SentAfterCreate marks what hosts ignore in a creation. It is sent in an update
// right after it.
func SentAfterCreate(a *Attr) { a.AfterCreate = true }

// Local marks what tells hew how to treat the other attributes. It is neither
// sent nor compared.
func Local(a *Attr) { a.Sent = schema.SentNever }

// Outsiders says what hosts do with references to what has no access to the owner of
// the object.
func Outsiders(o schema.Outsiders) Option { return func(a *Attr) { refRule(a).Outsiders = o } }

// NullInherits makes null a value of its own, for what is configured further up,
// and not the same as false.
func NullInherits(a *Attr) { a.Form.Norm = nil }

// Parameter names the attribute on the API, where it has another name there.
func Parameter(name string) Option { return func(a *Attr) { a.Parameter = name } }

// UpdateParameter names the parameter of updates where creations have another.
func UpdateParameter(name string) Option { return func(a *Attr) { a.UpdateParameter = name } }

// Field names the field of answers where it is not the parameter's name.
func Field(name string) Option { return func(a *Attr) { a.Field = name } }

// Encode sets how a stated value is sent: f returns what encoding/json makes its
// JSON of.
func Encode(f func(cty.Value) any) Option { return func(a *Attr) { a.Encode = f } }

// Decode sets how an answer is read: f returns the value of its JSON, or [cty.NilVal]
// where the answer does not tell the value.
func Decode(f func(raw []byte) (cty.Value, error)) Option { return func(a *Attr) { a.Decode = f } }

// List names the path of the list that holds the value, where answers do not.
func List(path string) Option { return func(a *Attr) { a.List = path } }

// OnlySelf marks a reference that hosts set to no other user than the token's own.
func OnlySelf(a *Attr) { refRule(a).OnlySelf = true }

// Default sets the value that the attribute goes back to when its line is
// removed: a string, int, bool or cty.Value.
func Default(value any) Option {
	return func(a *Attr) { a.Default = schema.Value(constant(value)) }
}

// Usual sets the value that most hosts give a new object, where each decides for
// itself. It is of the types that [Default] takes.
func Usual(v any) Option {
	return func(a *Attr) { a.Usual = schema.Value(constant(v)) }
}

// constant returns the value of a Go constant.
func constant(value any) cty.Value {
	switch value := value.(type) {
	case string:
		return cty.StringVal(value)
	case int:
		return cty.NumberIntVal(int64(value))
	case bool:
		return cty.BoolVal(value)
	}
	return value.(cty.Value)
}

// SupersededBy names the attribute that says the same in the current way.
func SupersededBy(name string) Option { return func(a *Attr) { a.Instead = name } }

// SkipMissing names the bool argument that makes hew leave out references to what
// is not there. Without it they are an error.
func SkipMissing(argument string) Option { return func(a *Attr) { refRule(a).SkippedBy = argument } }

// refRule returns the row's rule of references. A row that is not a reference gets one
// without a kind, which [New] reports.
func refRule(a *Attr) *schema.RefRule {
	if a.Ref == nil {
		a.Ref = &schema.RefRule{}
	}
	return a.Ref
}

// Norm sets the canonical form of values, by which they are compared, and says in
// sentences what makes no difference to it.
func Norm(f func(cty.Value) cty.Value, alike ...string) Option {
	return func(a *Attr) { a.Form = schema.Form{Norm: f, Alike: strings.Join(alike, " ")} }
}

// ShowAs sets the form that is shown and stored, where the stated value says too much.
func ShowAs(f func(cty.Value) cty.Value) Option {
	return func(a *Attr) {
		a.Public, a.Show = f, func(v cty.Value) string { return schema.Encode(f(v)) }
	}
}

// Check adds a condition on stated values. The error says what is wrong with the
// value and what is accepted. Values are known, not null and without marks.
func Check(f func(cty.Value) error) Option {
	return func(a *Attr) {
		before := a.Accepts.Check
		a.Accepts.Check = func(v cty.Value) error {
			if before != nil {
				if err := before(v); err != nil {
					return err
				}
			}
			return f(v)
		}
	}
}
