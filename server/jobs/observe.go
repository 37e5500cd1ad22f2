package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Result is how an attempt at a job ended.
type Result string

// The results. A failed attempt is repeated later unless it was the last one that the job may have.
const (
	Completed Result = "completed"
	Failed    Result = "failed" // with an error or a panic, or because the server stopped
)

// Observer is called after each attempt at a job that this process makes.
type Observer func(kind string, result Result, took time.Duration)

// middleware returns what calls o around each attempt; none if o is nil.
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
