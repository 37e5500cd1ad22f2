package gist

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"hew/server/forge/hostapi"
	"hew/server/outbound"
)

const (
	requestTime  = time.Minute
	tries        = 3 // of one file
	maxRedirects = 3
	// minWait and maxWait bound the pause that a host asks for.
	minWait = time.Second
	maxWait = time.Hour
)

// errTooLarge is the error of a file that is larger than it may be.
var errTooLarge = errors.New("the file is too large")

// Client returns a client that reaches the hosts that a policy admits.
func Client(out *outbound.Guard, p outbound.Policy) *http.Client {
	guard := *out
	guard.Timeout = requestTime
	return guard.Client(outbound.Options{Policy: p})
}

// Transport sends requests by a client, within its time limit.
type Transport struct{ Client *http.Client }

// RoundTrip implements http.RoundTripper.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) { return t.Client.Do(r) }

// download reads a file of at most so many bytes. Files are often on another host than the API,
// which does not get the token. What fails for a moment is tried again.
func (r *run) download(ctx context.Context, address string, most int64) (data []byte, err error) {
	for n := range tries {
		if n > 0 {
			if err := r.pause(ctx, time.Second<<(2*n-2)); err != nil { // 1 s, 4 s
				return nil, err
			}
		}
		var again *hostapi.UnavailableError
		if data, err = r.fetch(ctx, address, most); !errors.As(err, &again) || ctx.Err() != nil {
			return data, err
		}
	}
	return nil, err
}

func (r *run) pause(ctx context.Context, d time.Duration) error {
	if r.Pause != nil {
		return r.Pause(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// fetch sends a request and follows its redirects.
func (r *run) fetch(ctx context.Context, address string, most int64) ([]byte, error) {
	at, err := url.Parse(address)
	for range maxRedirects + 1 {
		if err != nil || at.Scheme != "https" && at.Scheme != "http" || at.Host == "" || at.User != nil {
			return nil, &hostapi.StatusError{Message: "its address is not a valid http or https URL"}
		}
		resp, err := r.ask(ctx, at)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 300 || resp.StatusCode > 399 {
			return r.content(resp, most)
		}
		_ = resp.Body.Close() // nothing of it is read
		if at, err = at.Parse(resp.Header.Get("Location")); err != nil {
			return nil, &hostapi.StatusError{Message: "the redirect has no valid Location"}
		}
	}
	return nil, &hostapi.StatusError{Message: fmt.Sprintf("the host redirects more than %d times", maxRedirects)}
}

// ask sends one request.
func (r *run) ask(ctx context.Context, at *url.URL) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, &hostapi.StatusError{Message: "its address cannot be requested"}
	}
	req.Header.Set("User-Agent", "hewd")
	if base, err := url.Parse(r.Base); err == nil && base.Scheme == at.Scheme && base.Host == at.Host {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	resp, err := r.http.Do(req)
	var refused *outbound.RefusedError
	switch {
	case errors.As(err, &refused):
		return nil, &hostapi.StatusError{Message: refused.Error()}
	case err != nil:
		return nil, &hostapi.UnavailableError{Reason: at.Hostname() + " cannot be reached"}
	}
	return resp, nil
}

// content reads the answer to a request.
func (r *run) content(resp *http.Response, most int64) ([]byte, error) {
	defer resp.Body.Close()
	wait := strings.TrimSpace(resp.Header.Get("Retry-After"))
	switch code := resp.StatusCode; {
	case code == http.StatusTooManyRequests, code == http.StatusForbidden && wait != "":
		return nil, &hostapi.LimitError{Until: r.now().Add(waitOf(wait))}
	case code >= 500:
		return nil, &hostapi.UnavailableError{Status: code, Reason: "the host has an error"}
	case code != http.StatusOK:
		return nil, &hostapi.StatusError{Status: code, Message: "the host refuses it"}
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	switch {
	case err != nil:
		return nil, &hostapi.UnavailableError{Reason: "the answer breaks off"}
	case int64(len(data)) > most:
		return nil, errTooLarge
	}
	return data, nil
}

// waitOf returns the pause that the header Retry-After asks for, a minute without one that has
// seconds.
func waitOf(text string) time.Duration {
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Minute
	}
	return min(max(time.Duration(min(max(seconds, 0), int64(maxWait/time.Second)))*time.Second, minWait), maxWait)
}
