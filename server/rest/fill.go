package rest

import (
	"fmt"
	"reflect"
	"strconv"
	"time"
)

// filler stores a value of the tree, which is not nil, in dst. at is the public name of the
// parameter.
type filler func(dst reflect.Value, value any, at string, wrong *complaints)

// constraint is what the tags require of a value beyond its type. On a list it applies to each
// element.
type constraint struct {
	comma, array, date bool
	oneOf              []string
	min, max           *float64
}

var (
	optFieldType = reflect.TypeFor[optField]()
	timeType     = reflect.TypeFor[time.Time]()
	fileType     = reflect.TypeFor[File]()
)

// fillerOf returns the filler of a type, and whether an empty string is a value of that type.
func fillerOf(t reflect.Type, c constraint) (fill filler, text bool) {
	switch {
	case reflect.PointerTo(t).Implements(optFieldType):
		elem, _ := t.FieldByName("value")
		fill, text := fillerOf(elem.Type, c)
		return func(dst reflect.Value, value any, at string, wrong *complaints) {
			place := dst.Addr().Interface().(optField).give()
			fill(reflect.ValueOf(place).Elem(), value, at, wrong)
		}, text
	case t == reflect.PointerTo(fileType):
		return fillFile, false
	case t.Kind() == reflect.Pointer:
		fill, text := fillerOf(t.Elem(), c)
		return func(dst reflect.Value, value any, at string, wrong *complaints) {
			dst.Set(reflect.New(t.Elem()))
			fill(dst.Elem(), value, at, wrong)
		}, text
	case t == timeType:
		return scalarFiller(func(dst reflect.Value, s string) bool {
			when, ok := parseTime(s, c.date)
			dst.Set(reflect.ValueOf(when))
			return ok
		}, c), false
	}
	switch t.Kind() {
	case reflect.String:
		return scalarFiller(func(dst reflect.Value, s string) bool { dst.SetString(s); return true }, c), true
	case reflect.Bool:
		return scalarFiller(func(dst reflect.Value, s string) bool {
			b, ok := parseBool(s)
			dst.SetBool(b)
			return ok
		}, c), false
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return scalarFiller(func(dst reflect.Value, s string) bool {
			n, err := strconv.ParseInt(s, 10, t.Bits())
			dst.SetInt(n)
			return err == nil
		}, c), false
	case reflect.Float32, reflect.Float64:
		return scalarFiller(func(dst reflect.Value, s string) bool {
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
		return func(dst reflect.Value, value any, at string, wrong *complaints) {
			object, ok := value.(tree)
			if !ok {
				wrong.add(at + " is invalid")
				return
			}
			p.fill(dst, at, source{trees: []tree{object}}, wrong)
		}, false
	case reflect.Interface:
		return func(dst reflect.Value, value any, _ string, _ *complaints) { dst.Set(reflect.ValueOf(value)) }, true
	}
	panic(fmt.Sprintf("rest: a parameter cannot be a %s", t))
}
