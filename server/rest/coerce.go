package rest

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// scalarFiller returns a filler that parses the text of a scalar.
func scalarFiller(parse func(dst reflect.Value, s string) bool, c constraint) filler {
	return func(dst reflect.Value, value any, at string, wrong *complaints) {
		s, ok := textOf(value)
		switch {
		case !ok || !parse(dst, s):
			wrong.add(at + " is invalid")
		case !c.allows(dst, s):
			wrong.add(at + " does not have a valid value")
		}
	}
}

// textOf returns the text of a scalar. Forms have only text, and JSON is held to the same rules.
func textOf(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// allows reports whether a value, and its text, keep to oneof, min and max.
func (c constraint) allows(v reflect.Value, s string) bool {
	if len(c.oneOf) > 0 && !slices.Contains(c.oneOf, s) {
		return false
	}
	var n float64
	switch {
	case v.CanInt():
		n = float64(v.Int())
	case v.CanFloat():
		n = v.Float()
	}
	return (c.min == nil || n >= *c.min) && (c.max == nil || n <= *c.max)
}

// parseBool parses every spelling of a bool that the public API accepts.
func parseBool(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "true", "t", "1", "on", "yes", "y":
		return true, true
	case "false", "f", "0", "off", "no", "n":
		return false, true
	}
	return false, false
}

// parseTime parses ISO 8601, in UTC unless a zone is given. If date is set, it returns midnight UTC
// of the day that was written.
func parseTime(s string, date bool) (time.Time, bool) {
	layouts := []string{
		time.RFC3339, time.DateOnly, "2006-01-02T15:04:05", time.DateTime,
		"2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700",
	}
	for _, layout := range layouts {
		when, err := time.Parse(layout, s)
		switch {
		case err != nil:
			continue
		case when.Year() < 2: // Postgres writes years before 1 differently, and its first day stands for "no time"
			return time.Time{}, false
		case date:
			y, m, d := when.Date()
			return time.Date(y, m, d, 0, 0, 0, 0, time.UTC), true
		}
		return when.UTC(), true
	}
	return time.Time{}, false
}

// fillSlice returns a filler for a list. It takes a list, an object with numeric keys (a[0][x]=)
// or, with the option comma, a text. A single empty text is how a form writes an empty list.
func fillSlice(t reflect.Type, c constraint) filler {
	fill, text := fillerOf(t.Elem(), c)
	return func(dst reflect.Value, value any, at string, wrong *complaints) {
		items, ok := itemsOf(value, c.comma)
		if object, isObject := value.(tree); c.array && (!ok || isObject && len(object) == 0) {
			wrong.add(at + " must be an array")
			return
		}
		if !ok {
			wrong.add(at + " is invalid")
			return
		}
		list := reflect.MakeSlice(t, 0, len(items))
		for i, item := range items {
			if item == nil || item == "" && !text {
				continue
			}
			name := at
			if _, object := item.(tree); object {
				name = nestedName(at, strconv.Itoa(i))
			}
			elem := reflect.New(t.Elem()).Elem()
			fill(elem, item, name, wrong)
			list = reflect.Append(list, elem)
		}
		dst.Set(list)
	}
}

// itemsOf returns the items of a value that stands for a list, and whether it does.
func itemsOf(value any, comma bool) (items []any, ok bool) {
	switch v := value.(type) {
	case []any:
		items = v
	case tree:
		if items, ok = numberedValues(v); !ok {
			return nil, false
		}
	case *File:
		return nil, false
	default:
		if value != "" && !comma {
			return nil, false
		}
		items = []any{value}
	}
	if len(items) == 1 && items[0] == "" {
		return nil, true
	}
	if comma {
		items = splitAtCommas(items)
	}
	return items, true
}

// numberedValues returns the values of an object in the order of its keys, if all of them are
// numbers.
func numberedValues(object tree) ([]any, bool) {
	keys := make([]int, 0, len(object))
	for key := range object {
		n, err := strconv.Atoi(key)
		if err != nil || strconv.Itoa(n) != key {
			return nil, false
		}
		keys = append(keys, n)
	}
	slices.Sort(keys)
	items := make([]any, len(keys))
	for i, n := range keys {
		items[i] = object[strconv.Itoa(n)]
	}
	return items, true
}

// splitAtCommas splits the texts in items at commas and drops empty parts.
func splitAtCommas(items []any) (parts []any) {
	for _, item := range items {
		s, ok := item.(string)
		if !ok {
			parts = append(parts, item)
			continue
		}
		for part := range strings.SplitSeq(s, ",") {
			if part = strings.TrimSpace(part); part != "" {
				parts = append(parts, part)
			}
		}
	}
	return parts
}

func fillMap(t reflect.Type, c constraint) filler {
	if t.Key().Kind() != reflect.String {
		panic("rest: the keys of a map of parameters must be strings, not " + t.Key().String())
	}
	fill, _ := fillerOf(t.Elem(), c)
	return func(dst reflect.Value, value any, at string, wrong *complaints) {
		object, ok := value.(tree)
		if !ok {
			wrong.add(at + " is invalid")
			return
		}
		m := reflect.MakeMapWithSize(t, len(object))
		for _, key := range slices.Sorted(maps.Keys(object)) {
			item, elem := object[key], reflect.New(t.Elem()).Elem()
			if item != nil {
				fill(elem, item, nestedName(at, key), wrong)
			}
			m.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), elem)
		}
		dst.Set(m)
	}
}

func fillFile(dst reflect.Value, value any, at string, wrong *complaints) {
	f, ok := value.(*File)
	if !ok {
		wrong.add(at + " is invalid")
		return
	}
	dst.Set(reflect.ValueOf(f))
}
