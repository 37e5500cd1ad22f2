package rest

import (
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"hew/server/fault"
)

// complaints are the messages about the parameters, in the order of the fields, each once.
type complaints []string

func (p *complaints) add(text string) {
	if !slices.Contains(*p, text) {
		*p = append(*p, text)
	}
}

// Decode returns the parameters of a request: those in the path win over the body, those in the
// body over the query. Unknown parameters are ignored. Everything that is wrong with them is one
// fault, in the words of the public API.
func Decode[In any](r *http.Request) (In, error) {
	var in In
	v := reflect.ValueOf(&in).Elem()
	p := planOf(v.Type())
	x := exchangeOf(r)
	query, err := x.parsedQuery(r)
	if err != nil {
		return in, err
	}
	from := source{path: r.PathValue, trees: []tree{query}}
	if p.body == nil {
		body, err := x.wholeBody(r)
		if err != nil {
			return in, err
		}
		from.trees = []tree{body, query}
	} else {
		v.FieldByIndex(p.body).Set(reflect.ValueOf(x.unreadBody(r)))
	}
	var wrong complaints
	if hasHiddenSudo(r, from.trees) {
		wrong.add("sudo is invalid")
	}
	err = p.decode(v, from, wrong)
	return in, err
}

// decode sets the fields of v. It returns one fault for what is wrong with them, and what was wrong
// already.
func (p *plan) decode(v reflect.Value, from source, wrong complaints) error {
	p.fill(v, "", from, &wrong)
	if wrong != nil {
		return fault.Param(strings.Join(wrong, ", "))
	}
	for _, e := range p.validators {
		if err := v.FieldByIndex(e.index).Addr().Interface().(validator).validate(e.tag); err != nil {
			return err
		}
	}
	return nil
}

// source is where parameters are looked up: first the wildcards of the path, then each tree.
type source struct {
	path  func(name string) string
	trees []tree
}

func (s source) lookup(name string) (value any, given bool) {
	if s.path != nil {
		if segment := s.path(name); segment != "" {
			return segment, true
		}
	}
	for _, t := range s.trees {
		if value, given = t[name]; given {
			return value, true
		}
	}
	return nil, false
}

// fill sets the fields of the struct v. prefix is the name of the parameter that v is the value of,
// "" for the whole struct.
func (p *plan) fill(v reflect.Value, prefix string, from source, wrong *complaints) {
	for i := range p.params {
		q := &p.params[i]
		q.set(v.FieldByIndex(q.index), nestedName(prefix, q.names[0]), from, wrong)
	}
	for _, r := range p.rules {
		r.check(p, prefix, from, wrong)
	}
}

// nestedName returns the public name of a part: a[b].
func nestedName(outer, inner string) string {
	if outer == "" {
		return inner
	}
	return outer + "[" + inner + "]"
}

// lookup returns the value under the name or one of its aliases, and whether it is there.
func (q *param) lookup(from source) (value any, given bool) {
	for _, name := range q.names {
		if value, given = from.lookup(name); given {
			return value, true
		}
	}
	return nil, false
}

func (q *param) set(dst reflect.Value, at string, from source, wrong *complaints) {
	value, given := q.lookup(from)
	if q.integer && from.path != nil && from.path(q.names[0]) != "" {
		value = nearestInt(from.path(q.names[0]))
	}
	if q.notEmpty && isBlank(value) {
		wrong.add(at + " is empty")
		return
	}
	if value == "" && !q.text {
		value = nil
	}
	switch {
	case q.entry != nil && given:
		q.setEntry(dst, value, at, wrong)
	case value != nil:
		q.fill(dst, value, at, wrong)
	case q.required:
		wrong.add(at + " is missing")
	case q.def != nil:
		q.fill(dst, *q.def, at, wrong)
	case given:
		if o, ok := dst.Addr().Interface().(optField); ok {
			o.giveNull()
		}
	}
}

// nearestInt returns an integer that fits into 64 bits, for one in a path that does not: no object
// has that id either, so it is not found. Any other text is returned as it is.
func nearestInt(s string) string {
	n, err := strconv.ParseInt(s, 10, 64) // the nearest, if s is out of range
	if !errors.Is(err, strconv.ErrRange) {
		return s
	}
	return strconv.FormatInt(n, 10)
}

func isBlank(value any) bool {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	}
	return false
}

// check adds what breaks the rule. A parameter that is null counts as given.
func (r rule) check(p *plan, prefix string, from source, wrong *complaints) {
	var names, given []string
	for _, name := range r.names {
		if from.path != nil && from.path(name) != "" {
			continue // a wildcard names the object and is not a parameter of the rule
		}
		names = append(names, nestedName(prefix, name))
		if p.given(name, from) {
			given = append(given, nestedName(prefix, name))
		}
	}
	switch all := strings.Join(names, ", "); {
	case r.kind != "atleast" && len(given) > 1:
		wrong.add(strings.Join(given, ", ") + " are mutually exclusive")
	case r.kind == "atleast" && len(given) == 0:
		wrong.add(all + " are missing, at least one parameter must be provided")
	case r.kind == "exactly" && len(given) == 0:
		wrong.add(all + " are missing, exactly one parameter must be provided")
	}
}

func (p *plan) given(name string, from source) bool {
	_, given := p.param(name).lookup(from)
	return given
}
