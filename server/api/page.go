package api

import (
	"encoding/base64"
	"encoding/json"

	"hew/server/fault"
)

// cursor is where a keyset page begins: opaque to clients, {"id":"7"} or {"name":"Acme","id":"7"} to us.
type cursor string

// position is the last row of the page before; the zero value is before the first page.
type position struct {
	Name string `json:"name,omitempty"`
	ID   int64  `json:"id,string"`
}

// cursorAt is the cursor of the page that follows the row with that id.
func cursorAt(id int64) cursor { return cursorAfter(position{ID: id}) }

func cursorAfter(at position) cursor {
	text, _ := json.Marshal(at) // a string and a number always encode
	return cursor(base64.RawURLEncoding.EncodeToString(text))
}

// id is the id of the last row of the page before; 0 for the first page.
func (c cursor) id() (int64, error) {
	at, err := c.position()
	return at.ID, err
}

func (c cursor) position() (at position, err error) {
	if c == "" {
		return position{}, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(string(c))
	if err == nil {
		err = json.Unmarshal(text, &at)
	}
	if err != nil {
		return position{}, fault.Param("cursor is invalid")
	}
	return at, nil
}
