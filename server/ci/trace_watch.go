package ci

import (
	"context"
	"strconv"
	"sync"
	"time"

	"hew/server/db"
)

// A trace is watched for watchedFor after somebody has read it. Every process is told at most once
// in tellAfter.
const (
	watchedFor = time.Minute
	tellAfter  = 20 * time.Second
)

// watchedTraces remembers when the traces of which jobs were read.
type watchedTraces struct {
	mu   sync.Mutex
	last map[int64]time.Time
}

type watchedTracesKey struct{}

func watchedOf(st *db.Store) *watchedTraces {
	return st.Remembered(watchedTracesKey{}, func() any {
		w := &watchedTraces{last: map[int64]time.Time{}}
		st.OnNotification(db.ReadTraces, func(payload string) {
			if id, err := strconv.ParseInt(payload, 10, 64); err == nil {
				w.note(id, time.Now())
			}
		})
		return w
	}).(*watchedTraces)
}

// WatchTrace notes that somebody reads the trace of a job that runs: its runner then sends what is
// new every few seconds.
func WatchTrace(ctx context.Context, st *db.Store, jobID int64) error {
	if !watchedOf(st).note(jobID, time.Now()) {
		return nil
	}
	return st.Notify(ctx, db.ReadTraces, strconv.FormatInt(jobID, 10))
}

// TraceWatched reports whether somebody has read the trace of a job a moment ago.
func TraceWatched(st *db.Store, jobID int64) bool {
	w := watchedOf(st)
	w.mu.Lock()
	defer w.mu.Unlock()
	at, ok := w.last[jobID]
	return ok && time.Since(at) < watchedFor
}

// note remembers a reading, and reports whether the last one is so long ago that others are to be
// told.
func (w *watchedTraces) note(jobID int64, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	last, ok := w.last[jobID]
	if ok && now.Sub(last) < tellAfter {
		return false
	}
	for id, at := range w.last {
		if now.Sub(at) >= watchedFor {
			delete(w.last, id)
		}
	}
	w.last[jobID] = now
	return true
}
