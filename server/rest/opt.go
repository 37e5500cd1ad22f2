package rest

// Opt is a parameter that can be absent, null or a value. The zero value is absent.
type Opt[T any] struct {
	value       T
	given, null bool
}

// Some returns a parameter with a value.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, given: true} }

// Null returns a parameter that was given as null.
func Null[T any]() Opt[T] { return Opt[T]{given: true, null: true} }

// Given reports whether the request has the parameter, as a value or as null.
func (o Opt[T]) Given() bool { return o.given }

// IsNull reports whether the parameter was given as null.
func (o Opt[T]) IsNull() bool { return o.null }

// Value returns the value, and reports whether there is one.
func (o Opt[T]) Value() (T, bool) { return o.value, o.given && !o.null }

// Or returns the value, or def if there is none.
func (o Opt[T]) Or(def T) T {
	if v, ok := o.Value(); ok {
		return v
	}
	return def
}

// Into stores the value if the parameter was given, and the zero value if it was given as null. For
// a field that is a pointer use an Opt of a pointer: null then stores nil.
func (o Opt[T]) Into(dst *T) {
	if o.given {
		*dst = o.value
	}
}

// TextIfGiven returns a pointer to the text, to "" if the parameter was null, and nil if it was
// absent.
func TextIfGiven(text Opt[string]) *string {
	if !text.Given() {
		return nil
	}
	return new(text.Or(""))
}

// optField is an Opt of any type, as the decoder sets it.
type optField interface {
	give() (value any)
	giveNull()
}

// give marks the parameter as given with a value and returns a pointer to it.
func (o *Opt[T]) give() any {
	o.given, o.null = true, false
	return &o.value
}

// giveNull marks the parameter as given as null.
func (o *Opt[T]) giveNull() { o.given, o.null = true, true }

// ByID holds the parameters of a request that has only the id of an object.
type ByID struct {
	ID int64 `param:"id"`
}
