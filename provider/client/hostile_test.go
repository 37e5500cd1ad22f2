package client

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// drip is a body that brings some bytes a second until it has brought all, or its request ends.
type drip struct {
	ctx       context.Context
	rate, all int // bytes; all is negative if it never ends
}

func (d *drip) Read(p []byte) (int, error) {
	if d.all == 0 {
		return 0, io.EOF
	}
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-time.After(time.Second): // virtual
	}
	n := min(d.rate, len(p))
	if d.all > 0 {
		n = min(n, d.all)
		d.all -= n
	}
	copy(p, strings.Repeat(" ", n))
	return n, nil
}

func (d *drip) Close() error { return nil }

// TestDrippingHost: an answer that comes too slowly ends its request, and is not asked for again.
// One that is slow and steady is read.
func TestDrippingHost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rate, all int
		took      time.Duration
		tries     int
		fails     string
	}{
		"a byte a second": {1, -1, 30 * time.Second, 1, "GET /projects: the answer of https://git.example.com " +
			"(base_url) is too slow: the response brought "},
		"a short answer, a byte a second": {1, 25, 25 * time.Second, 1, ""},
		"slow and steady":                 {4 << 10, 320 << 10, 80 * time.Second, 1, ""},
		"without end": {4 << 10, -1, 90 * time.Second, 1,
			"is too slow: the response was not complete after 1m30s"},
		"nothing": {0, -1, time.Minute, 2, "no response from https://git.example.com (base_url) in 2 attempts: " +
			"the response brought 0 bytes in 30s and did not end"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				network := roundTrip(func(req *http.Request) (*http.Response, error) {
					tries++
					return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: req,
						Body: &drip{req.Context(), c.rate, c.all}}, nil
				})
				client := open(t, Config{Retries: 1, Transport: network})
				began := time.Now()
				_, err := client.Get(t.Context(), To("projects"), nil, nil)
				if c.fails == "" {
					require.NoError(t, err)
				} else {
					require.ErrorContains(t, err, c.fails)
				}
				require.Equal(t, c.tries, tries)
				require.InDelta(t, c.took.Seconds(), time.Since(began).Seconds(), 10, "buffers are small at first")
			})
		})
	}
}

// TestListingsWithoutEnd: every chain of pages ends, and the error names the endpoint.
func TestListingsWithoutEnd(t *testing.T) {
	t.Parallel()
	next := func(h http.Header, n int) {
		h.Set("Link", fmt.Sprintf(`<https://git.example.com/api/v4/users?page=%d>; rel="next"`, n))
	}
	rows := func(n int) string { return fmt.Sprintf("[%d]", n) }
	for name, c := range map[string]struct {
		answer func(h http.Header, n int) string // of page n
		most   int                               // requests
		fails  string
	}{
		"pages that repeat": {func(h http.Header, n int) string { next(h, n+1); return "[1]" }, 6,
			"GET /users: the next page has the rows of this page"},
		"a loop": {func(h http.Header, n int) string { next(h, n%3+1); return rows(n) }, 8,
			"GET /users: the link to the next page leads back to an earlier page"},
		"empty pages": {func(h http.Header, n int) string { next(h, n+1); return "[ ]" }, 110,
			"GET /users: the host has more pages after 100 empty ones"},
		"without end": {func(h http.Header, n int) string { next(h, n+1); return rows(n) }, mostPages + 5,
			"GET /users: the list does not end: the host links to more pages after 20000"},
		"more than were counted": {func(h http.Header, n int) string {
			h.Set("X-Total", "1")
			next(h, n+1)
			return rows(n)
		}, 110, "GET /users: the list does not end: the host links to more pages after 101"},
		"by number": {func(h http.Header, n int) string {
			h.Set("X-Total", "1")
			h.Set("X-Next-Page", strconv.Itoa(n+1))
			return rows(n)
		}, 110, "GET /users: the list does not end"},
		"counted and empty": {func(h http.Header, n int) string {
			h.Set("X-Total-Pages", "9223372036854775807")
			h.Set("X-Per-Page", "1")
			return "[]"
		}, 110 + 64*3, "GET /users: the host has more pages after 100 empty ones"},
		"counts that overflow": {func(h http.Header, n int) string {
			h.Set("X-Total", "9223372036854775807")
			h.Set("X-Per-Page", "9223372036854775807")
			return "[1]"
		}, 2, ""},
		"negative counts": {func(h http.Header, n int) string {
			h.Set("X-Total", "-5")
			h.Set("X-Total-Pages", "-5")
			h.Set("X-Per-Page", "-5")
			return "[1]"
		}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := open(t, Config{Transport: inProcess{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Query().Get("pagination") == "keyset" {
					reply(w, 405, `{}`)
					return
				}
				n, _ := strconv.Atoi(r.URL.Query().Get("page"))
				reply(w, 200, c.answer(w.Header(), max(n, 1)))
			})}})
			l, err := client.List(t.Context(), To("users"), url.Values{"order_by": {"name"}})
			require.NoError(t, err)
			for _, e := range Items[int](l) {
				err = e
			}
			if c.fails == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.fails)
			}
			require.LessOrEqual(t, client.Stats().Total(), c.most)
		})
	}
}

// TestEmptyAnswers: empty and null lists are empty; an answer without anything is none.
func TestEmptyAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status      int
		body, fails string
	}{
		{200, "[]", ""},
		{200, " null\n", ""},
		{204, "", ""},
		{200, "", "GET /users: 200 the answer is empty"},
		{200, "  \n", "GET /users: 200 the answer is empty"},
	} {
		client := open(t, Config{Transport: inProcess{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			reply(w, c.status, c.body)
		})}})
		l, err := client.List(t.Context(), To("users"), nil)
		n := 0
		if err == nil {
			for _, err = range Items[int](l) {
				n++
			}
		}
		var one *struct{}
		_, single := client.Get(t.Context(), To("users"), nil, &one)
		if c.fails == "" {
			require.NoError(t, err, c)
			require.Zero(t, n)
			continue
		}
		require.ErrorContains(t, err, c.fails)
		require.ErrorContains(t, single, c.fails)
	}
}

// TestHostileErrors: what a host says fits a terminal and does nothing there.
func TestHostileErrors(t *testing.T) {
	t.Parallel()
	evil := "\x1b]0;title\a\x1b[2J\u202e" + strings.Repeat("long ", 10_000)
	json := func(shape string) string {
		plain := strings.NewReplacer("\x1b", "", "\a", "").Replace(evil)
		return fmt.Sprintf(shape, strconv.Quote(plain)[1:]) // ends in "
	}
	for name, body := range map[string]string{
		"text":    evil,
		"HTML":    "<html><body>" + evil + "</body></html>",
		"message": json(`{"message":"\u001b[2J\u0007\u202e%s}`),
		"fields":  json(`{"message":{"name":["\u001b[2J%s]}}`),
		"name":    json(`{"message":{"\u001b[2J%s:["is taken"]}}`),
		"scope":   json(`{"error":"insufficient_scope","error_description":"x","scope":"\u001b[2J%s}`),
		"deep":    strings.Repeat("[", 100_000) + evil,
		"large":   strings.Repeat("<", 8<<20),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := open(t, Config{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: http.StatusBadRequest, Request: req,
					Header: http.Header{"X-Request-Id": {evil}, "Location": {"/api/v4/" + url.PathEscape(evil)}},
					Body:   io.NopCloser(strings.NewReader(body))}, nil
			})})
			_, err := client.Get(t.Context(), To("users"), nil, nil)
			require.Error(t, err)
			require.NotContains(t, strings.Map(func(r rune) rune {
				if unprintable(r) {
					return '!'
				}
				return -1
			}, err.Error()), "!")
			require.Less(t, len(err.Error()), 5*longestMessage)
		})
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Large", strings.Repeat("x", 2*largestHeader))
		reply(w, 200, "[]")
	})
	_, err := open(t, Config{BaseURL: s.URL, Retries: -1}).Get(t.Context(), To("users"), nil, nil)
	require.ErrorContains(t, err, "header")
}

// TestCertificateThatChanges: if the certificate of a host changes during a run, hew sends nothing,
// and the error of a write says that it had no effect.
func TestCertificateThatChanges(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was sent", r.Method)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	c := open(t, Config{BaseURL: s.URL})
	for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
		_, err := c.do(t.Context(), method, To("users"), nil, nil, nil)
		require.ErrorContains(t, err, "certificate signed by unknown authority")
		require.ErrorContains(t, err, s.URL)
		require.False(t, IsUnknown(err), method)
	}
	require.Zero(t, c.Stats().Retries)
}
