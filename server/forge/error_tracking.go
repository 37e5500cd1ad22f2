package forge

import (
	"context"

	"hew/server/store"
)

// SetErrorTracking gives a project its error tracking, or changes the one that it has.
func SetErrorTracking(
	ctx context.Context, st *store.Store, c store.Container, set func(*store.ErrorTracking) error,
) (e store.ErrorTracking, err error) {
	err = st.Tx(ctx, func(st *store.Store) error {
		settings := st.ErrorTracking(c)
		n, err := settings.Count(ctx)
		if err != nil {
			return err
		}
		if n > 0 {
			e, err = settings.Change(ctx, store.Only, set)
			return err
		}
		e.ProjectID = c.ID()
		if err := set(&e); err != nil {
			return err
		}
		e, err = settings.Create(ctx, e)
		return err
	})
	return e, err
}

// errorKeyBytes is the length of a key for errors, in random bytes (gaps §13.4).
const errorKeyBytes = 16

// CreateErrorTrackingKey makes a key that programs of a project send their errors with.
func CreateErrorTrackingKey(ctx context.Context, st *store.Store, c store.Container) (store.ErrorTrackingKey, error) {
	return st.ErrorTrackingKeys(c).Create(ctx, store.ErrorTrackingKey{
		ProjectID: c.ID(), Active: true, PublicKey: "glet_" + randomHex(errorKeyBytes),
	})
}
