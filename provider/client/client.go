// Package client speaks HTTP with a host whose API is compatible with GitLab's
// version 4: addresses and their encoding, listings of any length, errors in one
// line, retries that never do a thing twice, and a width that adapts to what the
// host can bear. It knows no resource; what a 404 means is for its callers.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Client talks to one host. It is safe for concurrent use, and its requests
// share one width. The end of a context stops a request wherever it is.
type Client struct {
	config Config
	token  string
	// secrets are forms of what a request is signed in with, to be masked in answers.
	secrets []string
	host    *url.URL // without /api/v4
	root    *url.URL // with it
	http    *retryablehttp.Client
	limit   *limiter
	tally   tally
	notify  sync.Mutex // held while Config.Notify runs
	silent  *silence
}

// New prepares a client; it sends nothing. It fails on a base URL, token or TLS
// file that cannot work, and says where it came from.
func New(config Config) (*Client, error) {
	config = config.withDefaults()
	if err := config.check(); err != nil {
		return nil, err
	}
	host, err := config.host()
	if err != nil {
		return nil, err
	}
	network, err := config.network()
	if err != nil {
		return nil, err
	}
	root := *host
	root.Path += "/api/v4"
	c := &Client{config: config, token: config.Token, secrets: ownSecrets(config.Token, host), host: host, root: &root,
		silent: &silence{notify: config.Silent}}
	c.limit = newLimiter(config.MaxWidth, c.wait)
	c.http = &retryablehttp.Client{
		HTTPClient:   &http.Client{Transport: &attempts{Client: c, network: network}, CheckRedirect: c.redirect},
		RetryMax:     mostTries,
		RetryWaitMin: 500 * time.Millisecond,
		RetryWaitMax: 15 * time.Second,
		CheckRetry:   c.retry,
		Backoff:      c.backoff,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
		PrepareRetry: func(req *http.Request) error { callOf(req.Context()).tally.retry(); return nil },
	}
	return c, nil
}

// URL names the host in one spelling, whatever was configured:
// "https://git.example.com/sub", never with /api/v4, userinfo or a default port.
func (c *Client) URL() string {
	u := *c.host
	u.User = nil
	return u.String()
}

// Host returns the name of the host without a port.
func (c *Client) Host() string { return c.host.Hostname() }

// Reply is what an answer says beside its body.
type Reply struct {
	Status    int
	RequestID string
	// Moved is the path below /api/v4 that a GET was redirected to, because the
	// thing was renamed; empty if it is still where it was looked for.
	Moved string
}

// Get reads path into out: a pointer, or nil to discard. Numbers that land in an
// any are json.Number; a JSON null makes a nil of a pointer to a pointer.
func (c *Client) Get(ctx context.Context, path Path, query url.Values, out any) (Reply, error) {
	return c.do(ctx, http.MethodGet, path, query, nil, out)
}

// Post sends body as JSON, unless it is nil, and reads the answer into out. It is
// not repeated once it may have arrived; see [IsUnknown].
func (c *Client) Post(ctx context.Context, path Path, body, out any) (Reply, error) {
	return c.do(ctx, http.MethodPost, path, nil, body, out)
}

// Put is [Client.Post] for updates that may be repeated safely, and are.
func (c *Client) Put(ctx context.Context, path Path, body, out any) (Reply, error) {
	return c.do(ctx, http.MethodPut, path, nil, body, out)
}

// Patch is [Client.Post] with another verb: it may add to a list, so it is not
// repeated either.
func (c *Client) Patch(ctx context.Context, path Path, body, out any) (Reply, error) {
	return c.do(ctx, http.MethodPatch, path, nil, body, out)
}

// Delete deletes; what else there is to say goes into the query, for there are
// hosts that read no body here. A thing found missing by a retry, after the first answer was
// lost, was deleted by the first try: that is success.
func (c *Client) Delete(ctx context.Context, path Path, query url.Values, out any) (Reply, error) {
	return c.do(ctx, http.MethodDelete, path, query, nil, out)
}

func (c *Client) do(ctx context.Context, method string, path Path, query url.Values, body, out any) (Reply, error) {
	a, err := c.send(ctx, method, path, query, body)
	if err != nil || out == nil || len(a.body) == 0 && (method != http.MethodGet || a.Status == http.StatusNoContent) {
		return a.Reply, err
	}
	return a.Reply, c.decode(path, method, a, out)
}

// send makes one request, tries and all.
func (c *Client) send(ctx context.Context, method string, path Path, query url.Values, body any) (answer, error) {
	failed := &Error{Method: method, Endpoint: path.template, Path: path.encoded}
	write := method != http.MethodGet && method != http.MethodHead
	fail := func(err error) (answer, error) {
		failed.Err, failed.Message = err, c.redact(err.Error())
		return answer{}, failed
	}
	if write && c.config.ReadOnly && !slices.Contains(c.config.Writes, method+" "+path.template) {
		return fail(ErrReadOnly)
	}
	if path.err != nil {
		return fail(path.err)
	}
	call := &call{tally: &c.tally, endpoint: method + " " + path.template, once: method == http.MethodPost ||
		method == http.MethodPatch}
	req, err := c.request(context.WithValue(ctx, callKey{}, call), method, path, query, body)
	if err != nil {
		return fail(err)
	}
	req.SetResponseHandler(call.readBody)
	resp, err := c.http.Do(req)
	if err == nil && !call.read { // the last of several failed tries
		err = call.readBody(resp)
	}
	if err != nil {
		failed.Unknown = write && call.lost
		return fail(c.noResponse(err, call.failures))
	}
	a := answer{header: resp.Header, body: c.redactBody(call.body), Reply: Reply{
		Status:    resp.StatusCode,
		RequestID: c.redact(resp.Header.Get("X-Request-Id")),
		Moved:     c.redact(c.moved(req.URL, resp)),
	}}
	gone := method == http.MethodDelete && call.lost && a.Status == http.StatusNotFound
	if a.Status < 300 || gone {
		return a, nil
	}
	failed.Status, failed.RequestID, failed.Moved = a.Status, a.RequestID, a.Moved
	failed.Unknown = write && call.lost && a.Status >= 500
	failed.describe([]byte(c.redact(string(a.body))))
	if a.Status == http.StatusUnauthorized {
		failed.Need = c.needToken(failed.Need)
	}
	return a, failed
}

func (c *Client) request(ctx context.Context, method string, path Path, query url.Values,
	body any) (*retryablehttp.Request, error) {
	var payload any // an untyped nil, so that no body is none
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("cannot encode the request as JSON: %w", err)
		}
		payload = encoded
	}
	address := c.root.String() + "/" + path.encoded
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, method, address, payload)
	if err != nil {
		return nil, errors.New("the path cannot be sent")
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.config.UserAgent)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("PRIVATE-TOKEN", c.token)
	}
	return req, nil
}
