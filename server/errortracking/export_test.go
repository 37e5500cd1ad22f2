package errortracking

import (
	"context"

	"hew/server/db"
)

// Sweep does the job of that name.
func Sweep(ctx context.Context, st *db.Store) error { return sweep(ctx, st, sweepErrors{}) }
