package api

import (
	"hew/server/fault"
)

// WrongKind refuses a token of one kind where those of another are rotated.
func WrongKind() error { return fault.NotAllowed("405 Method Not Allowed") }
