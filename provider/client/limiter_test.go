package client

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// host is a model of one: it answers after a latency that may depend on how many
// requests it has at once, and may say more by header and status.
type host struct {
	latency func(busy int) time.Duration
	answer  func(http.ResponseWriter)

	mu         sync.Mutex
	busy, peak int
	served     int
}

func (h *host) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	h.served++
	h.busy++
	h.peak = max(h.peak, h.busy)
	latency := h.latency(h.busy)
	h.mu.Unlock()
	time.Sleep(latency) // virtual: these tests run in a synctest bubble
	h.mu.Lock()
	defer h.mu.Unlock()
	h.busy--
	if h.answer != nil {
		h.answer(w)
	}
}

func steady(int) time.Duration { return 50 * time.Millisecond }

// flood makes n requests at once and returns the time until the last is done.
func flood(t testing.TB, c *Client, n int) time.Duration {
	t.Helper()
	began := time.Now()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if _, err := c.Post(t.Context(), To("x"), nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	return time.Since(began)
}

func TestWidthGrowsWhileLatencyHolds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		most, peakMin, peakMax int
		latency                func(int) time.Duration
		within                 time.Duration
	}{
		"1,000 at 50 ms":      {0, 64, 64, steady, 1200 * time.Millisecond},
		"never over the most": {4, 4, 4, steady, 13 * time.Second},
		"one at a time":       {1, 1, 1, steady, 51 * time.Second},
		"a host that bends": {0, 17, 50, func(busy int) time.Duration {
			return time.Duration(max(busy,
				8)) * 6 * time.Millisecond
		}, 10 * time.Second},
		"a host in this machine": {0, 64, 64, func(busy int) time.Duration {
			return time.Millisecond +
				time.Duration(busy)*100*time.Microsecond
		}, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := &host{latency: test.latency}
				c := open(t, Config{Transport: inProcess{h}, MaxWidth: test.most})
				require.LessOrEqual(t, flood(t, c, 1000), test.within)
				require.GreaterOrEqual(t, h.peak, test.peakMin)
				require.LessOrEqual(t, h.peak, test.peakMax)
				require.Zero(t, c.Stats().InFlight)
			})
		})
	}
}

func TestWidthHalvesOncePerSetback(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &host{latency: steady}
		c := open(t, Config{Transport: inProcess{h}})
		flood(t, c, 500)
		require.Equal(t, 64, c.Stats().Width)

		limited := 64 // all that are in flight are refused together
		h.answer = func(w http.ResponseWriter) {
			if limited--; limited >= 0 {
				w.Header().Set("Retry-After", "5")
				w.WriteHeader(http.StatusTooManyRequests)
			}
		}
		h.peak = 0
		took := flood(t, c, 64)
		require.Equal(t, 50*time.Millisecond+5*time.Second+100*time.Millisecond, took,
			"the wait, then two rounds of 32")
		require.Equal(t, 33, c.Stats().Width, "32, and one more for a prompt round")
		require.Equal(t, 1, c.Stats().Waits)
	})
}

// TestRefusalsOvertaken: of two refusals of one moment the second comes late, after the first was
// tried again.
func TestRefusalsOvertaken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &host{}
		h.latency = func(int) time.Duration {
			if h.served == 2 {
				return 2 * time.Second
			}
			return steady(1)
		}
		said := 0
		h.answer = func(w http.ResponseWriter) {
			if said++; said%2 == 1 {
				w.WriteHeader(http.StatusTooManyRequests)
			}
		}
		c := open(t, Config{Transport: inProcess{h}})
		require.Equal(t, 2*time.Second+time.Second+50*time.Millisecond, flood(t, c, 2),
			"the second waits as long as a first refusal has it")
		require.Equal(t, 4, h.served)
	})
}

func TestQuotaIsNotOverdrawn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const limit, window = 100, time.Minute
		opened, used, refused := time.Now(), 0, 0
		h := &host{latency: steady, answer: func(w http.ResponseWriter) {
			if time.Since(opened) >= window {
				opened, used = time.Now().Truncate(time.Second), 0
			}
			if used++; used > limit {
				refused++
			}
			w.Header().Set("RateLimit-Remaining", strconv.Itoa(max(limit-used, 0)))
			w.Header().Set("RateLimit-Reset", strconv.FormatInt(opened.Add(window).Unix(), 10))
		}}
		var told []Wait
		c := open(t, Config{Transport: inProcess{h}, Notify: func(w Wait) { told = append(told, w) }})
		took := flood(t, c, 250)
		require.Zero(t, refused)
		require.Less(t, took, 2*window+5*time.Second)
		require.Len(t, told, 2)
		require.Equal(t, "the host's request quota is used up", told[0].Why)
	})
}

// Of two answers that overtake each other the last one tells of what the other has
// taken since: it is alone then, and its word is not the latest.
func TestQuotaOfAnswersThatOvertake(t *testing.T) {
	t.Parallel()
	l := newLimiter(10, func(Wait) {})
	window := time.Now().Add(time.Minute).Truncate(time.Second)
	answer := func(remaining int) {
		l.observe(observation{endpoint: "x", began: time.Now(),
			resp: &http.Response{StatusCode: http.StatusOK, Header: http.Header{
				"Ratelimit-Remaining": {strconv.Itoa(remaining)},
				"Ratelimit-Reset":     {strconv.FormatInt(window.Unix(), 10)}}}})
		l.release()
	}
	for range 2 {
		require.NoError(t, l.acquire(t.Context()))
	}
	answer(1) // counted second
	answer(2) // counted first
	require.Equal(t, 1, l.quota)
	require.NoError(t, l.acquire(t.Context()))
	answer(0)
	require.Zero(t, l.quota)

	window = window.Add(time.Minute)
	l.busy++ // one of the window before
	answer(100)
	require.Equal(t, 100, l.quota)
}

func TestTurnsOfThoseWhoLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(1, func(Wait) {})
		require.NoError(t, l.acquire(t.Context()))
		ctx, cancel := context.WithCancel(t.Context())
		left, stayed := make(chan error), make(chan error)
		go func() { left <- l.acquire(ctx) }()
		synctest.Wait()
		go func() { stayed <- l.acquire(t.Context()) }()
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-left, context.Canceled)
		l.release()
		require.NoError(t, <-stayed)
		l.release()
		require.ErrorIs(t, l.acquire(ctx), context.Canceled)
		_, busy := l.load()
		require.Zero(t, busy)
		require.Zero(t, l.queue.Len())
	})
}
