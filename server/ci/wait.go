package ci

import (
	"bytes"
	"context"
	"strconv"
	"sync"
	"time"

	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
)

// waitingRoom holds the runners that wait for a job in this process. A notification says which
// pipeline has new jobs; one query then finds out about all of them, and wakes one runner for each
// job that it could take. A runner that waits costs memory only.
type waitingRoom struct {
	st     *db.Store
	mu     sync.Mutex
	first  *waiter // in the order of arrival
	last   *waiter
	news   map[int64]bool // pipelines with new jobs that nobody has looked at
	all    bool           // any pipeline may have some
	looks  bool           // somebody looks at the news
	closed chan struct{}  // when the server stops
	once   sync.Once
}

// waiter is a runner that waits.
type waiter struct {
	runner     Runner
	wake       chan struct{}
	prev, next *waiter
}

type waitingRoomKey struct{}

// roomOf returns the waiting room of a database in this process.
func roomOf(st *db.Store) *waitingRoom {
	return st.Remembered(waitingRoomKey{}, func() any {
		q := &waitingRoom{st: st, news: map[int64]bool{}, closed: make(chan struct{})}
		st.OnNotification(db.WaitingJobs, q.hear)
		return q
	}).(*waitingRoom)
}

// EndWaits sends the runners of this process that wait for a job away, now and from now on. It is
// for a server that stops.
func EndWaits(st *db.Store) {
	q := roomOf(st)
	q.once.Do(func() { close(q.closed) })
}

// contendedTime is after which time a runner looks again that saw jobs and got none, as others were
// quicker: there may be more that no notification tells of.
const contendedTime = 20 * time.Millisecond

// AwaitJob gives a runner the next job that it may run, as soon as there is one. It waits until the
// context or the time is over, and must be called outside of a transaction.
func AwaitJob(ctx context.Context, st *db.Store, by Taker, hold time.Duration) (taken Taken, found bool, err error) {
	if by.Runner.Paused {
		return taken, false, nil
	}
	q := roomOf(st)
	w := q.enter(by.Runner)
	defer q.leave(w)
	over := time.NewTimer(hold)
	defer over.Stop()
	for {
		taken, found, err = TakeJob(ctx, st, by)
		if found || err != nil && fault.CodeOf(err) != fault.CodeConflict {
			return taken, found, err
		}
		var contended <-chan time.Time
		if err != nil {
			contended = time.After(contendedTime)
		}
		select {
		case <-w.wake:
		case <-contended:
		case <-over.C:
			return taken, false, nil
		case <-q.closed:
			return taken, false, nil
		case <-ctx.Done():
			return taken, false, ctx.Err()
		}
		now, err := findRunner(ctx, st, by.Runner.ID) // somebody may have changed it
		if fault.CodeOf(err) == fault.CodeNotFound || err == nil && !bytes.Equal(now.Digest, by.Runner.Digest) {
			err = fault.Forbidden("")
		}
		if err != nil || now.Paused {
			return taken, false, err
		}
		by.Runner = now
	}
}

// GiveBack makes a job wait again that a runner took and never heard of.
func GiveBack(ctx context.Context, st *db.Store, t Taken) error {
	return InPipeline(ctx, st, t.Job.PipelineID, func(c *Change) error {
		j := c.Job(t.Job.ID)
		if j == nil || j.Status != status.Running || !bytes.Equal(j.TokenDigest, t.Job.TokenDigest) {
			return nil
		}
		c.requeue(j)
		return nil
	})
}

// requeue makes a running job wait for another runner.
func (c *Change) requeue(j *Job) {
	j.RunnerID, j.RunnerManagerID, j.TokenDigest, j.StartedAt, j.Graceful = nil, nil, nil, nil, false
	c.Set(j, status.Pending)
}

func (q *waitingRoom) enter(r Runner) *waiter {
	w := &waiter{runner: r, wake: make(chan struct{}, 1)}
	q.mu.Lock()
	defer q.mu.Unlock()
	w.prev = q.last
	if q.last == nil {
		q.first = w
	} else {
		q.last.next = w
	}
	q.last = w
	return w
}

// leave removes a runner. One that was woken and does not look any more passes that on.
func (q *waitingRoom) leave(w *waiter) {
	q.mu.Lock()
	if w.prev == nil {
		q.first = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		q.last = w.prev
	} else {
		w.next.prev = w.prev
	}
	q.mu.Unlock()
	select {
	case <-w.wake:
		q.hear("")
	default:
	}
}

// hear notes that a pipeline has new jobs, and has somebody look at them unless nobody waits.
func (q *waitingRoom) hear(payload string) {
	id, err := strconv.ParseInt(payload, 10, 64)
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.first == nil:
		return
	case err != nil:
		q.all = true
	default:
		q.news[id] = true
	}
	if !q.looks {
		q.looks = true
		go q.look()
	}
}

// lookTime limits the query for new jobs.
const lookTime = 10 * time.Second

// look wakes runners until there is no more news.
func (q *waitingRoom) look() {
	for {
		q.mu.Lock()
		ids := make([]int64, 0, len(q.news))
		for id := range q.news {
			ids = append(ids, id)
		}
		if q.all {
			ids = nil
		}
		q.looks = q.first != nil && (q.all || len(ids) > 0)
		again := q.looks
		q.all = false
		clear(q.news)
		q.mu.Unlock()
		if !again {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), lookTime)
		list, err := waiting(ctx, q.st, ids)
		cancel()
		if err == nil { // otherwise the runners come again by themselves
			q.wakeFor(list)
		}
	}
}

// wakeFor wakes one runner for each job that it could take, those that have waited longest first.
func (q *waitingRoom) wakeFor(list []waitingJobs) {
	q.mu.Lock()
	defer q.mu.Unlock()
	woken := map[*waiter]bool{}
	for _, j := range list {
		for w := q.first; w != nil && j.Count > 0; w = w.next {
			if !woken[w] && j.fit(w.runner) {
				j.Count--
				woken[w] = true
				select {
				case w.wake <- struct{}{}:
				default: // it will look anyway
				}
			}
		}
	}
}

// Waiting returns how many runners wait for a job in this process.
func Waiting(st *db.Store) (n int) {
	q := roomOf(st)
	q.mu.Lock()
	defer q.mu.Unlock()
	for w := q.first; w != nil; w = w.next {
		n++
	}
	return n
}
