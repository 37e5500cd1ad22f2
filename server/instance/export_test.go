package instance

import (
	"context"

	"hew/server/db"
)

// Names for tests of the database.
var (
	HoldSettings   = holdSettings
	SetSetting     = setSetting
	UpdateSettings = updateSettings
)

// SecretSetting stands for a secret that is set.
const SecretSetting = secretSetting

// SweepRateLimits does the job of that name.
func SweepRateLimits(ctx context.Context, st *db.Store) error {
	return sweep(ctx, st, sweepRateLimits{})
}
