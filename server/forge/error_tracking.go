package forge

import (
	"context"

	"hew/server/store"
)

// errorKeyBytes is the length of a key for errors, in random bytes (gaps §13.4).
const errorKeyBytes = 16

// CreateErrorTrackingKey makes a key that programs of a project send their errors with.
func CreateErrorTrackingKey(ctx context.Context, st *store.Store, c store.Container) (store.ErrorTrackingKey, error) {
	return st.ErrorTrackingKeys(c).Create(ctx, store.ErrorTrackingKey{
		ProjectID: c.ID(), Active: true, PublicKey: "glet_" + randomHex(errorKeyBytes),
	})
}
