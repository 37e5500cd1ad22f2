package instance

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/jobs"
	"hew/server/setting"
)

// sweepRateLimits asks to delete the counts of requests that are too old to matter.
type sweepRateLimits struct{}

// Kind implements jobs.Args.
func (sweepRateLimits) Kind() string { return "sweep_rate_limits" }

// Jobs are the jobs of the domain.
var Jobs = []jobs.Kind{jobs.On(sweep).Each(time.Hour)}

// sweep does sweepRateLimits.
func sweep(ctx context.Context, st *db.Store, _ sweepRateLimits) error {
	return setting.RemoveIdleCounts(ctx, st)
}
