package rest

import "reflect"

// Merge stores what was given: each Opt of in goes to the field of dst that has the same name, if there is one. A null
// empties a pointer and puts anything else back to its default. Fields of in that are no Opt are not looked at.
func Merge[T any](dst *T, in any, defaults T) {
	merge(reflect.ValueOf(dst).Elem(), reflect.ValueOf(in), reflect.ValueOf(&defaults).Elem())
}

func merge(dst, in, defaults reflect.Value) {
	for i := range in.NumField() {
		f := in.Type().Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			merge(dst, in.Field(i), defaults)
			continue
		}
		to := dst.FieldByName(f.Name)
		if !f.IsExported() || !to.IsValid() {
			continue
		}
		o, ok := in.Field(i).Interface().(optional)
		if !ok || !o.Given() {
			continue
		}
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
}

func (o Opt[T]) any() any { return o.value }
