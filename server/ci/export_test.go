package ci

import (
	"context"

	"hew/server/ci/definition"
	"hew/server/db"
)

// Store stores a pipeline with jobs, for tests that need no definition file.
func Store(ctx context.Context, st *db.Store, p Pipeline, jobs []*definition.Job) (Pipeline, error) {
	return plan{Pipeline: p, Jobs: jobs}.store(ctx, st)
}

// JobsOf are the newest jobs of each name in a pipeline.
var JobsOf = jobsOf

// NextRun is when a cron expression next matches.
var NextRun = nextRun
