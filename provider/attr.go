package provider

import (
	"cmp"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Attr is one row of a kind's table: what configuration sees of an attribute,
// and how the attribute travels. Rows are made by a function for their type
// ([String], [Bool], [Reference] …), which takes the name, the documentation
// and the options of this package.
type Attr struct {
	schema.Attr
	// Parameter is the name of the attribute on the API, where it differs.
	Parameter string
	// UpdateParameter is its parameter in updates where creations have another
	// one (a label's new_name).
	UpdateParameter string
	// Field is the field of answers that holds it, where it differs from Parameter.
	Field string
	// Encode returns what encoding/json makes the JSON of a stated value of. Nil
	// takes the plain form. The value is wholly known and without marks, and may
	// be null.
	Encode func(cty.Value) any
	// Decode returns the value of the JSON of an answer, or [cty.NilVal] where the
	// answer does not tell it. Nil takes the plain form.
	Decode func(raw []byte) (cty.Value, error)
	// List is the path of the list that holds the value, where answers do not.
	List string
	// AfterCreate is set where hosts ignore the attribute in a creation. It is sent
	// in an update right after it.
	AfterCreate bool
	// Spread makes each key of a map a parameter of its own.
	Spread bool
}

// createName returns the parameter of creations.
func (a *Attr) createName() string { return cmp.Or(a.Parameter, a.Name) }

// updateName returns the parameter of updates.
func (a *Attr) updateName() string { return cmp.Or(a.UpdateParameter, a.createName()) }

// fieldName returns the field of answers.
func (a *Attr) fieldName() string { return cmp.Or(a.Field, a.createName()) }

// encoded returns what encoding/json makes the JSON of a stated value of.
func (a *Attr) encoded(v cty.Value) any {
	if a.Encode != nil {
		return a.Encode(v)
	}
	return toJSON(v)
}

// Typed returns a row of any type. The options apply in their order, after what
// the function for a type sets by itself, so that a row can override it.
func Typed(ty cty.Type, name, doc string, options ...Option) Attr {
	a := Attr{Attr: schema.Attr{Name: name, Doc: doc, Type: ty}}
	for _, o := range options {
		o(&a)
	}
	return a
}

// String returns a row for a string. A null on the host equals "".
func String(name, doc string, o ...Option) Attr { return Typed(cty.String, name, doc, o...) }

// Number returns a row for a number.
func Number(name, doc string, o ...Option) Attr { return Typed(cty.Number, name, doc, o...) }

// Bool returns a row for a bool. A null on the host equals false, as hosts answer
// one for the other, unless the row has [NullInherits].
func Bool(name, doc string, o ...Option) Attr {
	return Typed(cty.Bool, name, doc, prepend(o, Norm(nullIsFalse))...)
}

// StringSet returns a row for a set of strings. Their order does not count.
func StringSet(name, doc string, o ...Option) Attr {
	return Typed(cty.Set(cty.String), name, doc, o...)
}

// Object returns a row for a value with fields, all of which are stated together.
func Object(name, doc string, fields map[string]cty.Type, o ...Option) Attr {
	return Typed(cty.Object(fields), name, doc, prepend(o, Norm(nullsAreEmptyStrings))...)
}

// SecretMap returns a row for a map of strings that are never read back.
func SecretMap(name, doc string, o ...Option) Attr {
	return Typed(cty.Map(cty.String), name, doc, prepend(o, Secret)...)
}

// PartialMap returns a row for a map of which hosts show no more than the keys
// that are not hidden, and of which only the stated keys are managed.
func PartialMap(name, doc string, mask schema.SecretKeys, o ...Option) Attr {
	partial := func(a *Attr) { a.Mask, a.Spread = mask, true }
	return Typed(cty.Map(cty.String), name, doc, prepend(o, partial)...)
}

// Reference returns a row for an object of another kind, stated by id, path or
// name.
func Reference(name, kind, doc string, o ...Option) Attr {
	return Typed(cty.DynamicPseudoType, name, doc, prepend(o, func(a *Attr) { a.Ref = &schema.RefRule{Kind: kind} })...)
}

// References returns a row for any number of objects of another kind, in no
// order. Answers hold them as objects with an id and a name, or as ids.
func References(name, kind, doc string, o ...Option) Attr {
	many := func(a *Attr) {
		a.Ref, a.Default = &schema.RefRule{Kind: kind, Many: true}, schema.Value(schema.RefsVal(nil))
	}
	return Typed(cty.Set(cty.DynamicPseudoType), name, doc, prepend(o, many)...)
}

// AccessLevel returns a row for an access level, stated by name or number.
func AccessLevel(name, doc string, o ...Option) Attr {
	byName := func(a *Attr) { a.Show = levelName }
	return Typed(cty.DynamicPseudoType, name, doc, prepend(o,
		Norm(levelNumber, "You can write the name or the number of a level."), Check(checkLevel), byName,
		Encode(encodeLevel))...)
}

// Date returns a row for a day of the form YYYY-MM-DD. "" is no day.
func Date(name, doc string, o ...Option) Attr {
	return Typed(cty.String, name, doc, prepend(o, Norm(normDate, "A time of day is ignored."), Default(""),
		Encode(encodeDate))...)
}

// ID returns the row for the id that the host gives.
func ID() Attr { return Number("id", "The id on the host.", Computed) }

// Join makes one table of several.
func Join(tables ...[]Attr) []Attr { return slices.Concat(tables...) }

// withOptions returns a function that makes a table of rows with these options in
// common.
func withOptions(common ...Option) func(rows ...Attr) []Attr {
	return func(rows ...Attr) []Attr {
		for i := range rows {
			for _, o := range common {
				o(&rows[i])
			}
		}
		return rows
	}
}

// prepend puts the options of a type before those of a row.
func prepend(row []Option, ofType ...Option) []Option { return slices.Concat(ofType, row) }

// keys returns the sorted keys of a map.
func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
