package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Result is the outcome of an attempt at a job.
type Result string

// The results. A failed attempt is repeated unless it was the last one of the job.
const (
	Completed Result = "completed"
	Failed    Result = "failed" // with an error or a panic, or because the server stopped
)

// Observer is called after each attempt at a job that this process makes.
type Observer func(kind string, result Result, took time.Duration)

// middleware returns the middleware that calls o after each attempt; nil if o is nil.
func middleware(o Observer) []rivertype.Middleware {
	if o == nil {
		return nil
	}
	return []rivertype.Middleware{river.WorkerMiddlewareFunc(
		func(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
			start, result := time.Now(), Failed
			defer func() { o(job.Kind, result, time.Since(start)) }() // also after a panic
			err := work(ctx)
			if err == nil {
				result = Completed
			}
			return err
		})}
}
