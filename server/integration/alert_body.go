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

// alertFields is an object of what a monitoring tool says. Tools say what they like: what is not of the type that is looked for is
// not there.
type alertFields map[string]any

// maxAlertDepth is how deeply what a monitoring tool says may be nested (gaps §13.2).
const maxAlertDepth = 100

// readAlertBody takes one JSON object, or nothing, which says nothing.
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

// depth is how many objects and lists are around the innermost value.
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

// object is the object of that name.
func (s alertFields) object(name string) alertFields {
	inner, _ := s[name].(map[string]any)
	return inner
}

// text is the first of the named texts that says something. Numbers and booleans are texts, too.
func (s alertFields) text(names ...string) string {
	for _, name := range names {
		if text := textOf(s[name]); text != "" {
			return text
		}
	}
	return ""
}

// textOf is a value as a text, without what is around it; empty if it is none.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case json.Number, bool:
		return fmt.Sprint(v)
	}
	return ""
}

// texts are those of a list, or the one that is in its place.
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

// time is the named time; nil where there is none, or none that can be read.
func (s alertFields) time(name string) *time.Time {
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05 MST", "2006-01-02 15:04:05 -0700",
		time.DateTime, time.DateOnly,
	} {
		when, err := time.Parse(layout, s.text(name))
		if err == nil && when.Year() > 1 { // the first day of all is how some tools say that they know none
			return new(when.UTC())
		}
	}
	return nil
}

// without is all that is said but for the named.
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

// json is what was said as it is stored. The order of names does not count in it.
func (s alertFields) json() json.RawMessage {
	text, err := db.EncodeJSON(s)
	if err != nil {
		panic(err) // it was read from JSON
	}
	return text
}

// fingerprint is what reports of one thing have in common: a digest of what the tool says they have, text by text, or of all
// that does not change between them.
func (s alertFields) fingerprint(unless ...string) string {
	common := []byte(strings.Join(s.texts("fingerprint"), "\x00"))
	if len(common) == 0 {
		common = s.without(unless...).json()
	}
	sum := sha256.Sum256(common)
	return hex.EncodeToString(sum[:])
}

// truncate is a text of at most so many characters; nil for an empty one.
func truncate(text string, most int) *string {
	if text == "" {
		return nil
	}
	runes := []rune(text)
	return new(string(runes[:min(len(runes), most)]))
}
