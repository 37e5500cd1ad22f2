package activity

import (
	"context"

	"hew/server/db"
)

// Sweep does the job that deletes old events.
func Sweep(ctx context.Context, st *db.Store) error { return sweep(ctx, st, SweepJob{}) }
