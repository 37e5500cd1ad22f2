package scope

import (
	"hew/server/auth"
	"hew/server/db"
)

// OpenTo is how visible something has to be for the caller to see it without being a member.
func OpenTo(c auth.Caller) db.Visibility {
	switch {
	case c.Admin():
		return db.Private
	case c.Signed() && !c.User.External:
		return db.Internal
	}
	return db.Public
}
