package db

import (
	"bytes"
	"encoding/json"
)

// Exactly is a column of JSON whose numbers stay what they are, however large.
type Exactly map[string]any

// UnmarshalJSON reads the column.
func (m *Exactly) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode((*map[string]any)(m))
}
