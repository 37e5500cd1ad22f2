package rest

// Opt is a parameter that tells absent, null and a value apart. The zero value is absent.
type Opt[T any] struct {
	value       T
	given, null bool
}

// Some is a parameter with a value.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, given: true} }

// Null is a parameter that was given as null.
func Null[T any]() Opt[T] { return Opt[T]{given: true, null: true} }

// Given reports whether the parameter was in the request, be it as null.
func (o Opt[T]) Given() bool { return o.given }

// IsNull reports whether the parameter was given as null.
func (o Opt[T]) IsNull() bool { return o.null }

// Value returns the value, and whether there is one.
func (o Opt[T]) Value() (T, bool) { return o.value, o.given && !o.null }

// Or returns the value, or def where there is none.
func (o Opt[T]) Or(def T) T {
	if v, ok := o.Value(); ok {
		return v
	}
	return def
}

// Into stores the value if the parameter was given, and the zero value if it was given as null. For a field that is
// itself a pointer, use an Opt of a pointer: null then stores nil.
func (o Opt[T]) Into(dst *T) {
	if o.given {
		*dst = o.value
	}
}

// opener is how the decoder reaches into an Opt of any type.
type opener interface {
	open(null bool) (value any)
}

// open marks the parameter as given and returns the place of its value.
func (o *Opt[T]) open(null bool) any {
	o.given, o.null = true, null
	return &o.value
}

// ByID are the parameters of a request that names one thing by its number, and says no more about it.
type ByID struct {
	ID int64 `param:"id"`
}
