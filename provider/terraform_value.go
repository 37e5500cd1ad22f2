package provider

import (
	"fmt"
	"net/url"
	"path"
	"strings"
	"unicode"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/schema/catalogue"
)

// Conversions between Terraform's form of values and hew's.

// outAs converts a value to another type where possible.
func outAs(t cty.Type) func(cty.Value) cty.Value {
	return func(v cty.Value) cty.Value {
		if out, err := convert.Convert(v, t); err == nil {
			return out
		}
		return v
	}
}

// terraformLevels maps the levels that have another name in Terraform.
var terraformLevels = map[string]string{"no one": "no_access", "minimal": "minimal_access", "master": "maintainer",
	"admin": "60"}

func levelIn(v cty.Value) (cty.Value, error) {
	if v.Type() == cty.String {
		if here, other := terraformLevels[strings.ToLower(v.AsString())]; other {
			return cty.StringVal(here), nil
		}
	}
	return v, nil
}

func levelOut(v cty.Value) cty.Value {
	name := levelName(v)
	for there, here := range terraformLevels {
		if here == name && there != "master" {
			name = there
		}
	}
	return cty.StringVal(name)
}

// levelsIn converts a list of levels to [{ access_level = 30 }].
func levelsIn(v cty.Value) (cty.Value, error) {
	var list []cty.Value
	for _, item := range elementsOf(v) {
		level, _ := levelIn(item)
		number := levelNumber(level)
		if number.Type() != cty.Number {
			return v, checkLevel(level)
		}
		list = append(list, cty.ObjectVal(map[string]cty.Value{"access_level": number}))
	}
	return cty.TupleVal(list), nil
}

func levelsOut(numbers bool) func(cty.Value) cty.Value {
	return func(v cty.Value) cty.Value {
		if !v.IsWhollyKnown() {
			return cty.DynamicVal
		}
		var list []cty.Value
		for _, item := range elementsOf(v) {
			level := item.GetAttr("access_level")
			if !numbers {
				level = levelOut(level)
			}
			list = append(list, level)
		}
		return cty.TupleVal(list)
	}
}

// joinIn joins a list with commas.
func joinIn(v cty.Value) (cty.Value, error) {
	var words []string
	for _, item := range elementsOf(v) {
		text, err := convert.Convert(item, cty.String)
		if err != nil || text.IsNull() {
			return v, fmt.Errorf("must be a list of strings")
		}
		words = append(words, text.AsString())
	}
	return cty.StringVal(strings.Join(words, ",")), nil
}

func joinOut(v cty.Value) cty.Value {
	list := []cty.Value{}
	for _, word := range strings.FieldsFunc(v.AsString(), func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
		list = append(list, cty.StringVal(word))
	}
	if len(list) == 0 {
		return cty.ListValEmpty(cty.String)
	}
	return cty.ListVal(list)
}

// pairsIn converts [{ key, value }] to a map.
func pairsIn(v cty.Value) (cty.Value, error) {
	out := map[string]cty.Value{}
	for _, item := range elementsOf(v) {
		t := item.Type()
		if item.IsNull() || !t.IsObjectType() && !t.IsMapType() {
			return v, fmt.Errorf("must be objects with a key and a value")
		}
		fields := item.AsValueMap()
		key, value := fields["key"], fields["value"]
		if key == cty.NilVal || value == cty.NilVal || key.IsNull() || key.Type() != cty.String {
			return v, fmt.Errorf("must be objects with a key and a value")
		}
		if _, twice := out[key.AsString()]; twice {
			return v, fmt.Errorf("has the key %q twice; remove one of the two", key.AsString())
		}
		out[key.AsString()] = value
	}
	return cty.ObjectVal(out), nil
}

func pairsOut(v cty.Value) cty.Value {
	list := []cty.Value{}
	for key, value := range v.Elements() {
		list = append(list, cty.ObjectVal(map[string]cty.Value{"key": key, "value": value}))
	}
	return cty.TupleVal(list)
}

// lastOut returns the last part of a path.
func lastOut(v cty.Value) cty.Value { return cty.StringVal(path.Base(v.AsString())) }

func notIn(v cty.Value) (cty.Value, error) {
	b, err := convert.Convert(v, cty.Bool)
	if err != nil {
		return v, fmt.Errorf("must be true or false")
	}
	return b.Not(), nil
}

func notOut(v cty.Value) cty.Value { return v.Not() }

// slugIn returns the path that hosts derive from a name. For letters beyond ASCII it
// depends on the host's language.
func slugIn(v cty.Value) (cty.Value, error) {
	v, err := convert.Convert(v, cty.String)
	if err != nil {
		return v, fmt.Errorf("cannot be derived from a name that is not a string")
	}
	var b strings.Builder
	for _, r := range strings.ToLower(v.AsString()) {
		switch {
		case r > unicode.MaxASCII && unicode.IsLetter(r):
			return v, fmt.Errorf("cannot be derived from a name with %q, as the host decides its slug; set it", r)
		case r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return cty.StringVal(strings.Trim(b.String(), "-")), nil
}

// unsetBy returns false for an argument that conflicts with one that is set.
func unsetBy(v cty.Value) (cty.Value, error) {
	if v.RawEquals(cty.StringVal("")) {
		return cty.NullVal(cty.Bool), nil
	}
	return cty.False, nil
}

// unsetEmpty returns a conversion of empty texts to null if the property cannot be empty.
func unsetEmpty(p catalogue.Parameter) func(cty.Value) (cty.Value, error) {
	return func(v cty.Value) (cty.Value, error) {
		if v.Type() != cty.String || v.AsString() != "" {
			return v, nil
		}
		if empty, err := p.Read(""); err == nil && p.Check(empty) == nil {
			return v, nil
		}
		return cty.NullVal(cty.String), nil
	}
}

// importURL puts a username and a password into a URL.
func importURL(parts map[string]cty.Value) (cty.Value, error) {
	text := func(part string) string {
		if v := parts[part]; v != cty.NilVal && v.Type() == cty.String && !v.IsNull() {
			return v.AsString()
		}
		return ""
	}
	if text("url") == "" {
		return cty.NullVal(cty.String), nil
	}
	u, err := url.Parse(text("url"))
	switch name, password := text("username"), text("password"); {
	case err != nil:
		return cty.NilVal, fmt.Errorf("is not a URL")
	case password != "":
		u.User = url.UserPassword(name, password)
	case name != "":
		u.User = url.User(name)
	}
	return cty.StringVal(u.String()), nil
}

// elementsOf returns the elements of a list, set or tuple. Any other value is its own
// only element.
func elementsOf(v cty.Value) []cty.Value {
	if v.IsNull() || !v.CanIterateElements() {
		return []cty.Value{v}
	}
	return v.AsValueSlice()
}
