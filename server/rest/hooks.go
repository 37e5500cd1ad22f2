package rest

import ()

// Told is a text where one was given, or null, which is an empty one.
func Told(text Opt[string]) *string {
	if !text.Given() {
		return nil
	}
	return new(text.Or(""))
}
