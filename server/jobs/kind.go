package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"hew/server/db"
)

// Args holds the arguments of a job and the name of its kind.
type Args = river.JobArgs

// Kind describes the jobs of one kind and the function that does them.
type Kind struct {
	Name  string        // stored in the queue: remove_group
	Every time.Duration // the interval at which a job is added, the first at once; 0: only by Enqueue
	// Starts has a process add a job when it starts: it does not wait until it is the one that adds
	// them at intervals, which takes some time after that one was killed.
	Starts bool

	work    func(*river.Workers, *db.Store, Kind)
	args    Args          // of a job that is added at an interval
	timeout time.Duration // 0: a minute
	watched bool
}

// On returns the kind of jobs with arguments of type A, which do does. It gets the store that is
// bound to the pool. A failed job is tried again after growing pauses, so do must be idempotent.
func On[A Args](do func(context.Context, *db.Store, A) error) Kind {
	var args A
	return Kind{Name: args.Kind(), args: args, work: func(w *river.Workers, h *db.Store, k Kind) {
		river.AddWorker(w, worker[A]{timeout: k.timeout, watched: k.watched, st: h, do: do})
	}}
}

// worker does the jobs of one kind.
type worker[A Args] struct {
	river.WorkerDefaults[A]
	timeout time.Duration
	watched bool
	st      *db.Store
	do      func(context.Context, *db.Store, A) error
}

// Work implements river.Worker.
func (w worker[A]) Work(ctx context.Context, job *river.Job[A]) error {
	if w.watched {
		if err := w.noteProcess(ctx, job); err != nil {
			return err
		}
	}
	return w.do(context.WithValue(ctx, idKey{}, job.ID), w.st, job.Args)
}

// Timeout implements river.Worker.
func (w worker[A]) Timeout(*river.Job[A]) time.Duration { return w.timeout }

// Each returns the kind with a job that one of the processes adds at each interval.
func (k Kind) Each(interval time.Duration) Kind {
	k.Every = interval
	return k
}

// AtStart returns the kind with a job that each process adds when it starts, too.
func (k Kind) AtStart() Kind {
	k.Starts = true
	return k
}

// Lasting returns the kind with jobs that may run for so long, instead of for a minute.
func (k Kind) Lasting(timeout time.Duration) Kind {
	k.timeout = timeout
	return k
}
