package provider

import (
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/schema"
)

// members yields the members of a JSON object, with undecoded values. The text must
// be valid JSON; anything but an object yields nothing. A project has some 150
// members of which four are wanted, ten thousand times: decoding all of them would
// take most of a plan.
func members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		var (
			depth, start int
			name         []byte
			value        = func(end int) bool { return name == nil || yield(name, trim(object[start:end])) }
		)
		for i := 0; i < len(object); i++ {
			switch c := object[i]; {
			case c == '"':
				end := closing(object, i)
				if depth == 1 && name == nil {
					name = object[i+1 : end]
				}
				i = end
			case c == '{' || c == '[':
				if depth == 0 && c == '[' {
					return
				}
				depth++
			case c == ':' && depth == 1:
				start = i + 1
			case c == ',' && depth == 1:
				if !value(i) {
					return
				}
				name = nil
			case c == '}' || c == ']':
				if depth--; depth == 0 {
					value(i)
					return
				}
			}
		}
	}
}

// closing returns the end of the string that opens at i.
func closing(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

func trim(value []byte) []byte {
	for len(value) > 0 && value[0] <= ' ' {
		value = value[1:]
	}
	for len(value) > 0 && value[len(value)-1] <= ' ' {
		value = value[:len(value)-1]
	}
	return value
}

func isNull(raw []byte) bool { return len(raw) == 0 || string(raw) == "null" }

// fromJSON decodes raw as a value of type ty; cty.DynamicPseudoType takes the
// primitive that it finds. Members of objects that ty does not have are left
// out, and missing ones are null.
func fromJSON(raw []byte, ty cty.Type) (cty.Value, error) {
	switch {
	case isNull(raw):
		return cty.NullVal(ty), nil
	case ty.IsListType() || ty.IsSetType():
		return listFromJSON(raw, ty)
	case ty.IsMapType() || ty.IsObjectType():
		return mapFromJSON(raw, ty)
	}
	v, err := primitive(raw)
	if err != nil || ty == cty.DynamicPseudoType {
		return v, err
	}
	return convert.Convert(v, ty)
}

func primitive(raw []byte) (cty.Value, error) {
	switch raw[0] {
	case 't', 'f':
		return cty.BoolVal(raw[0] == 't'), nil
	case '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return cty.StringVal(s), err
	case '{', '[':
		return cty.DynamicVal, fmt.Errorf("a single value was expected, not %.40s", raw)
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return cty.NumberIntVal(n), nil
	}
	return numberFromJSON(raw)
}

// numberFromJSON decodes a number. Few digits can stand for a number whose decimal form fills the
// memory, and no host counts that far.
func numberFromJSON(raw []byte) (cty.Value, error) {
	const longest, farthest = 400, 1024 // digits; and of the binary exponent, as of a float64
	if len(raw) <= longest {
		v, err := cty.ParseNumberVal(string(raw))
		if err != nil || abs(v.AsBigFloat().MantExp(nil)) <= farthest {
			return v, err
		}
	}
	return cty.NullVal(cty.Number), fmt.Errorf("the number %.40s is out of range", raw)
}

func abs(n int) int { return max(n, -n) }

func listFromJSON(raw []byte, ty cty.Type) (cty.Value, error) {
	var rows []json.RawMessage
	if err := json.Unmarshal(raw, &rows); err != nil {
		return cty.NullVal(ty), err
	}
	values := make([]cty.Value, len(rows))
	for i, row := range rows {
		var err error
		if values[i], err = fromJSON(row, ty.ElementType()); err != nil {
			return cty.NullVal(ty), err
		}
	}
	switch {
	case len(values) == 0 && ty.IsSetType():
		return cty.SetValEmpty(ty.ElementType()), nil
	case len(values) == 0:
		return cty.ListValEmpty(ty.ElementType()), nil
	case ty.IsSetType():
		return cty.SetVal(values), nil
	}
	return cty.ListVal(values), nil
}

func mapFromJSON(raw []byte, ty cty.Type) (cty.Value, error) {
	var rows map[string]json.RawMessage
	if err := json.Unmarshal(raw, &rows); err != nil {
		return cty.NullVal(ty), err
	}
	values := make(map[string]cty.Value, len(rows))
	var err error
	if ty.IsObjectType() {
		for name, aty := range ty.AttributeTypes() {
			if values[name], err = fromJSON(rows[name], aty); err != nil {
				return cty.NullVal(ty), fmt.Errorf("%s: %w", name, err)
			}
		}
		return cty.ObjectVal(values), nil
	}
	for name, row := range rows {
		if values[name], err = fromJSON(row, ty.ElementType()); err != nil {
			return cty.NullVal(ty), fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(values) == 0 {
		return cty.MapValEmpty(ty.ElementType()), nil
	}
	return cty.MapVal(values), nil
}

// textsFromJSON decodes an object into a map of strings. Lists are joined by commas.
func textsFromJSON(raw []byte, ty cty.Type) (cty.Value, error) {
	var rows map[string]json.RawMessage
	if err := json.Unmarshal(raw, &rows); err != nil {
		return cty.NullVal(ty), err
	}
	for name, row := range rows {
		if !isNull(row) && row[0] == '[' {
			list, err := fromJSON(row, cty.List(cty.String))
			if err != nil {
				return cty.NullVal(ty), fmt.Errorf("%s: %w", name, err)
			}
			var items []string
			for _, item := range list.AsValueSlice() {
				items = append(items, item.AsString())
			}
			rows[name], _ = json.Marshal(strings.Join(items, ",")) // a text always encodes
		}
	}
	flat, _ := json.Marshal(rows) // made of JSON
	return fromJSON(flat, ty)
}

// toJSON returns what encoding/json makes the value's JSON of. A reference
// becomes the id it leads to; v must be wholly known.
func toJSON(v cty.Value) any {
	v, _ = v.Unmark()
	if r := schema.AsRef(v); r != nil {
		return json.Number(r.ID)
	}
	ty := v.Type()
	switch {
	case v.IsNull():
		return nil
	case ty == cty.String:
		return v.AsString()
	case ty == cty.Bool:
		return v.True()
	case ty == cty.Number:
		return json.Number(v.AsBigFloat().Text('f', -1))
	case ty.IsListType() || ty.IsSetType() || ty.IsTupleType():
		list := make([]any, 0, v.LengthInt())
		for _, e := range v.Elements() {
			list = append(list, toJSON(e))
		}
		return list
	}
	object := map[string]any{}
	for name, e := range v.Elements() {
		object[name.AsString()] = toJSON(e)
	}
	return object
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
