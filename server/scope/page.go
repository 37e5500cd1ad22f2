package scope

import (
	"encoding/base64"
	"encoding/json"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
)

// PageOf returns the page that a request asks for, by offset.
func PageOf(p rest.Paging) db.Page { return db.Page{Limit: p.Limit(), Offset: p.Offset()} }

// Cursor says where a keyset page begins. It is opaque to clients: base64 of {"id":"7"} or
// {"name":"Acme","id":"7"}.
type Cursor string

// Next returns the query parameters of the page that begins after a row.
func Next(last db.Position) map[string]string {
	text, _ := json.Marshal(last) // a string and a number always encode
	return map[string]string{"cursor": base64.RawURLEncoding.EncodeToString(text)}
}

// Position returns the last row of the page before, or the zero value for the first page.
func (c Cursor) Position() (at db.Position, err error) {
	if c == "" {
		return at, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(string(c))
	if err == nil {
		err = json.Unmarshal(text, &at)
	}
	if err != nil {
		return db.Position{}, fault.Param("cursor is invalid")
	}
	return at, nil
}
