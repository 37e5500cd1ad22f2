// Package jobs runs work that outlives a request. Its queue is River on the same Postgres, so that
// a job commits with the row that caused it or not at all. Arguments contain ids, never rows: a job
// reads the rows when it runs.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"hew/server/db"
)

// Queue stores jobs and, once started, does them.
type Queue struct {
	client *river.Client[pgx.Tx]
	pool   *pgxpool.Pool

	starts  []river.InsertManyParams // the jobs that are added when it starts
	process atomic.Pointer[int32]    // the number of this process; nil: none
	leave   context.CancelFunc       // ends holding it; nil: not started
	left    chan struct{}
}

type queueKey struct{}

// Open returns the queue of a database and attaches it to h for Enqueue. It calls observe after
// each attempt at a job, unless observe is nil. River fetches as many jobs as workers are free,
// once per cooldown: its default of 100 ms would limit 8 workers to 80 jobs a second, hence 5 ms.
func Open(pool *pgxpool.Pool, h *db.Store, kinds []Kind, observe Observer, log *slog.Logger) (*Queue, error) {
	workers := river.NewWorkers()
	var periodic []*river.PeriodicJob
	q := &Queue{pool: pool}
	for _, k := range append(slices.Clone(kinds), requeuer(kinds)) {
		if k.Starts {
			q.starts = append(q.starts, river.InsertManyParams{Args: k.args})
		}
		k.work(workers, h, k)
		if k.Every > 0 {
			periodic = append(periodic, river.NewPeriodicJob(river.PeriodicInterval(k.Every),
				func() (river.JobArgs, *river.InsertOpts) { return k.args, nil },
				&river.PeriodicJobOpts{RunOnStart: true}))
		}
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Workers:           workers,
		PeriodicJobs:      periodic,
		Middleware:        middleware(observe),
		Queues:            queues,
		FetchCooldown:     5 * time.Millisecond,
		FetchPollInterval: 500 * time.Millisecond,
		// of a process that was killed: River leaves alone what has a longer timeout of its own
		RescueStuckJobsAfter: 2 * time.Minute,
		Logger:               log,
	})
	if err != nil {
		return nil, fmt.Errorf("job queue: %w", err)
	}
	q.client = client
	h.Attach(queueKey{}, q)
	return q, nil
}

// Start begins to do jobs, until Stop.
func (q *Queue) Start(ctx context.Context) error {
	holding, leave := context.WithCancel(context.WithoutCancel(ctx))
	q.leave, q.left = leave, make(chan struct{})
	ready := make(chan error, 1)
	go func() {
		defer close(q.left)
		q.beProcess(holding, func(err error) {
			select {
			case ready <- err:
			default: // it was told before
			}
		})
	}()
	if err := <-ready; err != nil {
		return fmt.Errorf("number of the process: %w", err)
	}
	if err := q.client.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	if len(q.starts) == 0 {
		return nil
	}
	_, err := q.client.InsertMany(ctx, q.starts)
	return err
}

// Stop fetches no more jobs and waits for those that run. If the context ends first, it cancels
// them, and they are tried again later.
func (q *Queue) Stop(ctx context.Context) error {
	if q.leave != nil {
		defer func() {
			q.leave()
			<-q.left
		}()
	}
	err := q.client.Stop(ctx)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		err = q.client.StopAndCancel(context.WithoutCancel(ctx))
	}
	return err
}

// Enqueue adds jobs to the queue of a database, in the transaction that the store is bound to, or
// at once if it is bound to the pool. It fails if Open was not called for the database.
func Enqueue(ctx context.Context, h *db.Store, args ...Args) error {
	if len(args) == 0 {
		return nil
	}
	q, ok := h.Attached(queueKey{}).(*Queue)
	if !ok {
		return fmt.Errorf("enqueue %s: the database has no job queue", args[0].Kind())
	}
	jobs := make([]river.InsertManyParams, len(args))
	for i, a := range args {
		jobs[i].Args = a
	}
	var err error
	if tx, ok := h.DB().(pgx.Tx); ok {
		_, err = q.client.InsertManyTx(ctx, tx, jobs)
	} else {
		_, err = q.client.InsertMany(ctx, jobs)
	}
	if err != nil {
		return fmt.Errorf("enqueue %s: %w", args[0].Kind(), err)
	}
	return nil
}

// Counts returns the number of jobs by state. Unfinished and failed states are always present.
func (q *Queue) Counts(ctx context.Context) (map[string]int, error) {
	rows, err := q.pool.Query(ctx, `select state::text, count(*) from river_job group by state`)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{"available": 0, "scheduled": 0, "running": 0, "retryable": 0, "discarded": 0}
	var state string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&state, &n}, func() error { counts[state] = n; return nil })
	return counts, err
}

// Drain waits until no job is due, and returns an error as soon as one has failed. It is for tests,
// which must not sleep.
func (q *Queue) Drain(ctx context.Context) error {
	ended, unsubscribe := q.client.Subscribe(
		river.EventKindJobCompleted, river.EventKindJobFailed, river.EventKindJobCancelled,
	)
	defer unsubscribe()
	poll := time.NewTicker(20 * time.Millisecond) // for jobs that another process ends
	defer poll.Stop()
	for {
		var left int
		var failed *string
		if err := q.pool.QueryRow(ctx, `
			select count(*) filter (where state in ('available', 'running', 'pending') or state = 'scheduled'
				and scheduled_at <= now()),
			       min(kind || ': ' || (errors[array_length(errors,
			         1)] ->> 'error')) filter (where state in ('retryable', 'discarded'))
			from river_job`).Scan(&left, &failed); err != nil {
			return fmt.Errorf("drain: %w", err)
		}
		switch {
		case failed != nil:
			return fmt.Errorf("a job failed: %s", *failed)
		case left == 0:
			return nil
		}
		select {
		case <-ended:
		case <-poll.C:
		case <-ctx.Done():
			return fmt.Errorf("drain: %d jobs left: %w", left, context.Cause(ctx))
		}
	}
}
