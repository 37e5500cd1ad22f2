package todo

import (
	"context"

	"hew/server/db"
)

// Sweep does the job that deletes what users no longer see.
func Sweep(ctx context.Context, st *db.Store) error { return sweep(ctx, st, SweepJob{}) }
