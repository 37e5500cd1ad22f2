package provider

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
)

// Record holds the wanted fields of one answer, as JSON.
type Record map[string][]byte

// Text returns a field that is a string or a number, as a string. It returns "" for
// anything else and for a missing field.
func (r Record) Text(name string) string { return textOf(r[name]) }

// TextIn returns a member of a field that is an object, as Text does.
func (r Record) TextIn(name, member string) string {
	for n, v := range members(r[name]) {
		if string(n) == member {
			return textOf(v)
		}
	}
	return ""
}

// IsTrue reports whether a field is true.
func (r Record) IsTrue(name string) bool { return string(r[name]) == "true" }

// Bool returns a field that is true, false, null or missing. Anything else is an
// error, so that it suits fields that decide whose an object is.
func (r Record) Bool(name string) (bool, error) {
	if raw := r[name]; !isNull(raw) && !r.IsTrue(name) && string(raw) != "false" {
		return false, fmt.Errorf("%s is neither true nor false, but %.80s", name, raw)
	}
	return r.IsTrue(name), nil
}

func textOf(raw []byte) string {
	switch {
	case isNull(raw):
		return ""
	case raw[0] >= '0' && raw[0] <= '9':
		return string(raw)
	}
	v, err := fromJSON(raw, cty.String)
	if err != nil {
		return ""
	}
	return v.AsString()
}
