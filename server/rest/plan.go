package rest

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// plan is how one struct type is filled: made once from its tags, and kept.
type plan struct {
	params []param
	rules  []rule
	tidies []embedded
	body   []int // where a Body is embedded
}

// param is one field.
type param struct {
	index    []int
	names    []string // the name, then other accepted ones
	required bool
	notEmpty bool
	text     bool // an empty string is a value; for any other type it is null
	def      *string
	fill     filler
	entry    reflect.Type // of its value, where it is an entry of Values
}

// rule binds several parameters together.
type rule struct {
	kind  string // exclusive, atleast, exactly
	names []string
}

// embedded is a part that has its own say once it is filled.
type embedded struct {
	index []int
	tag   reflect.StructTag
}

var plans sync.Map // reflect.Type → *plan

// planOf returns the plan of a struct type. It panics on tags that make no sense; routes ask for it when they are made.
func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("rest: parameters are fields of a struct, not %s", t))
	}
	p := &plan{}
	p.add(t, nil, false)
	for i, r := range p.rules {
		if slices.Equal(r.names, []string{"*"}) {
			p.rules[i].names = p.optional()
		}
		for _, name := range p.rules[i].names {
			if p.param(name) == nil {
				panic(fmt.Sprintf("rest: %s has no parameter %q for its rule", t, name))
			}
		}
	}
	kept, _ := plans.LoadOrStore(t, p)
	return kept.(*plan)
}

var (
	bodyType   = reflect.TypeFor[Body]()
	tidierType = reflect.TypeFor[tidier]()

	targetedType = reflect.TypeFor[targeted]()
	tabledType   = reflect.TypeFor[tabled]()
)

// add plans the fields of t, which stands at index; those of embedded structs are taken in place. tidied says that an
// outer part already has its say about this one.
func (p *plan) add(t reflect.Type, at []int, tidied bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clone(at), i)
		tag, named := f.Tag.Lookup("param")
		switch {
		case f.Type == bodyType && f.Anonymous:
			p.body = index
		case f.Anonymous && f.Type.Kind() == reflect.Struct && f.Type.NumField() == 0 && f.Type.Implements(targetedType):
			fit(t, reflect.Zero(f.Type).Interface().(targeted).target())
		case f.Anonymous && f.Type.Kind() == reflect.Map && f.Type.Implements(tabledType):
			p.entries(reflect.Zero(f.Type).Interface().(tabled).columns(), index)
		case f.Name == "_":
			p.rules = append(p.rules, rulesOf(f.Tag)...)
		case f.Anonymous && !named && f.Type.Kind() == reflect.Struct:
			// A part that is ours to see has the methods of what is embedded in it: that one speaks for itself.
			speaks := !tidied && f.IsExported() && reflect.PointerTo(f.Type).Implements(tidierType)
			if speaks {
				p.tidies = append(p.tidies, embedded{index, f.Tag})
			}
			p.add(f.Type, index, tidied || speaks)
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

// namesOf are the names of all parameters of a type, each under all of its own.
func namesOf(t reflect.Type) (names []string) {
	for _, q := range planOf(t).params {
		names = append(names, q.names...)
		of := q.entry
		if of == nil {
			of = t.FieldByIndex(q.index).Type
		}
		if part := partOf(of); part != nil {
			for _, name := range namesOf(part) {
				names = append(names, q.names[0]+"."+name)
			}
		}
	}
	return names
}

// partOf is the struct of parameters that a value of type t is, or holds several of; nil if it is none.
func partOf(t reflect.Type) reflect.Type {
	switch {
	case reflect.PointerTo(t).Implements(openerType):
		elem, _ := t.FieldByName("value")
		return partOf(elem.Type)
	case t == timeType, t == fileType:
		return nil
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		return partOf(t.Elem())
	case t.Kind() == reflect.Struct:
		return t
	}
	return nil
}

// optional are the names that a client may leave out.
func (p *plan) optional() (names []string) {
	for _, q := range p.params {
		if !q.required {
			names = append(names, q.names[0])
		}
	}
	return names
}

// param finds a parameter by its first name.
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

// paramOf reads the tags of a field.
func paramOf(f reflect.StructField, tag string, index []int) param {
	fail := func(format string, args ...any) {
		panic(fmt.Sprintf("rest: parameter %q: ", tag) + fmt.Sprintf(format, args...))
	}
	name, options, _ := strings.Cut(tag, ",")
	if name == "" || !f.IsExported() {
		fail("it needs a name and an exported field")
	}
	p := param{index: index, names: []string{name}}
	c := check{}
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
	p.fill, p.text = fillerOf(f.Type, c)
	if def, ok := f.Tag.Lookup("default"); ok {
		p.def = &def
		var wrong problems
		p.fill(reflect.New(f.Type).Elem(), def, name, &wrong)
		if wrong != nil {
			fail("default %q: %s", def, strings.Join(wrong, ", "))
		}
	}
	return p
}
