package rest

import (
	"fmt"
	"reflect"
)

// Into marks a struct of parameters that is merged into a T. Embed it: New then panics unless every
// Opt of the struct has a field of the same name and type in T. A misspelt one would do nothing.
type Into[T any] struct{}

func (Into[T]) into(*T) {}

func (Into[T]) mergeTarget() reflect.Type { return reflect.TypeFor[T]() }

// mergeInput is an Into of any type.
type mergeInput interface{ mergeTarget() reflect.Type }

// Merge copies each Opt of in that was given to the field of dst with the same name. Null sets a
// pointer to nil and any other field to that of defaults. Fields of in that are not an Opt are
// ignored.
func Merge[T any, In interface{ into(*T) }](dst *T, in In, defaults T) {
	mergeFields(reflect.ValueOf(dst).Elem(), reflect.ValueOf(in), reflect.ValueOf(&defaults).Elem())
}

func mergeFields(dst, in, defaults reflect.Value) {
	for i := range in.NumField() {
		f := in.Type().Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			mergeFields(dst, in.Field(i), defaults)
			continue
		}
		if !f.IsExported() {
			continue
		}
		o, ok := in.Field(i).Interface().(optValue)
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

// checkMergeable panics if an Opt of the struct in has no field of the same name and type in the
// struct to.
func checkMergeable(in, to reflect.Type) {
	for i := range in.NumField() {
		f := in.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			checkMergeable(f.Type, to)
			continue
		}
		o, ok := reflect.Zero(f.Type).Interface().(optValue)
		if !ok {
			continue
		}
		field, ok := to.FieldByName(f.Name)
		if !ok {
			panic(fmt.Sprintf("rest: %s.%s cannot be merged into %s, which has no such field", in, f.Name, to))
		}
		if t := o.of(); field.Type != t && field.Type != reflect.PointerTo(t) {
			panic(fmt.Sprintf("rest: %s.%s of type %s cannot be merged into %s, where it has type %s",
				in, f.Name, t, to, field.Type))
		}
	}
}

// Given reports whether any Opt of in was given.
func Given(in any) bool { return anyGiven(reflect.ValueOf(in)) }

func anyGiven(v reflect.Value) bool {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			if anyGiven(v.Field(i)) {
				return true
			}
		case f.IsExported():
			if o, ok := v.Field(i).Interface().(optValue); ok && o.Given() {
				return true
			}
		}
	}
	return false
}

// optValue is an Opt of any type, as Merge reads it.
type optValue interface {
	Given() bool
	IsNull() bool
	any() any
	of() reflect.Type
}

func (o Opt[T]) any() any { return o.value }

func (o Opt[T]) of() reflect.Type { return reflect.TypeFor[T]() }
