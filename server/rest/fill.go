package rest

import (
	"fmt"
	"reflect"
	"strconv"
	"time"
)

// filler puts a value of the tree, never nil, into dst. at is the public name of the parameter.
type filler func(dst reflect.Value, value any, at string, wrong *problems)

// check is what the tags ask of a value beyond its type. On a list it is asked of each element.
type check struct {
	comma, date bool
	oneOf       []string
	min, max    *float64
}

var (
	openerType = reflect.TypeFor[opener]()
	timeType   = reflect.TypeFor[time.Time]()
	fileType   = reflect.TypeFor[File]()
)

// fillerOf compiles a type, and reports whether an empty string is a value of it.
func fillerOf(t reflect.Type, c check) (fill filler, text bool) {
	switch {
	case reflect.PointerTo(t).Implements(openerType):
		elem, _ := t.FieldByName("value")
		fill, text := fillerOf(elem.Type, c)
		return func(dst reflect.Value, value any, at string, wrong *problems) {
			place := dst.Addr().Interface().(opener).open(false)
			fill(reflect.ValueOf(place).Elem(), value, at, wrong)
		}, text
	case t == reflect.PointerTo(fileType):
		return fillFile, false
	case t.Kind() == reflect.Pointer:
		fill, text := fillerOf(t.Elem(), c)
		return func(dst reflect.Value, value any, at string, wrong *problems) {
			dst.Set(reflect.New(t.Elem()))
			fill(dst.Elem(), value, at, wrong)
		}, text
	case t == timeType:
		return scalar(func(dst reflect.Value, s string) bool {
			when, ok := parseTime(s, c.date)
			dst.Set(reflect.ValueOf(when))
			return ok
		}, c), false
	}
	switch t.Kind() {
	case reflect.String:
		return scalar(func(dst reflect.Value, s string) bool { dst.SetString(s); return true }, c), true
	case reflect.Bool:
		return scalar(func(dst reflect.Value, s string) bool {
			b, ok := parseBool(s)
			dst.SetBool(b)
			return ok
		}, c), false
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return scalar(func(dst reflect.Value, s string) bool {
			n, err := strconv.ParseInt(s, 10, t.Bits())
			dst.SetInt(n)
			return err == nil
		}, c), false
	case reflect.Float32, reflect.Float64:
		return scalar(func(dst reflect.Value, s string) bool {
			n, err := strconv.ParseFloat(s, t.Bits())
			dst.SetFloat(n)
			return err == nil && n-n == 0 // neither infinite nor not a number
		}, c), false
	case reflect.Slice:
		return fillSlice(t, c), true
	case reflect.Map:
		return fillMap(t, c), false
	case reflect.Struct:
		p := planOf(t)
		return func(dst reflect.Value, value any, at string, wrong *problems) {
			object, ok := value.(tree)
			if !ok {
				wrong.add(at + " is invalid")
				return
			}
			p.fill(dst, at, source{trees: []tree{object}}, wrong)
		}, false
	case reflect.Interface:
		return func(dst reflect.Value, value any, _ string, _ *problems) { dst.Set(reflect.ValueOf(value)) }, true
	}
	panic(fmt.Sprintf("rest: a parameter cannot be a %s", t))
}
