package integration

import (
	"context"

	"hew/server/db"
)

// errorKeyBytes is the length of a key for errors, in random bytes (gaps §13.4).
const errorKeyBytes = 16

// CreateErrorTrackingKey makes a key that programs of a project send their errors with.
func CreateErrorTrackingKey(ctx context.Context, st *db.Store, c db.Container) (ErrorTrackingKey, error) {
	return ErrorTrackingKeys(st, c).Create(ctx, ErrorTrackingKey{
		ProjectID: c.ID(), Active: true, PublicKey: "glet_" + randomHex(errorKeyBytes),
	})
}
