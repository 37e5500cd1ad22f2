package client

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// mostTries bounds one request whatever the host says; at a minute a 429 that
// is half an hour, after which a pipeline is better told.
const mostTries = 30

// call is one request across its tries. Only the goroutine that makes the
// request touches it.
type call struct {
	endpoint string
	tally    *tally // of the client that it is made through
	once     bool   // must not be sent again after it may have arrived
	lost     bool   // a try may have been carried out, but no answer told so
	failures int    // tries that count against Config.Retries
	body     []byte // of the answer
	read     bool
}

type callKey struct{}

func callOf(ctx context.Context) *call { return ctx.Value(callKey{}).(*call) }

// errUnsent marks a try that ended while it waited for its turn.
type errUnsent struct{ error }

func (e errUnsent) Unwrap() error { return e.error }

// arrived notes what the end of a try says about a write having been done.
func (c *call) arrived(resp *http.Response, err error) {
	if dial, ok := errors.AsType[*net.OpError](err); ok && (dial.Op == "dial" || dial.Op == "proxyconnect") {
		return
	}
	if _, unsent := errors.AsType[errUnsent](err); unsent {
		return
	}
	if _, stranger := errors.AsType[*tls.CertificateVerificationError](err); stranger {
		return // the request is not sent before the certificate is checked
	}
	if err != nil || resp.StatusCode >= 500 && resp.StatusCode != http.StatusNotImplemented {
		c.lost = true
	}
}

// retry is the CheckRetry policy: again after a 429 in any case, after a 5xx or
// a broken connection unless that could do a thing twice.
func (c *Client) retry(ctx context.Context, resp *http.Response, err error) (bool, error) {
	call := callOf(ctx)
	if err == nil && resp.StatusCode == http.StatusTooManyRequests {
		wait, _ := toldWait(resp, time.Now())
		return wait <= longestWait && ctx.Err() == nil, nil
	}
	if err == nil && resp.StatusCode < 500 {
		return false, nil // an answer is an answer, even if ctx ended meanwhile
	}
	call.arrived(resp, err)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if _, slow := errors.AsType[slowAnswer](err); slow || errors.Is(err, errRedirect) || isTooLarge(err) {
		return false, err
	}
	// The library knows which failures are for good: certificates, schemes, 501.
	again, err := retryablehttp.ErrorPropagatedRetryPolicy(ctx, resp, err)
	call.failures++
	if resp != nil {
		err = nil // the answer speaks for itself
	}
	return again && call.failures <= c.config.Retries && !(call.once && call.lost), err
}

// tries returns how often a request is sent at most while the host does not answer.
func (c *Client) tries(call *call) int {
	if call.once {
		return 1
	}
	return c.config.Retries + 1
}

// backoff is the Backoff policy for failures. What the host asks for is waited
// out in the limiter, where it holds for all requests.
func (c *Client) backoff(shortest, longest time.Duration, try int, resp *http.Response) time.Duration {
	if resp != nil {
		if _, told := toldWait(resp, time.Now()); told || resp.StatusCode == http.StatusTooManyRequests {
			return 0
		}
	}
	ceiling := min(shortest<<min(try, 10), longest)
	wait := ceiling/2 + rand.N(ceiling/2+1)
	why := "no response from the host"
	if resp != nil {
		why = "the host answered " + resp.Status
	}
	c.wait(Wait{For: wait, Why: why})
	return wait
}

// toldWait returns how long a 429 or 503 asks to wait (gaps §1.6).
func toldWait(resp *http.Response, now time.Time) (time.Duration, bool) {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return 0, false
	}
	if after := resp.Header.Get("Retry-After"); after != "" {
		if seconds, err := strconv.Atoi(after); err == nil {
			return max(time.Duration(seconds)*time.Second, 0), true
		}
		if date, err := http.ParseTime(after); err == nil {
			return max(date.Sub(hostTime(resp.Header, now)), 0), true
		}
	}
	if _, window, ok := quotaOf(resp.Header, now); ok && resp.StatusCode == http.StatusTooManyRequests {
		return max(window.Sub(now), 0), true
	}
	return 0, false
}

// quotaOf reads RateLimit-Remaining and RateLimit-Reset. The reset is a Unix time
// or, from other proxies, seconds; it is given in our own clock's time.
func quotaOf(h http.Header, now time.Time) (remaining int, window time.Time, ok bool) {
	remaining, err1 := strconv.Atoi(h.Get("RateLimit-Remaining"))
	reset, err2 := strconv.ParseInt(h.Get("RateLimit-Reset"), 10, 64)
	if err1 != nil || err2 != nil || reset < 0 {
		return 0, time.Time{}, false
	}
	const threeYears = 100_000_000 // seconds: no window is that long, no clock that late
	if reset < threeYears {
		window = now.Add(time.Duration(reset) * time.Second)
	} else {
		window = now.Add(time.Unix(reset, 0).Sub(hostTime(h, now)))
	}
	// The Date header has no fractions: without rounding, answers of one window
	// would seem to belong to many.
	window = window.Add(time.Second - 1).Truncate(time.Second)
	return remaining, window, window.Sub(now) <= longestWait
}

// hostTime is the host's clock, which may be minutes from ours.
func hostTime(h http.Header, now time.Time) time.Time {
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		return date
	}
	return now
}
