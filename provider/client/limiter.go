package client

import (
	"container/list"
	"context"
	"net/http"
	"sync"
	"time"
)

// The limiter decides how many tries may be in flight. It knows three reasons
// to hold one back, and keeps them apart:
//
//   - width: as with TCP, it doubles every round trip while answers take no more
//     than twice what they took when the host was idle, and halves when the host
//     says 429 or 503 or drops connections; then it grows by one a round trip.
//   - quota: no try starts that RateLimit-Remaining does not cover.
//   - a pause: nothing starts before the time that Retry-After names.

const (
	startWidth = 10
	// Below this, slowing down is the noise of a busy machine, not of a busy host.
	jitter = 10 * time.Millisecond
	// No public limit has a longer window (gaps §1.6); a reset later than this is a mistake.
	longestWait = time.Hour
)

type limiter struct {
	notify func(Wait) // called without the lock

	mu    sync.Mutex
	said  []Wait    // to be notified once the lock is off
	queue list.List // of chan struct{}, closed when its owner may start
	busy  int

	width    float64
	most     float64
	settled  bool                     // one setback was seen: no more doubling
	setback  time.Time                // of the width; answers to older tries tell nothing new
	strikes  int                      // setbacks without an answer between them
	baseline map[string]time.Duration // latency of an endpoint on an idle host

	quota  int       // tries that the host still allows before window ends
	lowest int       // the least that it has said of this window
	window time.Time // zero, or past: no quota is known

	pause time.Time
	timer *time.Timer
}

func newLimiter(most int, notify func(Wait)) *limiter {
	return &limiter{
		notify:   notify,
		width:    float64(min(startWidth, most)),
		most:     float64(most),
		baseline: map[string]time.Duration{},
	}
}

// acquire waits for a turn, first come first served, or for the end of ctx.
// Every nil answer is owed a release.
func (l *limiter) acquire(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	turn := make(chan struct{})
	l.mu.Lock()
	place := l.queue.PushBack(turn)
	l.dispatch()
	l.unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.unlock()
	select {
	case <-turn: // granted meanwhile: hand it on
		l.busy--
		l.dispatch()
	default:
		l.queue.Remove(place)
	}
	return ctx.Err()
}

// release ends a turn.
func (l *limiter) release() {
	l.mu.Lock()
	defer l.unlock()
	l.busy--
	l.dispatch()
}

// observation is what one try, still holding its turn, teaches.
type observation struct {
	endpoint string
	began    time.Time
	took     time.Duration
	resp     *http.Response // nil: no answer came
}

func (l *limiter) observe(o observation) {
	l.mu.Lock()
	defer l.unlock()
	now := o.began.Add(o.took)
	if o.resp == nil {
		l.shrink(o.began)
		return
	}
	l.count(o.resp.Header, now)
	wait, told := toldWait(o.resp, now)
	switch status := o.resp.StatusCode; {
	case status == http.StatusTooManyRequests:
		l.shrink(o.began)
		if !told {
			// An answer may have come since the setback that this one belongs to.
			wait = min(time.Second<<min(max(l.strikes-1, 0), 10), time.Minute)
		}
		l.hold(now, wait, "rate limited by the host")
	case status == http.StatusServiceUnavailable:
		l.shrink(o.began)
		if told {
			l.hold(now, wait, "the host is unavailable")
		}
	case status < 400: // a refusal may be far quicker than the work itself
		l.strikes = 0
		l.adapt(o.endpoint, o.took)
	case status < 500:
		l.strikes = 0
	}
}

// adapt widens after a prompt answer and narrows after a slow one, if width is
// what holds others back, so that it settles where the host begins to queue. It
// never goes below the start: being slow is no refusal.
func (l *limiter) adapt(endpoint string, took time.Duration) {
	base, known := l.baseline[endpoint]
	if !known || took < base {
		base = took
	}
	// A host that has become slower for good is believed in the end.
	l.baseline[endpoint] = base + (took-base)/1024
	if float64(l.busy) < l.width-1 {
		return
	}
	step := 1.0
	if l.settled {
		step = 1 / l.width
	}
	if took > 2*base+jitter {
		l.width = max(l.width-step, min(l.width, startWidth))
		return
	}
	l.width = min(l.width+step, l.most)
}

// shrink halves the width, once for all the tries that were in flight together.
func (l *limiter) shrink(began time.Time) {
	if began.Before(l.setback) {
		return
	}
	l.settled, l.setback = true, time.Now()
	l.strikes++
	l.width = max(l.width/2, 1)
}

// count takes over the quota that the host names. Answers overtake each other,
// and the host may have counted some of the tries in flight and not others:
// while any are, only the lowest estimate is safe; with none, the lowest word is
// exact.
func (l *limiter) count(h http.Header, now time.Time) {
	remaining, window, ok := quotaOf(h, now)
	if !ok || window.Before(l.window) {
		return
	}
	others, opens := l.busy-1, !window.Equal(l.window)
	if opens || remaining < l.lowest {
		l.lowest = remaining
	}
	if opens || others == 0 {
		l.quota = l.lowest - others
	}
	l.quota = min(l.quota, remaining-others)
	l.window = window
}

// hold starts nothing for d. A reason is told once, not for each of many tries
// that were refused together.
func (l *limiter) hold(now time.Time, d time.Duration, why string) {
	until := now.Add(min(d, longestWait))
	if !until.After(l.pause) {
		return
	}
	if until.Sub(l.pause) > time.Second && d > 0 {
		l.said = append(l.said, Wait{For: until.Sub(now), Why: why})
	}
	l.pause = until
}

// dispatch starts what may start; a pause rings it again when it is over.
func (l *limiter) dispatch() {
	for l.queue.Len() > 0 && l.busy < int(l.width) {
		now := time.Now()
		limited := now.Before(l.window)
		if limited && l.quota <= 0 {
			if l.busy > 0 {
				return // their answers will tell what is left
			}
			l.hold(now, l.window.Sub(now), "the host's request quota is used up")
		}
		if wait := l.pause.Sub(now); wait > 0 {
			if l.timer != nil {
				l.timer.Stop()
			}
			l.timer = time.AfterFunc(wait, func() {
				l.mu.Lock()
				defer l.unlock()
				l.dispatch()
			})
			return
		}
		if limited {
			l.quota--
		}
		l.busy++
		close(l.queue.Remove(l.queue.Front()).(chan struct{}))
	}
}

// load returns the present width and the number of tries in flight.
func (l *limiter) load() (width, busy int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int(l.width), l.busy
}

// unlock tells what was decided under the lock, outside it.
func (l *limiter) unlock() {
	said := l.said
	l.said = nil
	l.mu.Unlock()
	for _, wait := range said {
		l.notify(wait)
	}
}
