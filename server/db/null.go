package db

// OrZero returns the value of a column that may be null: the zero value if it is null.
func OrZero[T any](value *T) T {
	if value == nil {
		return *new(T)
	}
	return *value
}

// NilIfZero returns what a column that may be null stores: null for the zero value.
func NilIfZero[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}
	return &value
}

// AppendNotNull appends the value of a column that may be null, unless it is.
func AppendNotNull[T any](list []T, value *T) []T {
	if value == nil {
		return list
	}
	return append(list, *value)
}
