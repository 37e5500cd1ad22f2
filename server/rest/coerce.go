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

// scalar makes a filler of a parser of texts.
func scalar(parse func(dst reflect.Value, s string) bool, c check) filler {
	return func(dst reflect.Value, value any, at string, wrong *problems) {
		s, ok := textOf(value)
		switch {
		case !ok || !parse(dst, s):
			wrong.add(at + " is invalid")
		case !c.allows(dst, s):
			wrong.add(at + " does not have a valid value")
		}
	}
}

// textOf is the text of a scalar of any source: forms know nothing but texts, and JSON is held to the same rules.
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

// allows holds a value to oneof, min and max.
func (c check) allows(v reflect.Value, s string) bool {
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

// parseBool reads the ways of saying yes and no that the public API takes (gaps §1.5).
func parseBool(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "true", "t", "1", "on", "yes", "y":
		return true, true
	case "false", "f", "0", "off", "no", "n":
		return false, true
	}
	return false, false
}

// parseTime reads ISO 8601; without a zone it is UTC. Of a date it keeps the day, at midnight UTC.
func parseTime(s string, date bool) (time.Time, bool) {
	layouts := []string{
		time.RFC3339, time.DateOnly, "2006-01-02T15:04:05", time.DateTime, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700",
	}
	for _, layout := range layouts {
		when, err := time.Parse(layout, s)
		switch {
		case err != nil:
			continue
		case when.Year() < 2: // Postgres writes those before the first another way, and its first day means that none is given
			return time.Time{}, false
		case date:
			y, m, d := when.Date()
			return time.Date(y, m, d, 0, 0, 0, 0, time.UTC), true
		}
		return when.UTC(), true
	}
	return time.Time{}, false
}

// fillSlice fills a list from a list, from an object with numbers for keys (a[0][x]=), or with comma from a text. A lone
// empty text is how a form says an empty list.
func fillSlice(t reflect.Type, c check) filler {
	fill, text := fillerOf(t.Elem(), c)
	return func(dst reflect.Value, value any, at string, wrong *problems) {
		items, ok := itemsOf(value, c.comma)
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
				name = inside(at, strconv.Itoa(i))
			}
			elem := reflect.New(t.Elem()).Elem()
			fill(elem, item, name, wrong)
			list = reflect.Append(list, elem)
		}
		dst.Set(list)
	}
}

func itemsOf(value any, comma bool) (items []any, ok bool) {
	switch v := value.(type) {
	case []any:
		items = v
	case tree:
		if items, ok = numbered(v); !ok {
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
		items = split(items)
	}
	return items, true
}

// numbered returns the values of an object whose keys are all numbers, in their order.
func numbered(object tree) ([]any, bool) {
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

// split splits the texts among items at commas, and drops what is left empty.
func split(items []any) (parts []any) {
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

func fillMap(t reflect.Type, c check) filler {
	if t.Key().Kind() != reflect.String {
		panic("rest: the keys of a parameter are texts, not " + t.Key().String())
	}
	fill, _ := fillerOf(t.Elem(), c)
	return func(dst reflect.Value, value any, at string, wrong *problems) {
		object, ok := value.(tree)
		if !ok {
			wrong.add(at + " is invalid")
			return
		}
		m := reflect.MakeMapWithSize(t, len(object))
		for _, key := range slices.Sorted(maps.Keys(object)) {
			item, elem := object[key], reflect.New(t.Elem()).Elem()
			if item != nil {
				fill(elem, item, inside(at, key), wrong)
			}
			m.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), elem)
		}
		dst.Set(m)
	}
}

func fillFile(dst reflect.Value, value any, at string, wrong *problems) {
	f, ok := value.(*File)
	if !ok {
		wrong.add(at + " is invalid")
		return
	}
	dst.Set(reflect.ValueOf(f))
}
