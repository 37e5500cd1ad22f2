package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

var errCut = errors.New("connection reset by peer")

// step is how a host that follows a script takes one try.
type step struct {
	status int
	header http.Header
	cut    bool // the connection breaks instead of an answer
	half   bool // or in the middle of it
	refuse bool // or it cannot be made
}

// script is a host that answers tries in order, and 200 from then on.
func script(steps ...step) (network http.RoundTripper, tried func() int) {
	n := 0
	return roundTrip(func(req *http.Request) (*http.Response, error) {
		s := step{status: 200}
		if n < len(steps) {
			s = steps[n]
		}
		n++
		var body io.Reader = strings.NewReader("{}")
		switch {
		case s.refuse:
			return nil, &net.OpError{Op: "dial", Err: errCut}
		case s.cut:
			return nil, errCut
		case s.half:
			body = io.MultiReader(body, broken{})
		}
		return &http.Response{Request: req, StatusCode: max(s.status, 200), Header: s.header, Body: io.NopCloser(body)},
			nil
	}), func() int { return n }
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errCut }

func TestRetries(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		method  string
		steps   []step
		tries   int
		status  int // 0: an error without an answer
		unknown bool
	}{
		"GET after a 502":   {"GET", []step{{status: 502}}, 2, 200, false},
		"GET after a break": {"GET", []step{{cut: true}, {half: true}}, 3, 200, false},
		"GET gives up": {"GET", []step{{status: 500}, {cut: true}, {status: 503}, {half: true},
			{status: 502}}, 5, 502, false},
		"GET takes no for an answer": {"GET", []step{{status: 403}}, 1, 403, false},
		"501 is for good":            {"GET", []step{{status: 501}}, 1, 501, false},
		"PUT again":                  {"PUT", []step{{cut: true}, {status: 500}}, 3, 200, false},
		"PUT gives up": {"PUT", []step{{cut: true}, {cut: true}, {cut: true}, {cut: true},
			{cut: true}}, 5, 0, true},
		"PUT refused in the end":              {"PUT", []step{{status: 502}, {status: 400}}, 2, 400, false},
		"DELETE done by the lost try":         {"DELETE", []step{{cut: true}, {status: 404}}, 2, 200, false},
		"DELETE of nothing":                   {"DELETE", []step{{status: 404}}, 1, 404, false},
		"DELETE of nothing after a dead dial": {"DELETE", []step{{refuse: true}, {status: 404}}, 2, 404, false},
		"POST not connected":                  {"POST", []step{{refuse: true}, {status: 201}}, 2, 200, false},
		"POST never connected": {"POST", []step{{refuse: true}, {refuse: true}, {refuse: true},
			{refuse: true}, {refuse: true}}, 5, 0, false},
		"POST rate limited": {"POST", []step{{status: 429}, {status: 429}, {status: 201}}, 3, 200,
			false},
		"POST cut":              {"POST", []step{{cut: true}}, 1, 0, true},
		"POST answered by half": {"POST", []step{{status: 201, half: true}}, 1, 0, true},
		"POST failed inside":    {"POST", []step{{status: 502}}, 1, 502, true},
		"POST not implemented":  {"POST", []step{{status: 501}}, 1, 501, false},
		"PATCH cut":             {"PATCH", []step{{cut: true}}, 1, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				network, tried := script(test.steps...)
				c := open(t, Config{Transport: network})
				_, err := c.do(t.Context(), test.method, To("x"), nil, nil, nil)
				require.Equal(t, test.tries, tried())
				stats := c.Stats()
				require.Equal(t, test.tries, stats.Total())
				require.Equal(t, test.tries-1, stats.Retries)
				require.Zero(t, stats.InFlight, "every turn was given back")
				if test.status == 200 {
					require.NoError(t, err)
					return
				}
				e, ok := errors.AsType[*Error](err)
				require.True(t, ok)
				require.Equal(t, test.status, e.Status)
				require.Equal(t, test.unknown, IsUnknown(err), err)
				require.Equal(t, test.status == 0, errors.Is(err, errCut), err)
			})
		})
	}
}

// A22: the wait is as long as the host says, told, and the rate is lower after it.
func TestWaitsAsTold(t *testing.T) {
	t.Parallel()
	at := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	for name, test := range map[string]struct {
		header func() http.Header
		want   time.Duration
	}{
		"seconds": {func() http.Header { return http.Header{"Retry-After": {"30"}} }, 30 * time.Second},
		"date":    {func() http.Header { return http.Header{"Retry-After": {at(40 * time.Second)}} }, 40 * time.Second},
		"date of a clock that is ahead": {func() http.Header {
			return http.Header{"Retry-After": {at(time.Hour + 40*time.Second)}, "Date": {at(time.Hour)}}
		}, 40 * time.Second},
		"reset": {func() http.Header {
			return http.Header{"Ratelimit-Remaining": {"0"},
				"Ratelimit-Reset": {strconv.FormatInt(time.Now().Unix()+50, 10)}}
		}, 50 * time.Second},
		"reset in seconds": {func() http.Header {
			return http.Header{"Ratelimit-Remaining": {"0"},
				"Ratelimit-Reset": {"20"}}
		}, 20 * time.Second},
		"nothing said": {func() http.Header { return nil }, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var told []Wait
				network, _ := script(step{status: 429, header: test.header()})
				c := open(t, Config{Transport: network, Notify: func(w Wait) { told = append(told, w) }})
				began := time.Now()
				_, err := c.Get(t.Context(), To("x"), nil, nil)
				require.NoError(t, err)
				require.Equal(t, test.want, time.Since(began))
				require.Equal(t, []Wait{{For: test.want, Why: "rate limited by the host"}}, told)
				require.Equal(t, test.want, c.Stats().Waited)
				require.Equal(t, startWidth/2, c.Stats().Width, "and is slower from then on")
				require.Equal(t, "rate limited by the host: waiting "+test.want.String(), told[0].String())
			})
		})
	}
}

func TestAWaitBeyondReasonIsAnError(t *testing.T) {
	t.Parallel()
	network, tried := script(step{status: 429, header: http.Header{"Retry-After": {"86400"}}})
	_, err := open(t, Config{Transport: network}).Get(t.Context(), To("x"), nil, nil)
	require.ErrorContains(t, err, "429")
	require.Equal(t, 1, tried())
}

func TestEndOfContext(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]step{"told to wait": {status: 429, header: http.Header{"Retry-After": {"60"}}},
		"between tries": {cut: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				network, tried := script(first)
				c := open(t, Config{Transport: network})
				ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
				defer cancel()
				began := time.Now()
				_, err := c.Get(ctx, To("x"), nil, nil)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, 100*time.Millisecond, time.Since(began))
				_, err = c.Post(ctx, To("x"), nil, nil)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.False(t, IsUnknown(err), "it was not even sent")
				require.Equal(t, 1, tried())
				require.Zero(t, c.Stats().InFlight)
			})
		})
	}
}

func TestInterruptedWriteIsUnknown(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c := open(t, Config{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
		cancel()
		<-req.Context().Done()
		return nil, req.Context().Err()
	})})
	_, err := c.Post(ctx, To("x"), nil, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.True(t, IsUnknown(err))
}

func TestEveryTryHasItsOwnTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		c := open(t, Config{AnswerTimeout: time.Second, Retries: 1,
			Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
				tries++
				<-req.Context().Done()
				return nil, req.Context().Err()
			})})
		_, err := c.Get(t.Context(), To("x"), nil, nil)
		require.ErrorContains(t, err,
			"no response from https://git.example.com (base_url) in 2 attempts: timed out after 1s")
		require.Equal(t, 2, tries)
	})
}

// TestStalledResponse: a response that begins and does not end is given up like one that does not
// begin.
func TestStalledResponse(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		tries.Add(1)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	c := open(t, Config{BaseURL: s.URL, Timeout: 500 * time.Millisecond, Retries: 1})
	_, err := c.Get(t.Context(), To("x"), nil, nil)
	require.ErrorContains(t, err, " in 2 attempts: the response was not complete after 500ms")
	require.EqualValues(t, 2, tries.Load())
}
