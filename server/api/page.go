package api

import (
	"encoding/base64"
	"encoding/json"

	"hew/server/fault"
	"hew/server/rest"
	"hew/server/store"
)

// pageOf is the part of a list that a request asks for.
func pageOf(p rest.Paging) store.Page { return store.Page{Limit: p.Limit(), Offset: p.Offset()} }

// cursor is where a keyset page begins: opaque to clients, {"id":"7"} or {"name":"Acme","id":"7"} to us.
type cursor string

// next asks for the page after a row: it is the parameters of a list that has a cursor.
func next(last store.Position) map[string]string {
	text, _ := json.Marshal(last) // a string and a number always encode
	return map[string]string{"cursor": base64.RawURLEncoding.EncodeToString(text)}
}

// position is the last row of the page before; the zero value is before the first page.
func (c cursor) position() (at store.Position, err error) {
	if c == "" {
		return at, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(string(c))
	if err == nil {
		err = json.Unmarshal(text, &at)
	}
	if err != nil {
		return store.Position{}, fault.Param("cursor is invalid")
	}
	return at, nil
}
