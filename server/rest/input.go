package rest

import "reflect"

// Input is a parameter of a route, as its struct or table declares it.
type Input struct {
	Names    []string     // the name, then its aliases
	Type     reflect.Type // of the value, which can be an Opt
	Required bool
	OneOf    []string // the values that are allowed; empty: all of the type
	Parts    []Input  // of the object that it is, or of each object in it; nil for other values

	param *param
	field reflect.Type
}

// Inputs returns all parameters of the route, wildcards of the path included, in the order of their
// declaration.
func (r Route) Inputs() []Input { return inputsOf(r.in) }

// ReadsBody reports whether the handler reads the body itself, so that parameters are in the path
// and the query only.
func (r Route) ReadsBody() bool { return planOf(r.in).body != nil }

func inputsOf(t reflect.Type) (inputs []Input) {
	p := planOf(t)
	for i := range p.params {
		q := &p.params[i]
		in := Input{
			Names: q.names, Type: q.entry, Required: q.required, OneOf: q.oneOf,
			param: q, field: t.FieldByIndex(q.index).Type,
		}
		if in.Type == nil {
			in.Type = in.field
		}
		if part := partOf(in.Type); part != nil {
			in.Parts = inputsOf(part)
		}
		inputs = append(inputs, in)
	}
	return inputs
}

// Takes reports whether a value, written as JSON, can be decoded: what a handler gets to see.
func (i Input) Takes(value string) bool {
	parsed, err := parseJSON([]byte(`{"value":` + value + `}`))
	if err != nil {
		return false
	}
	var wrong complaints
	name := i.Names[0]
	i.param.set(reflect.New(i.field).Elem(), name, source{trees: []tree{{name: parsed["value"]}}}, &wrong)
	return wrong == nil
}

// Parameters returns the names of all parameters, wildcards of the path and aliases included. A
// parameter in an object, or in a list of objects, has the name url_variables.value.
func (r Route) Parameters() []string { return namesOf(r.Inputs()) }

func namesOf(inputs []Input) (names []string) {
	for _, in := range inputs {
		names = append(names, in.Names...)
		for _, name := range namesOf(in.Parts) {
			names = append(names, in.Names[0]+"."+name)
		}
	}
	return names
}

// partOf returns the struct of parameters that t is or contains; nil if there is none.
func partOf(t reflect.Type) reflect.Type {
	switch {
	case reflect.PointerTo(t).Implements(optFieldType):
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
