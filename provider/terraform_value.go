package provider

import (
	"fmt"
	"net/url"
	"path"
	"strings"
	"unicode"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// How Terraform writes what hew writes in another way.

// outAs shows a value as another type, where it can be.
func outAs(t cty.Type) func(cty.Value) cty.Value {
	return func(v cty.Value) cty.Value {
		if out, err := convert.Convert(v, t); err == nil {
			return out
		}
		return v
	}
}

// terraformLevels are the levels that have another name there.
var terraformLevels = map[string]string{"no one": "no_access", "minimal": "minimal_access", "master": "maintainer", "admin": "60"}

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

// levelsIn makes objects of levels: [{ access_level = 30 }].
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

// joinIn makes one text of a list.
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

// pairsIn makes a map of [{ key, value }].
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

// lastOut is the last part of a path.
func lastOut(v cty.Value) cty.Value { return cty.StringVal(path.Base(v.AsString())) }

func notIn(v cty.Value) (cty.Value, error) {
	b, err := convert.Convert(v, cty.Bool)
	if err != nil {
		return v, fmt.Errorf("must be true or false")
	}
	return b.Not(), nil
}

func notOut(v cty.Value) cty.Value { return v.Not() }

// objectsOut makes objects of a map from names to ids, as in
// "full_path:group_id".
func objectsOut(of string) func(cty.Value) cty.Value {
	name, id, _ := strings.Cut(of, ":")
	return func(v cty.Value) cty.Value {
		list := []cty.Value{}
		for key, value := range v.Elements() {
			list = append(list, cty.ObjectVal(map[string]cty.Value{name: key, id: value}))
		}
		return cty.TupleVal(list)
	}
}

// slugIn is the path that hosts make of a name. What they make of letters
// beyond ASCII depends on the host's language.
func slugIn(v cty.Value) (cty.Value, error) {
	if v.Type() != cty.String {
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

// importURL puts a name and a password into an address.
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

// elementsOf are the elements of a list, a set or a tuple; one value is a list
// of itself.
func elementsOf(v cty.Value) []cty.Value {
	if v.IsNull() || !v.CanIterateElements() {
		return []cty.Value{v}
	}
	return v.AsValueSlice()
}
