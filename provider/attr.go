package provider

import (
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// The rows of a kind's table are written with these: type, name, doc, and what
// else is to be said.

type option func(*schema.Attr)

func attr(ty cty.Type, name, doc string, options []option) schema.Attr {
	a := schema.Attr{Name: name, Doc: doc, Type: ty}
	for _, o := range options {
		o(&a)
	}
	return a
}

func text(name, doc string, o ...option) schema.Attr { return attr(cty.String, name, doc, o) }

func number(name, doc string, o ...option) schema.Attr { return attr(cty.Number, name, doc, o) }

// boolean: hosts answer null for false (gaps §1.5).
func boolean(name, doc string, o ...option) schema.Attr {
	return attr(cty.Bool, name, doc, append([]option{norm(nullIsFalse)}, o...))
}

// words is a set of strings: order does not count.
func words(name, doc string, o ...option) schema.Attr {
	return attr(cty.Set(cty.String), name, doc, o)
}

// object is a value with fields, all of which are stated together.
func object(name, doc string, fields map[string]cty.Type, o ...option) schema.Attr {
	return attr(cty.Object(fields), name, doc, append([]option{norm(nullIsEmpty)}, o...))
}

// secrets is a map of values that are never read back.
func secrets(name, doc string, o ...option) schema.Attr {
	return attr(cty.Map(cty.String), name, doc, append([]option{secret}, o...))
}

// ref refers to an object of another kind, by id, path or name.
func ref(name, kind, doc string, o ...option) schema.Attr {
	a := attr(cty.DynamicPseudoType, name, doc, o)
	a.Ref = kind
	return a
}

// level is an access level, by name or number (spec 2 §2.1).
func level(name, doc string, o ...option) schema.Attr {
	a := attr(cty.DynamicPseudoType, name, doc, o)
	a.Norm, a.Check, a.Show = levelNumber, knownLevel, levelName
	return a
}

// date is a day in the form YYYY-MM-DD, "" being none.
func date(name, doc string, o ...option) schema.Attr {
	return attr(cty.String, name, doc, append([]option{norm(day), def("")}, o...))
}

// id and the like are set by the host.
func id() schema.Attr { return number("id", "The id on the host.", computed) }

func required(a *schema.Attr) { a.Mode = schema.Required }
func computed(a *schema.Attr) { a.Mode = schema.Computed }
func fixed(a *schema.Attr)    { a.Fixed = true }
func secret(a *schema.Attr)   { a.Secret = true }
func detail(a *schema.Attr)   { a.Detail = true }
func once(a *schema.Attr)     { a.Once = true }
func always(a *schema.Attr)   { a.Always = true }

// inherits: null is not false but what is configured further up.
func inherits(a *schema.Attr) { a.Norm = nil }

func wire(name string) option { return func(a *schema.Attr) { a.Wire = name } }

func with(names ...string) option { return func(a *schema.Attr) { a.With = names } }

func norm(f func(cty.Value) cty.Value) option { return func(a *schema.Attr) { a.Norm = f } }

// shown renders the canonical form for people where the stated one says too
// much.
func shown(f func(cty.Value) cty.Value) option {
	return func(a *schema.Attr) { a.Show = func(v cty.Value) string { return schema.Encode(f(v)) } }
}

// def is the documented default: a string, int or bool.
func def(value any) option {
	v := cty.NilVal
	switch value := value.(type) {
	case string:
		v = cty.StringVal(value)
	case int:
		v = cty.NumberIntVal(int64(value))
	case bool:
		v = cty.BoolVal(value)
	case cty.Value:
		v = value
	}
	return func(a *schema.Attr) { a.Default = schema.Value(v) }
}

// check adds a condition to those there are.
func check(f func(cty.Value) error) option {
	return func(a *schema.Attr) {
		before := a.Check
		a.Check = func(v cty.Value) error {
			if before != nil {
				if err := before(v); err != nil {
					return err
				}
			}
			return f(v)
		}
	}
}

// keys are the sorted keys of a map.
func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// join makes one table of several.
func join(tables ...[]schema.Attr) []schema.Attr { return slices.Concat(tables...) }
