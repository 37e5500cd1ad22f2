package rest

import (
	"fmt"
	"reflect"
)

// Into is embedded in a struct of parameters whose Opts are the fields of a T, to be merged into one. That each of them
// has its field in T, of the same name and type, is checked when the routes are made: a misspelt parameter would be one
// that does nothing.
type Into[T any] struct{}

func (Into[T]) into(*T) {}

func (Into[T]) target() reflect.Type { return reflect.TypeFor[T]() }

// targeted is an Into of any type.
type targeted interface{ target() reflect.Type }

// Merge stores what was given: each Opt of in goes to the field of dst that has the same name. A null empties a pointer
// and puts anything else back to its default. Fields of in that are no Opt are not looked at.
func Merge[T any, In interface{ into(*T) }](dst *T, in In, defaults T) {
	merge(reflect.ValueOf(dst).Elem(), reflect.ValueOf(in), reflect.ValueOf(&defaults).Elem())
}

func merge(dst, in, defaults reflect.Value) {
	for i := range in.NumField() {
		f := in.Type().Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			merge(dst, in.Field(i), defaults)
			continue
		}
		if !f.IsExported() {
			continue
		}
		o, ok := in.Field(i).Interface().(optional)
		if !ok || !o.Given() {
			continue
		}
		to := dst.FieldByName(f.Name)
		switch value := reflect.ValueOf(o.any()); {
		case o.IsNull() && to.Kind() == reflect.Pointer:
			to.SetZero()
		case o.IsNull():
			to.Set(defaults.FieldByName(f.Name))
		case to.Kind() == reflect.Pointer && value.Kind() != reflect.Pointer:
			to.Set(reflect.New(value.Type()))
			to.Elem().Set(value)
		default:
			to.Set(value)
		}
	}
}

// fit panics if a parameter of the struct in has no field in the struct to that it could be merged into.
func fit(in, to reflect.Type) {
	for i := range in.NumField() {
		f := in.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			fit(f.Type, to)
			continue
		}
		o, ok := reflect.Zero(f.Type).Interface().(optional)
		if !ok {
			continue
		}
		field, ok := to.FieldByName(f.Name)
		if !ok {
			panic(fmt.Sprintf("rest: %s.%s is merged into %s, which has no such field", in, f.Name, to))
		}
		if t := o.of(); field.Type != t && field.Type != reflect.PointerTo(t) {
			panic(fmt.Sprintf("rest: %s.%s is merged into %s, where it is not of type %s but %s", in, f.Name, to, t, field.Type))
		}
	}
}

// Given reports whether any Opt of in was given.
func Given(in any) bool { return given(reflect.ValueOf(in)) }

func given(v reflect.Value) bool {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			if given(v.Field(i)) {
				return true
			}
		case f.IsExported():
			if o, ok := v.Field(i).Interface().(optional); ok && o.Given() {
				return true
			}
		}
	}
	return false
}

// optional is an Opt of any type, read.
type optional interface {
	Given() bool
	IsNull() bool
	any() any
	of() reflect.Type
}

func (o Opt[T]) any() any { return o.value }

func (o Opt[T]) of() reflect.Type { return reflect.TypeFor[T]() }
