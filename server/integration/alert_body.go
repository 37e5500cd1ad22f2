package integration

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/fault"
)

// alertFields is an object of a report. Tools send what they like: a value of another type than
// expected counts as missing.
type alertFields map[string]any

// maxAlertDepth is how deeply a report may be nested (gaps §13.2).
const maxAlertDepth = 100

// readAlertBody parses one JSON object. An empty body is an empty object.
func readAlertBody(body []byte) (alertFields, error) {
	whole := alertFields{}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	err := d.Decode(&whole)
	switch {
	case len(body) > MaxAlertBody:
		err = fmt.Errorf("%d bytes of alerts", len(body))
	case errors.Is(err, io.EOF):
		return alertFields{}, nil
	case err == nil && whole == nil:
		err = errors.New("null in the place of alerts")
	case err == nil && d.InputOffset() < int64(len(bytes.TrimRight(body, " \t\r\n"))):
		err = errors.New("something follows the alerts")
	case err == nil && depth(map[string]any(whole)) > maxAlertDepth:
		err = errors.New("alerts nested too deeply")
	}
	if err != nil {
		return nil, fault.BadRequest("").Because(err)
	}
	return whole, nil
}

// depth returns how many objects and lists enclose the innermost value.
func depth(v any) (deepest int) {
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			deepest = max(deepest, depth(inner))
		}
	case []any:
		for _, inner := range v {
			deepest = max(deepest, depth(inner))
		}
	default:
		return 0
	}
	return deepest + 1
}

// object returns the object with the name, nil if there is none.
func (s alertFields) object(name string) alertFields {
	inner, _ := s[name].(map[string]any)
	return inner
}

// text returns the first of the named values that is not blank. Numbers and booleans count as
// texts.
func (s alertFields) text(names ...string) string {
	for _, name := range names {
		if text := textOf(s[name]); text != "" {
			return text
		}
	}
	return ""
}

// textOf returns a value as a trimmed text, empty for lists and objects.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case json.Number, bool:
		return fmt.Sprint(v)
	}
	return ""
}

// texts returns the texts of a list, or the single text in its place.
func (s alertFields) texts(name string) (list []string) {
	items, ok := s[name].([]any)
	if !ok {
		items = []any{s[name]}
	}
	for _, item := range items {
		if text := textOf(item); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// time returns the named time, nil if there is none or it cannot be parsed.
func (s alertFields) time(name string) *time.Time {
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05 MST",
		"2006-01-02 15:04:05 -0700",
		time.DateTime, time.DateOnly,
	} {
		when, err := time.Parse(layout, s.text(name))
		if err == nil && when.Year() > 1 { // the first day of all is how some tools say that they know none
			return new(when.UTC())
		}
	}
	return nil
}

// without returns a copy without the named fields.
func (s alertFields) without(names ...string) alertFields {
	rest := alertFields{}
	for name, v := range s {
		rest[name] = v
	}
	for _, name := range names {
		delete(rest, name)
	}
	return rest
}

// json returns the object as it is stored, with its keys sorted.
func (s alertFields) json() json.RawMessage {
	text, err := db.EncodeJSON(s)
	if err != nil {
		panic(err) // it was read from JSON
	}
	return text
}

// fingerprint returns a digest that reports of one problem share: of the fingerprint that the tool
// sends, or of everything but the fields that change between reports.
func (s alertFields) fingerprint(unless ...string) string {
	common := []byte(strings.Join(s.texts("fingerprint"), "\x00"))
	if len(common) == 0 {
		common = s.without(unless...).json()
	}
	sum := sha256.Sum256(common)
	return hex.EncodeToString(sum[:])
}

// truncate returns the first most characters of a text, nil for an empty one.
func truncate(text string, most int) *string {
	if text == "" {
		return nil
	}
	runes := []rune(text)
	return new(string(runes[:min(len(runes), most)]))
}
