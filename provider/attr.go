package provider

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// attr is one row of a kind's table. All that is to be said of an attribute is
// said in its row: what configuration sees of it, and how it travels.
type attr struct {
	schema.Attr
	// column is the field of answers where it is not the one of requests.
	column string
	// send makes the JSON of a stated value; nil takes the plain form.
	send func(cty.Value) any
	// late: ignored by a creation, and so sent in an update right after it.
	late bool
	// renamed is the parameter of updates where it is not the one of creations
	// (a label's new_name).
	renamed string
	// spread: each key of a map is a parameter of its own.
	spread bool
}

// parameter is the name in a creation, later that in an update.
func (a *attr) parameter() string { return a.WireName() }
func (a *attr) later() string     { return cmp.Or(a.renamed, a.WireName()) }

// answer is the field of answers that holds the attribute.
func (a *attr) answer() string {
	if a.column != "" {
		return a.column
	}
	return a.WireName()
}

// json is what encoding/json makes the JSON of a stated value of.
func (a *attr) json(v cty.Value) any {
	if a.send != nil {
		return a.send(v)
	}
	return toJSON(v)
}

// The rows are written with these: type, name, doc, and what else is to be
// said. What a type brings along comes first, so that a row can say otherwise.

type option func(*attr)

func typed(ty cty.Type, name, doc string, options ...option) attr {
	a := attr{Attr: schema.Attr{Name: name, Doc: doc, Type: ty}}
	for _, o := range options {
		o(&a)
	}
	return a
}

func text(name, doc string, o ...option) attr { return typed(cty.String, name, doc, o...) }

func number(name, doc string, o ...option) attr { return typed(cty.Number, name, doc, o...) }

// boolean: hosts answer null for false (gaps §1.5).
func boolean(name, doc string, o ...option) attr {
	return typed(cty.Bool, name, doc, first(o, norm(nullIsFalse))...)
}

// words is a set of strings: order does not count.
func words(name, doc string, o ...option) attr {
	return typed(cty.Set(cty.String), name, doc, o...)
}

// object is a value with fields, all of which are stated together.
func object(name, doc string, fields map[string]cty.Type, o ...option) attr {
	return typed(cty.Object(fields), name, doc, first(o, norm(nullIsEmpty))...)
}

// secrets is a map of values that are never read back.
func secrets(name, doc string, o ...option) attr {
	return typed(cty.Map(cty.String), name, doc, first(o, secret)...)
}

// ref refers to an object of another kind, by id, path or name.
func ref(name, kind, doc string, o ...option) attr {
	return typed(cty.DynamicPseudoType, name, doc, first(o, func(a *attr) { a.Ref = kind })...)
}

// several refers to any number of objects of another kind; their order does not
// count. Answers hold them as objects with an id and a name, or as ids.
func several(name, kind, doc string, o ...option) attr {
	many := func(a *attr) { a.Ref, a.Many, a.Default = kind, true, schema.Value(schema.RefsVal(nil)) }
	return typed(cty.Set(cty.DynamicPseudoType), name, doc, first(o, many)...)
}

// properties is a map of which hosts show no more than the keys that are not
// hidden, and of which only the stated keys are managed.
func properties(name, doc string, hidden []string, o ...option) attr {
	partial := func(a *attr) { a.Partial, a.Hidden, a.spread = true, hidden, true }
	return typed(cty.Map(cty.String), name, doc, first(o, partial)...)
}

// open says which values of hidden keys are no secrets.
func open(f func(key string, v cty.Value) bool) option { return func(a *attr) { a.Open = f } }

// needs are the keys that there have to be.
func needs(f func(schema.Object) []string) option { return func(a *attr) { a.Needs = f } }

// level is an access level, by name or number (spec 2 §2.1).
func level(name, doc string, o ...option) attr {
	byName := func(a *attr) { a.Show = levelName }
	return typed(cty.DynamicPseudoType, name, doc, first(o, norm(levelNumber, "A level's name and its number are one."), check(knownLevel), byName, sent(sendLevel))...)
}

// date is a day in the form YYYY-MM-DD, "" being none.
func date(name, doc string, o ...option) attr {
	return typed(cty.String, name, doc, first(o, norm(day, "Of a time the day counts."), def(""), sent(sendDate))...)
}

// id is set by the host.
func id() attr { return number("id", "The id on the host.", computed) }

func required(a *attr) { a.Mode = schema.Required }
func computed(a *attr) { a.Mode = schema.Computed }
func fixed(a *attr)    { a.Fixed = true }
func secret(a *attr)   { a.Secret = true }
func detail(a *attr)   { a.Detail = true }
func once(a *attr)     { a.Once = true }
func always(a *attr)   { a.Always = true }
func late(a *attr)     { a.late = true }
func local(a *attr)    { a.Local = true }
func admitted(a *attr) { a.Admitted = true }

// readable is for secrets that hosts show to whoever may change them.
func readable(a *attr) { a.Readable = true }

// inherits: null is not false but what is configured further up.
func inherits(a *attr) { a.Norm = nil }

func wire(name string) option { return func(a *attr) { a.Wire = name } }

func renamed(name string) option { return func(a *attr) { a.renamed = name } }

// whole is the canonical form with what hosts mask: a change of that is noticed
// by its digest.
func whole(f func(cty.Value) cty.Value) option { return func(a *attr) { a.Whole = f } }

// skips is for siblings of which those that are not there are left out where that
// argument is true.
func skips(unless string) option { return func(a *attr) { a.Skips = unless } }

func column(name string) option { return func(a *attr) { a.column = name } }

func leads(ref string) option { return func(a *attr) { a.Leads = ref } }

// usual is what most hosts decide on, where nothing is stated.
func usual(v any) option {
	return func(a *attr) { a.Usual = schema.Value(constant(v)) }
}

// instead is for what says the same as another attribute, in an older way.
func instead(of string) option { return func(a *attr) { a.Instead = of } }

func with(names ...string) option { return func(a *attr) { a.With = names } }

// norm is the canonical form, and in words what is alike in it.
func norm(f func(cty.Value) cty.Value, alike ...string) option {
	return func(a *attr) { a.Norm, a.Alike = f, strings.Join(alike, " ") }
}

func sent(f func(cty.Value) any) option { return func(a *attr) { a.send = f } }

// shown renders the canonical form for people where the stated one says too
// much.
func shown(f func(cty.Value) cty.Value) option {
	return func(a *attr) { a.Show = func(v cty.Value) string { return schema.Encode(f(v)) } }
}

// def is the documented default: a string, int or bool.
func def(value any) option {
	return func(a *attr) { a.Default = schema.Value(constant(value)) }
}

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

// check adds a condition to those there are.
func check(f func(cty.Value) error) option {
	return func(a *attr) {
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

// all makes a table of rows that have something in common.
func all(common ...option) func(rows ...attr) []attr {
	return func(rows ...attr) []attr {
		for i := range rows {
			for _, o := range common {
				o(&rows[i])
			}
		}
		return rows
	}
}

// join makes one table of several.
func join(tables ...[]attr) []attr { return slices.Concat(tables...) }

// first puts the options of a type before those of a row.
func first(row []option, of ...option) []option { return slices.Concat(of, row) }

// keys are the sorted keys of a map.
func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
