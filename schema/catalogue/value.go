package catalogue

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"
)

// Normal brings a value of the setting's type to the one form in which values are compared and
// kept: bool, int64, float64, string (times too, in UTC as RFC 3339 writes them), []any and
// map[string]any of these; nil is nil. It takes whatever Go has for such a value (int, json.Number,
// []string, map[string]int …) and turns nothing into another type: "1" is no integer.
func (s Setting) Normal(value any) (any, error) {
	v, ok := normal(s.Type, value)
	if !ok {
		return nil, fmt.Errorf("is not of type %s", s.Type)
	}
	return v, nil
}

// normal is Normal for a type.
func normal(t Type, value any) (any, bool) {
	if value == nil {
		return nil, true
	}
	if outer, inner, nested := strings.Cut(strings.TrimSuffix(string(t), ")"), "("); nested {
		return each(outer, Type(inner), reflect.ValueOf(value))
	}
	v := reflect.ValueOf(value)
	switch {
	case t == Object:
		v, err := plain(value)
		_, ok := v.(map[string]any)
		return v, err == nil && ok
	case t == Boolean:
		return value, v.Kind() == reflect.Bool
	case t == Integer:
		return integer(v)
	case t == Number:
		return number(v)
	case t == Time:
		if at, ok := value.(time.Time); ok {
			return at.UTC().Format(time.RFC3339Nano), true
		}
		at, err := time.Parse(time.RFC3339, v.String())
		return at.UTC().Format(time.RFC3339Nano), err == nil && v.Kind() == reflect.String
	case v.Kind() == reflect.String:
		_, isNumber := value.(json.Number)
		return v.String(), !isNumber
	}
	return nil, false
}

// each brings the elements of a list or an object to their normal form. None of them is nothing.
func each(outer string, inner Type, v reflect.Value) (any, bool) {
	switch {
	case outer == "array" && v.Kind() == reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			item, ok := normal(inner, v.Index(i).Interface())
			if !ok || item == nil {
				return nil, false
			}
			list[i] = item
		}
		return list, true
	case outer == "object" && v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String:
		object := make(map[string]any, v.Len())
		for entry := v.MapRange(); entry.Next(); {
			item, ok := normal(inner, entry.Value().Interface())
			if !ok || item == nil {
				return nil, false
			}
			object[entry.Key().String()] = item
		}
		return object, true
	}
	return nil, false
}

func integer(v reflect.Value) (any, bool) {
	switch n, isNumber := v.Interface().(json.Number); {
	case isNumber:
		i, err := n.Int64()
		return i, err == nil
	case v.CanInt():
		return v.Int(), true
	case v.CanUint() && v.Uint() <= math.MaxInt64:
		return int64(v.Uint()), true
	case v.CanFloat() && v.Float() == math.Trunc(v.Float()) && math.Abs(v.Float()) < 1<<53:
		return int64(v.Float()), true
	}
	return nil, false
}

func number(v reflect.Value) (any, bool) {
	f := math.NaN()
	switch n, isNumber := v.Interface().(json.Number); {
	case isNumber:
		if parsed, err := n.Float64(); err == nil {
			f = parsed
		}
	case v.CanFloat():
		f = v.Float()
	case v.CanInt():
		f = float64(v.Int())
	case v.CanUint():
		f = float64(v.Uint())
	}
	return f, !math.IsNaN(f) && !math.IsInf(f, 0)
}

// plain is what a value of any type looks like once it went over the wire; whole numbers are int64.
func plain(value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, errors.New("is not a value of JSON")
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var v any
	err = d.Decode(&v)
	return numbers(v), err
}

// numbers replaces the numbers in a value by int64 or float64.
func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64() // out of range is infinite, which no JSON was
		return f
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}

// Renamed is a value of the key that s is another name of, as s shows it: a list as a text has one
// element a line.
func (s Setting) Renamed(value any) any {
	if list, ok := value.([]any); ok && s.Type == Text {
		lines := make([]string, len(list))
		for i, item := range list {
			lines[i] = fmt.Sprint(item)
		}
		return strings.Join(lines, "\n")
	}
	return value
}

// own is a value of s as a value of the key that s is another name of, the reverse of Renamed.
func (s Setting) own(value any) any {
	text, ok := value.(string)
	if of, _ := SettingByKey(s.Alias); !ok || of.Type != Texts {
		return value
	}
	list := []any{}
	for _, item := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",; \t\r\n", r) }) {
		list = append(list, item)
	}
	return list
}
