// Package hostapi sends requests to the JSON API of another code host. It knows no server and no
// kind of host: it bounds answers, repeats requests that fail for a moment, stays on the host that
// it was given, and keeps to the host's rate limits. What goes wrong is a value: see LimitError,
// StatusError and UnavailableError.
package hostapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"hew/server/outbound"
)

const (
	defaultMaxAnswer = 32 << 20 // bytes
	maxRedirects     = 3
)

// Client speaks to the API of one host. It is safe for concurrent use.
type Client struct {
	Base      *url.URL            // https://api.github.com: requests go to paths below it
	Authorize func(*http.Request) // adds the credentials
	Transport http.RoundTripper   // connects, such as the one of outbound.Guard.Client
	Accept    string              // the media type to ask for (application/json)
	Message   func([]byte) string // the text in the body of an error; nil: its field message

	Now       func() time.Time // nil: time.Now
	Pause     Pause            // nil: a timer
	MaxAnswer int64            // bytes of an answer (32 MiB)

	mu     sync.Mutex
	resume time.Time // when the rate limit admits the next request; zero: now
}

// Answer is a successful answer.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Get reads the JSON at a path below the base, or at an absolute URL that has to be on the host of
// the base, into out.
func (c *Client) Get(ctx context.Context, address string, out any) (Answer, error) {
	at, err := c.resolve(address)
	if err != nil {
		return Answer{}, err
	}
	return Retry(ctx, c.Pause, func() (Answer, error) {
		if err := c.limited(); err != nil {
			return Answer{}, err
		}
		return c.follow(ctx, at, out)
	})
}

// resolve returns the URL of a request, which stays at the API.
func (c *Client) resolve(address string) (*url.URL, error) {
	if strings.HasPrefix(address, "/") {
		address = strings.TrimRight(c.Base.String(), "/") + address
	}
	at, err := url.Parse(address)
	if err != nil {
		return nil, &StatusError{Message: "the host named an address that is not a URL"}
	}
	if !c.holds(at) {
		return nil, &StatusError{Message: fmt.Sprintf("%s leads to %s, which is another host", c.Base.Host, at.Host)}
	}
	return at, nil
}

// holds reports whether a URL is on the host of the API: credentials are sent to it. Its path can
// be any, as links of hosts behind a proxy have paths that the base does not.
func (c *Client) holds(at *url.URL) bool {
	return at.Scheme == c.Base.Scheme && at.Host == c.Base.Host && at.User == nil
}

// follow sends a request, and follows redirects within the host, as of a repository with a new
// name.
func (c *Client) follow(ctx context.Context, at *url.URL, out any) (Answer, error) {
	for range maxRedirects + 1 {
		a, err := c.send(ctx, at)
		if err != nil || a.Status < 300 || a.Status > 399 {
			if err == nil && out != nil {
				err = decode(a.Body, out)
			}
			return a, err
		}
		to, err := at.Parse(a.Header.Get("Location"))
		if err != nil || a.Header.Get("Location") == "" {
			return a, &StatusError{Status: a.Status, Message: "the redirect has no valid Location"}
		}
		if at, err = c.resolve(to.String()); err != nil {
			return a, err
		}
	}
	return Answer{}, &StatusError{Message: fmt.Sprintf("%s redirects more than %d times", c.Base.Host, maxRedirects)}
}

// decode reads the JSON of an answer. An answer that breaks off is half a page.
func decode(body []byte, out any) error {
	err := json.Unmarshal(body, out)
	var broken *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case len(bytes.TrimSpace(body)) == 0, errors.As(err, &broken) && broken.Offset >= int64(len(body)):
		return &UnavailableError{Reason: "the answer breaks off"}
	case errors.As(err, &broken):
		return &StatusError{Message: "Response is not valid JSON"}
	}
	return &StatusError{Message: "the answer has an unexpected shape: " + err.Error()}
}

// send sends one request and reads its answer.
func (c *Client) send(ctx context.Context, at *url.URL) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return Answer{}, &StatusError{Message: "the address cannot be requested"}
	}
	req.Header.Set("Accept", cmp.Or(c.Accept, "application/json"))
	req.Header.Set("User-Agent", "hewd")
	if c.Authorize != nil {
		c.Authorize(req)
	}
	resp, err := c.Transport.RoundTrip(req)
	if err != nil {
		return Answer{}, unreachable(c.Base.Hostname(), err)
	}
	defer resp.Body.Close()
	most := cmp.Or(c.MaxAnswer, defaultMaxAnswer)
	body, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	switch {
	case err != nil:
		return Answer{}, &UnavailableError{Reason: "the answer breaks off"}
	case int64(len(body)) > most:
		text := fmt.Sprintf("the answer is larger than %d bytes", most)
		return Answer{}, &StatusError{Status: resp.StatusCode, Message: text}
	}
	a := Answer{Status: resp.StatusCode, Header: resp.Header, Body: body}
	return a, c.judge(a)
}

// unreachable returns the error of a host without its addresses, which users must not learn.
func unreachable(host string, err error) error {
	var refused *outbound.RefusedError
	if errors.As(err, &refused) {
		return &StatusError{Message: refused.Error()}
	}
	return &UnavailableError{Reason: host + " cannot be reached"}
}
