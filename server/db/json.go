package db

import (
	"bytes"
	"encoding/json"
	"strings"
)

// JSONObject is a column of JSON whose numbers keep every digit.
type JSONObject map[string]any

// UnmarshalJSON reads numbers as json.Number.
func (m *JSONObject) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode((*map[string]any)(m))
}

// EncodeJSON returns v as JSON, with <, > and & as they are.
func EncodeJSON(v any) (json.RawMessage, error) {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return json.RawMessage(strings.TrimSuffix(text.String(), "\n")), err
}
