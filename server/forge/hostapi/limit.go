package hostapi

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// spare is how many requests stay with the user, whose other tools count too.
	spare = 50
	// afterReset is the time from the reset of a limit to the next request, since clocks differ.
	afterReset = 5 * time.Second
	// secondary is the pause after a limit for which the host names no time.
	secondary = time.Minute
	// maxWait bounds what a host can ask for.
	maxWait = 24 * time.Hour
)

func (c *Client) now() time.Time {
	if c.Now != nil {
		return c.Now()
	}
	return time.Now()
}

// limited returns a LimitError while the rate limit admits no request.
func (c *Client) limited() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now().Before(c.resume) {
		return &LimitError{Until: c.resume}
	}
	return nil
}

// wait sets when the next request can be sent, within bounds.
func (c *Client) wait(until time.Time) *LimitError {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if until.Before(now.Add(time.Second)) {
		until = now.Add(time.Second)
	}
	if last := now.Add(maxWait); until.After(last) {
		until = last
	}
	c.resume = until
	return &LimitError{Until: until}
}

// judge returns the error of an answer, and notes what it says of the rate limit. Hosts without
// limits send no such headers.
func (c *Client) judge(a Answer) error {
	left, hasLeft := number(a.Header, "X-RateLimit-Remaining")
	total, hasTotal := number(a.Header, "X-RateLimit-Limit")
	reset, hasReset := number(a.Header, "X-RateLimit-Reset")
	resetAt := time.Unix(reset, 0).Add(afterReset)
	refused := a.Status == http.StatusTooManyRequests || a.Status == http.StatusForbidden
	after, hasAfter := c.retryAfter(a.Header)
	switch {
	case refused && hasAfter:
		return c.wait(after)
	case refused && hasLeft && left == 0 && hasReset:
		return c.wait(resetAt)
	case a.Status == http.StatusTooManyRequests,
		refused && strings.Contains(strings.ToLower(c.message(a.Body)), "rate limit"):
		return c.wait(c.now().Add(secondary))
	case a.Status >= 500:
		return &UnavailableError{Status: a.Status, Reason: c.message(a.Body)}
	case a.Status >= 400:
		return &StatusError{Status: a.Status, Message: c.message(a.Body)}
	}
	if hasLeft && hasReset && (left == 0 || left <= spare && (!hasTotal || total > spare)) {
		c.wait(resetAt) // this answer is valid; the next request waits
	}
	return nil
}

// RetryAt returns when a host that answers with 429 takes the next request, by the header
// Retry-After or else after a minute, within bounds.
func RetryAt(now time.Time, h http.Header) time.Time {
	c := Client{Now: func() time.Time { return now }}
	at, ok := c.retryAfter(h)
	if !ok {
		at = now.Add(secondary)
	}
	return c.wait(at).Until
}

// RetryAfter is RetryAt for the value of the header Retry-After; "" if there is none.
func RetryAfter(now time.Time, value string) time.Time {
	return RetryAt(now, http.Header{"Retry-After": {value}})
}

// retryAfter returns the time in the header Retry-After, which has seconds or a date.
func (c *Client) retryAfter(h http.Header) (time.Time, bool) {
	if seconds, ok := number(h, "Retry-After"); ok && seconds >= 0 {
		return c.now().Add(time.Duration(min(seconds, int64(maxWait/time.Second))) * time.Second), true
	}
	at, err := http.ParseTime(h.Get("Retry-After"))
	return at, err == nil
}

func number(h http.Header, name string) (int64, bool) {
	n, err := strconv.ParseInt(strings.TrimSpace(h.Get(name)), 10, 64)
	return n, err == nil
}
