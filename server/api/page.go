package api

import (
	"encoding/base64"
	"encoding/json"
	"strconv"

	"hew/server/fault"
)

// cursor is where a keyset page begins: opaque to clients, {"id":"7"} to us.
type cursor string

type position struct {
	ID string `json:"id"`
}

// cursorAt is the cursor of the page that follows the row with that id.
func cursorAt(id int64) cursor {
	text, _ := json.Marshal(position{strconv.FormatInt(id, 10)}) // a struct of one string always encodes
	return cursor(base64.RawURLEncoding.EncodeToString(text))
}

// id is the id of the last row of the page before; 0 for the first page.
func (c cursor) id() (int64, error) {
	if c == "" {
		return 0, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(string(c))
	if err != nil {
		return 0, fault.Param("cursor is invalid")
	}
	var at position
	if err := json.Unmarshal(text, &at); err != nil {
		return 0, fault.Param("cursor is invalid")
	}
	id, err := strconv.ParseInt(at.ID, 10, 64)
	if err != nil {
		return 0, fault.Param("cursor is invalid")
	}
	return id, nil
}
