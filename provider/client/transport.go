package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

// errRedirect is the cause of an error about a redirect that is not followed.
var errRedirect = errors.New("redirect refused")

// timeout is the cause of the end of a try: what the host did not do within which time.
type timeout string

func (t timeout) Error() string { return string(t) }

// transport builds the network side: HTTP/1.1, whose connections are reused by
// as many tries as may be in flight. The default keeps two and is 2-3x slower.
func (c Config) transport() (*http.Transport, error) {
	t := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 15 * time.Second}).DialContext,
		TLSHandshakeTimeout: 15 * time.Second,
		MaxIdleConnsPerHost: c.MaxWidth,
		IdleConnTimeout:     time.Minute,
		TLSClientConfig:     &tls.Config{},
		Protocols:           new(http.Protocols),

		MaxResponseHeaderBytes: largestHeader,
	}
	t.Protocols.SetHTTP1(true)
	if c.CAFile != "" {
		pem, err := os.ReadFile(c.CAFile)
		if err != nil {
			return nil, fmt.Errorf("HEW_CA_FILE: %w", err)
		}
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("HEW_CA_FILE: %s holds no certificate in PEM form", c.CAFile)
		}
		t.TLSClientConfig.RootCAs = pool
	}
	if c.CertFile != "" {
		pair, err := tls.LoadX509KeyPair(c.CertFile, c.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("HEW_CLIENT_CERT and HEW_CLIENT_KEY: %w", err)
		}
		t.TLSClientConfig.Certificates = []tls.Certificate{pair}
	}
	return t, nil
}

func (c Config) network() (http.RoundTripper, error) {
	if c.Transport != nil {
		return c.Transport, nil
	}
	return c.transport()
}

// attempts is the http.RoundTripper of single tries: each waits for its turn,
// has its own deadline, and is counted and logged.
type attempts struct {
	*Client
	network http.RoundTripper
}

func (a *attempts) RoundTrip(req *http.Request) (*http.Response, error) {
	parent := req.Context()
	if err := a.limit.acquire(parent); err != nil {
		return nil, errUnsent{err}
	}
	call := callOf(parent)
	whole, cancel := context.WithTimeoutCause(parent, a.config.Timeout,
		timeout("the response was not complete after "+a.config.Timeout.String()))
	ctx, abort := context.WithCancelCause(whole)
	done := func() {
		abort(nil)
		cancel()
		a.limit.release()
	}
	began := time.Now()
	a.silent.sent(a.URL(), call.failures+1, a.tries(call))
	deadline := time.AfterFunc(a.config.AnswerTimeout, func() {
		abort(timeout("timed out after " + a.config.AnswerTimeout.String()))
	})
	resp, err := a.network.RoundTrip(req.WithContext(ctx))
	deadline.Stop()
	took := time.Since(began)
	call.tally.sent(req)
	a.log(req, resp, err, took)
	if parent.Err() == nil {
		a.limit.observe(observation{endpoint: call.endpoint, began: began, took: took, resp: resp})
	}
	if err != nil {
		if late, ok := errors.AsType[timeout](context.Cause(ctx)); ok {
			err = late
		}
		a.silent.ended()
		done()
		return nil, err
	}
	a.silent.received()
	b := &body{ReadCloser: resp.Body, tally: call.tally, silent: a.silent, most: largestAnswer}
	b.ended = func() error { return context.Cause(ctx) }
	b.done = sync.OnceFunc(func() {
		a.silent.ended()
		done()
	})
	resp.Body = b
	if a.config.AnswerTimeout < a.config.Timeout {
		go b.watch(ctx, a.config.AnswerTimeout, abort)
	}
	return resp, nil
}

func (a *attempts) log(req *http.Request, resp *http.Response, err error, took time.Duration) {
	ctx := req.Context()
	if !a.config.Log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attrs := []slog.Attr{slog.String("method", req.Method), slog.String("path", req.URL.EscapedPath())}
	if query := req.URL.Query(); len(query) > 0 {
		attrs = append(attrs, slog.String("query", a.redactQuery(query)))
	}
	attrs = append(attrs, slog.Duration("duration", took))
	if err != nil {
		attrs = append(attrs, slog.String("error", a.redact(err.Error())))
	} else {
		attrs = append(attrs, slog.Int("status", resp.StatusCode),
			slog.String("request_id", a.redact(resp.Header.Get("X-Request-Id"))))
	}
	a.config.Log.LogAttrs(ctx, slog.LevelDebug, "request", attrs...)
}

// redirect follows a GET within the API of the same host: renamed groups and
// projects answer so (gaps §1.2). Anything else would carry the token away, and
// Go would turn a POST into a GET, so those are errors that name the target.
func (c *Client) redirect(next *http.Request, via []*http.Request) error {
	first := via[0]
	if first.Method != http.MethodGet && first.Method != http.MethodHead {
		return http.ErrUseLastResponse
	}
	same := next.URL.Host == first.URL.Host && next.URL.Scheme == first.URL.Scheme
	secured := first.URL.Scheme == "http" && next.URL.Scheme == "https" && first.URL.Port() == "" &&
		first.URL.Host == next.URL.Hostname()
	switch {
	case len(via) > 5:
		return fmt.Errorf("%w: the redirects form a loop", errRedirect)
	case !same && !secured:
		return fmt.Errorf("%w: the host redirects to %s://%s, which must not receive the token; if that is the "+
			"host, set %s to it",
			errRedirect, next.URL.Scheme, next.URL.Host, c.config.URLFrom)
	case c.below(next.URL) == "":
		return fmt.Errorf("%w: the host redirects to %s, which is not its API; check %s",
			errRedirect, next.URL.Path, c.config.URLFrom)
	}
	if next.URL.RawQuery == "" {
		next.URL.RawQuery = first.URL.RawQuery
	}
	return nil
}

// moved returns the path a request ended at or was pointed to, if it is another.
func (c *Client) moved(asked *url.URL, resp *http.Response) string {
	final := resp.Request.URL
	if location, err := resp.Location(); err == nil && resp.StatusCode/100 == 3 {
		final = location
	}
	if final.EscapedPath() == asked.EscapedPath() {
		return ""
	}
	return c.below(final)
}

// below returns what follows /api/v4 in a URL, encoded as it is there.
func (c *Client) below(u *url.URL) string {
	path, found := strings.CutPrefix(u.EscapedPath(), c.root.EscapedPath()+"/")
	if !found {
		return ""
	}
	return path
}
