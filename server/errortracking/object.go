package errortracking

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// object is an object of an event. SDKs and strangers send what they like: a value of another type
// than expected counts as missing.
type object map[string]any

// maxText is how many bytes of a name are kept.
const maxText = 1_000

// readObject parses one object with nothing after it.
func readObject(text []byte) (object, error) {
	var o object
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&o); err != nil {
		return nil, err
	}
	if _, err := d.Token(); o == nil || !errors.Is(err, io.EOF) {
		return nil, errors.New("it is not a single object")
	}
	return o, nil
}

// text returns the named text, cut to so many bytes. Numbers and booleans count as texts.
func (o object) text(name string, most int) string { return textOf(o[name], most) }

func textOf(v any, most int) string {
	switch v := v.(type) {
	case string:
		return clean(strings.TrimSpace(v), most)
	case json.Number:
		return clean(v.String(), most)
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

// clean returns a text that can be stored: without NUL, of valid UTF-8, cut to so many bytes.
func clean(text string, most int) string {
	text = strings.ReplaceAll(text, "\x00", "\uFFFD")
	if len(text) > most {
		text = text[:most]
	}
	return strings.ToValidUTF8(text, "")
}

// object returns the named object, nil if there is none.
func (o object) object(name string) object {
	inner, _ := o[name].(map[string]any)
	return inner
}

// objects returns the objects of the named list. A list may stand alone or as the values of an
// object, and a single object in its place is a list of one.
func (o object) objects(name string) (list []object) {
	v := o[name]
	if inner, ok := v.(map[string]any); ok {
		if values, ok := inner["values"]; ok {
			v = values
		} else if frames, ok := inner["frames"]; ok {
			v = frames
		} else {
			return []object{inner}
		}
	}
	items, _ := v.([]any)
	for _, item := range items {
		if inner, ok := item.(map[string]any); ok {
			list = append(list, inner)
		}
	}
	return list
}
