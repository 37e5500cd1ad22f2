package scope

import (
	"encoding/base64"
	"encoding/json"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
)

// PageOf returns the part of a list that a request asks for.
func PageOf(p rest.Paging) db.Page { return db.Page{Limit: p.Limit(), Offset: p.Offset()} }

// Cursor is the position where a keyset page begins: base64 of {"id":"7"} or
// {"name":"Acme","id":"7"}. Clients take it from links.
type Cursor string

// Next returns the parameters that ask for the page after a row.
func Next(last db.Position) map[string]string {
	text, _ := json.Marshal(last) // a string and a number always encode
	return map[string]string{"cursor": base64.RawURLEncoding.EncodeToString(text)}
}

// Position returns the last row of the previous page, or the zero value for the first page.
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
