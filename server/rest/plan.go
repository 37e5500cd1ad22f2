package rest

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// plan says how a struct of parameters is filled. It is made once for each type, from the tags.
type plan struct {
	params     []param
	rules      []rule
	validators []embeddedPart
	body       []int // index of an embedded Body
}

// param is a field.
type param struct {
	index    []int
	names    []string // the name, then its aliases
	required bool
	notEmpty bool
	integer  bool
	text     bool // an empty string is a value; for other types it is null
	def      *string
	oneOf    []string
	fill     filler
	entry    reflect.Type // type of the value, if it is an entry of Values
}

// rule relates several parameters.
type rule struct {
	kind  string // exclusive, atleast, exactly
	names []string
}

// embeddedPart is an embedded struct that validates itself.
type embeddedPart struct {
	index []int
	tag   reflect.StructTag
}

var plans sync.Map // reflect.Type → *plan

// planOf returns the plan of a struct type. It panics if the tags make no sense; newRoute calls it.
func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("rest: the parameters must be a struct, not %s", t))
	}
	if t == reflect.TypeFor[Paging]() || t == reflect.TypeFor[Keyset]() {
		panic(fmt.Sprintf("rest: embed %s in a struct of parameters; by itself it is not validated", t))
	}
	p := &plan{}
	p.addFields(t, embedding{})
	for i, r := range p.rules {
		if slices.Equal(r.names, []string{"*"}) {
			p.rules[i].names = p.optional()
		}
		for _, name := range p.rules[i].names {
			if p.param(name) == nil {
				panic(fmt.Sprintf("rest: a rule of %s names %q, which is not a parameter", t, name))
			}
		}
	}
	kept, _ := plans.LoadOrStore(t, p)
	return kept.(*plan)
}

var (
	bodyType      = reflect.TypeFor[Body]()
	validatorType = reflect.TypeFor[validator]()

	mergeInputType  = reflect.TypeFor[mergeInput]()
	tableValuesType = reflect.TypeFor[tableValues]()
)

// embedding is the place of a struct in the one that a plan is for. The zero value is that struct
// itself.
type embedding struct {
	index     []int
	validated bool // an outer struct validates this one
}

// addFields adds the fields of t, which is at the place at, and those of embedded structs.
func (p *plan) addFields(t reflect.Type, at embedding) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clone(at.index), i)
		tag, named := f.Tag.Lookup("param")
		switch {
		case f.Type == bodyType && f.Anonymous:
			p.body = index
		case f.Anonymous && f.Type.Kind() == reflect.Struct && f.Type.NumField() == 0 &&
			f.Type.Implements(mergeInputType):
			checkMergeable(t, reflect.Zero(f.Type).Interface().(mergeInput).mergeTarget())
		case f.Anonymous && f.Type.Kind() == reflect.Map && f.Type.Implements(tableValuesType):
			p.addColumns(reflect.Zero(f.Type).Interface().(tableValues).columns(), index)
		case f.Name == "_":
			p.rules = append(p.rules, rulesOf(f.Tag)...)
		case f.Anonymous && !named && f.Type.Kind() == reflect.Struct:
			// A struct also has the promoted methods of what it embeds, which must not run twice.
			validates := !at.validated && f.IsExported() && reflect.PointerTo(f.Type).Implements(validatorType)
			if validates {
				p.validators = append(p.validators, embeddedPart{index, f.Tag})
			}
			p.addFields(f.Type, embedding{index, at.validated || validates})
		case named:
			q := paramOf(f, tag, index)
			if p.param(q.names[0]) != nil {
				panic(fmt.Sprintf("rest: %s has two parameters %q", t, q.names[0]))
			}
			p.params = append(p.params, q)
		case f.IsExported():
			panic(fmt.Sprintf("rest: %s.%s has no param tag", t, f.Name))
		}
	}
}

// optional returns the names of the parameters that are not required.
func (p *plan) optional() (names []string) {
	for _, q := range p.params {
		if !q.required {
			names = append(names, q.names[0])
		}
	}
	return names
}

// param returns the parameter with the name, nil if there is none. Aliases do not count.
func (p *plan) param(name string) *param {
	for i := range p.params {
		if p.params[i].names[0] == name {
			return &p.params[i]
		}
	}
	return nil
}

func rulesOf(tag reflect.StructTag) (rules []rule) {
	for _, kind := range []string{"exclusive", "atleast", "exactly"} {
		if names, ok := tag.Lookup(kind); ok {
			rules = append(rules, rule{kind, strings.Fields(names)})
		}
	}
	return rules
}

// paramOf returns the parameter that the tags of a field describe.
func paramOf(f reflect.StructField, tag string, index []int) param {
	fail := func(format string, args ...any) {
		panic(fmt.Sprintf("rest: parameter %q: ", tag) + fmt.Sprintf(format, args...))
	}
	name, options, _ := strings.Cut(tag, ",")
	if name == "" || !f.IsExported() {
		fail("a parameter needs a name and an exported field")
	}
	p := param{index: index, names: []string{name}}
	c := constraint{}
	for _, o := range strings.FieldsFunc(options, func(r rune) bool { return r == ',' }) {
		switch alias, isAlias := strings.CutPrefix(o, "alias="); {
		case isAlias:
			p.names = append(p.names, alias)
		case o == "required":
			p.required = true
		case o == "notempty":
			p.notEmpty = true
		case o == "comma":
			c.comma = true
		case o == "array":
			c.array = true
		case o == "date":
			c.date = true
		default:
			fail("unknown option %q", o)
		}
	}
	c.oneOf = strings.Fields(f.Tag.Get("oneof"))
	bound := func(key string) *float64 {
		text, ok := f.Tag.Lookup(key)
		if !ok {
			return nil
		}
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			fail("%s: %v", key, err)
		}
		return &n
	}
	c.min, c.max = bound("min"), bound("max")
	p.oneOf = c.oneOf
	p.fill, p.text = fillerOf(f.Type, c)
	p.integer = f.Type.Kind() == reflect.Int || f.Type.Kind() == reflect.Int64
	if def, ok := f.Tag.Lookup("default"); ok {
		p.def = &def
		var wrong complaints
		p.fill(reflect.New(f.Type).Elem(), def, name, &wrong)
		if wrong != nil {
			fail("default %q: %s", def, strings.Join(wrong, ", "))
		}
	}
	return p
}
