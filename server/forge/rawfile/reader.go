// Package rawfile reads files of other hosts by their addresses, such as those of gists. It follows
// redirects, repeats what fails for a moment, and keeps the token of a host to itself. Errors are
// those of package hostapi, and ErrTooLarge.
package rawfile

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
	maxRedirects = 3
	// minWait and maxWait bound the pause that a host asks for.
	minWait = time.Second
	maxWait = time.Hour
)

// ErrTooLarge is the error of a file that is larger than it may be.
var ErrTooLarge = errors.New("the file is too large")

// Reader reads files that a host names by their addresses.
type Reader struct {
	Base      string            // of the API of the host
	Token     string            // for addresses at the same host; others do not get it
	Transport http.RoundTripper // connects, and follows no redirects

	Now   func() time.Time // nil: time.Now
	Pause hostapi.Pause
}

// Read returns a file of at most so many bytes.
func (r *Reader) Read(ctx context.Context, address string, most int64) (data []byte, err error) {
	err = r.Stream(ctx, address, most, func(_ string, content io.Reader) (err error) {
		data, err = io.ReadAll(content)
		return err
	})
	return data, err
}

// Stream calls take with a file of at most so many bytes and the type that the host names, again
// if the file breaks off. Errors of the content are for take to return.
func (r *Reader) Stream(
	ctx context.Context, address string, most int64, take func(string, io.Reader) error,
) error {
	_, err := hostapi.Retry(ctx, r.Pause, func() (none struct{}, err error) {
		return none, r.fetch(ctx, address, most, take)
	})
	return err
}

// fetch sends a request and follows its redirects.
func (r *Reader) fetch(
	ctx context.Context, address string, most int64, take func(string, io.Reader) error,
) error {
	at, err := url.Parse(address)
	for range maxRedirects + 1 {
		if err != nil || at.Scheme != "https" && at.Scheme != "http" || at.Host == "" || at.User != nil {
			return &hostapi.StatusError{Message: "its address is not a valid http or https URL"}
		}
		resp, err := r.ask(ctx, at)
		if err != nil {
			return err
		}
		if resp.StatusCode < 300 || resp.StatusCode > 399 {
			return r.content(resp, most, take)
		}
		_ = resp.Body.Close() // nothing of it is read
		if at, err = at.Parse(resp.Header.Get("Location")); err != nil {
			return &hostapi.StatusError{Message: "the redirect has no valid Location"}
		}
		if strings.TrimSuffix(at.Path, "/") == "/login" {
			return &hostapi.StatusError{Message: "the host asks to sign in"}
		}
	}
	return &hostapi.StatusError{Message: fmt.Sprintf("the host redirects more than %d times", maxRedirects)}
}

// ask sends one request.
func (r *Reader) ask(ctx context.Context, at *url.URL) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, &hostapi.StatusError{Message: "its address cannot be requested"}
	}
	req.Header.Set("User-Agent", "hewd")
	if base, err := url.Parse(r.Base); err == nil && base.Scheme == at.Scheme && base.Host == at.Host {
		req.Header.Set("Authorization", "Bearer "+r.Token)
	}
	resp, err := r.Transport.RoundTrip(req)
	var refused *outbound.RefusedError
	switch {
	case errors.As(err, &refused):
		return nil, &hostapi.StatusError{Message: refused.Error()}
	case err != nil:
		return nil, &hostapi.UnavailableError{Reason: at.Hostname() + " cannot be reached"}
	}
	return resp, nil
}

// content gives the answer to a request to take.
func (r *Reader) content(resp *http.Response, most int64, take func(string, io.Reader) error) error {
	defer resp.Body.Close()
	wait := strings.TrimSpace(resp.Header.Get("Retry-After"))
	switch code := resp.StatusCode; {
	case code == http.StatusTooManyRequests, code == http.StatusForbidden && wait != "":
		return &hostapi.LimitError{Until: r.now().Add(waitOf(wait))}
	case code >= 500:
		return &hostapi.UnavailableError{Status: code, Reason: "the host has an error"}
	case code != http.StatusOK:
		return &hostapi.StatusError{Status: code, Message: "the host refuses it"}
	}
	return take(resp.Header.Get("Content-Type"), &bounded{resp.Body, most})
}

// bounded reads at most so many bytes. More is ErrTooLarge.
type bounded struct {
	from io.Reader
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.from.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		return n, ErrTooLarge
	}
	if err != nil && err != io.EOF {
		err = &hostapi.UnavailableError{Reason: "the answer breaks off"}
	}
	return n, err
}

func (r *Reader) now() time.Time {
	if r.Now != nil {
		return r.Now()
	}
	return time.Now()
}

// waitOf returns the pause that the header Retry-After asks for, two minutes without one that has
// seconds (transfer §3.1).
func waitOf(text string) time.Duration {
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 2 * time.Minute
	}
	return min(max(time.Duration(min(max(seconds, 0), int64(maxWait/time.Second)))*time.Second, minWait), maxWait)
}
