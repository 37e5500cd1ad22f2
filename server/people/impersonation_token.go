package people

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
)

// FindImpersonationToken returns the token with which administrators act as a user, or a not-found
// fault.
func FindImpersonationToken(ctx context.Context, s *db.Store, userID, id int64) (Token, error) {
	t, err := FindToken(ctx, s, id)
	if fault.CodeOf(err) == fault.CodeNotFound || err == nil && (!t.Impersonation || t.UserID != userID) {
		err = fault.NotFound("Impersonation Token")
	}
	return t, err
}
