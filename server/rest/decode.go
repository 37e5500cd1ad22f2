package rest

import (
	"net/http"
	"reflect"
	"slices"
	"strings"

	"hew/server/fault"
)

// problems are the texts of everything wrong with the parameters, in the order of the fields.
type problems []string

func (p *problems) add(text string) {
	if !slices.Contains(*p, text) {
		*p = append(*p, text)
	}
}

// Decode fills a parameter struct from path, query and body: the path wins over the body, and the body over the query.
// What is wrong is one fault that names it all, in the words of the public API (gaps §1.1). Unknown parameters are ignored.
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
		body, err := x.parsedBody(r)
		if err != nil {
			return in, err
		}
		from.trees = []tree{body, query}
	} else {
		v.FieldByIndex(p.body).Set(reflect.ValueOf(x.unread(r)))
	}
	var wrong problems
	if unheard(r, from.trees) {
		wrong.add("sudo is invalid")
	}
	p.fill(v, "", from, &wrong)
	if wrong != nil {
		return in, fault.Param(strings.Join(wrong, ", "))
	}
	for _, e := range p.tidies {
		if err := v.FieldByIndex(e.index).Addr().Interface().(tidier).tidy(e.tag); err != nil {
			return in, err
		}
	}
	return in, nil
}

// source is where parameters are looked up: the wildcards of the path, then each tree in turn.
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

// fill fills the struct v. prefix is the name of what the struct is part of, if it is.
func (p *plan) fill(v reflect.Value, prefix string, from source, wrong *problems) {
	for i := range p.params {
		q := &p.params[i]
		q.set(v.FieldByIndex(q.index), inside(prefix, q.names[0]), from, wrong)
	}
	for _, r := range p.rules {
		r.check(p, prefix, from, wrong)
	}
}

// inside is the public name of a part: a[b].
func inside(outer, inner string) string {
	if outer == "" {
		return inner
	}
	return outer + "[" + inner + "]"
}

// lookup finds the value under the name or any of its aliases.
func (q *param) lookup(from source) (value any, given bool) {
	for _, name := range q.names {
		if value, given = from.lookup(name); given {
			return value, true
		}
	}
	return nil, false
}

func (q *param) set(dst reflect.Value, at string, from source, wrong *problems) {
	value, given := q.lookup(from)
	if q.notEmpty && blank(value) {
		wrong.add(at + " is empty")
		return
	}
	if value == "" && !q.text {
		value = nil
	}
	switch {
	case q.entry != nil && given:
		q.enter(dst, value, at, wrong)
	case value != nil:
		q.fill(dst, value, at, wrong)
	case q.required:
		wrong.add(at + " is missing")
	case q.def != nil:
		q.fill(dst, *q.def, at, wrong)
	case given:
		if o, ok := dst.Addr().Interface().(opener); ok {
			o.open(true)
		}
	}
}

func blank(value any) bool {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	}
	return false
}

// check holds a rule to what was given, null or not.
func (r rule) check(p *plan, prefix string, from source, wrong *problems) {
	var names, given []string
	for _, name := range r.names {
		if from.path != nil && from.path(name) != "" {
			continue // it is what the request is about, not what it says
		}
		names = append(names, inside(prefix, name))
		if p.given(name, from) {
			given = append(given, inside(prefix, name))
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
