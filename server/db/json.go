package db

import (
	"bytes"
	"encoding/json"
)

// JSONObject is a column of JSON whose numbers keep every digit.
type JSONObject map[string]any

// UnmarshalJSON reads numbers as json.Number.
func (m *JSONObject) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode((*map[string]any)(m))
}
