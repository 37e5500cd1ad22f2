package client

import (
	"maps"
	"net/http"
	"sync"
	"time"
)

// Stats is what a client has done so far.
type Stats struct {
	Requests map[string]int // tries sent, by method; redirects and retries count
	Retries  int
	Waits    int           // pauses, each counted once however many requests it held up
	Waited   time.Duration // their sum
	Sent     int64         // bytes of request bodies
	Received int64         // bytes of answers, decompressed
	Width    int           // tries that may be in flight now
	InFlight int           // and are
}

// Total returns the number of requests of all methods.
func (s Stats) Total() int {
	total := 0
	for _, n := range s.Requests {
		total += n
	}
	return total
}

// Stats returns a snapshot.
func (c *Client) Stats() Stats {
	s := c.tally.snapshot()
	s.Width, s.InFlight = c.limit.load()
	return s
}

// Wait is a pause the host asked for, or one between two tries.
type Wait struct {
	For time.Duration
	Why string
}

// String reads "rate limited by the host: waiting 30s".
func (w Wait) String() string {
	return w.Why + ": waiting " + w.For.Round(100*time.Millisecond).String()
}

// wait records a pause and passes on those that a person would notice.
func (c *Client) wait(w Wait) {
	c.tally.wait(w)
	if c.config.Notify == nil || w.For < time.Second {
		return
	}
	c.notify.Lock()
	defer c.notify.Unlock()
	c.config.Notify(w)
}

type tally struct {
	mu    sync.Mutex
	stats Stats
}

func (t *tally) sent(req *http.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stats.Requests == nil {
		t.stats.Requests = map[string]int{}
	}
	t.stats.Requests[req.Method]++
	t.stats.Sent += max(req.ContentLength, 0)
}

func (t *tally) received(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats.Received += int64(n)
}

func (t *tally) retry() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats.Retries++
}

func (t *tally) wait(w Wait) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats.Waits++
	t.stats.Waited += w.For
}

func (t *tally) snapshot() Stats {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.stats
	s.Requests = maps.Clone(s.Requests)
	return s
}
