package ci

import (
	"context"
	"time"

	"hew/server/ci/definition"
	"hew/server/db"
)

// Store stores a pipeline with jobs, for tests that need no definition file.
func Store(ctx context.Context, st *db.Store, p Pipeline, jobs []*definition.Job) (Pipeline, error) {
	return plan{Pipeline: p, Jobs: jobs}.store(ctx, st)
}

// JobsOf are the newest jobs of each name in a pipeline.
var JobsOf = jobsOf

// Candidates are the pipelines with jobs that a runner could take.
var Candidates = candidates

// WatchPipeline does what WatchJobs does, for one pipeline: tests share a database.
func WatchPipeline(ctx context.Context, st *db.Store, now time.Time, pipelineID int64) error {
	return watchJobsIn(ctx, st, now, &pipelineID)
}

// StoreTrace does what is done after a job.
func StoreTrace(ctx context.Context, st *db.Store, jobID int64) error {
	return storeTrace(ctx, st, archiveTrace{JobID: jobID})
}

// NextRun is when a cron expression next matches.
var NextRun = nextRun
