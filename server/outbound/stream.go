package outbound

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"time"
)

// DefaultIdle is how long a stream may wait for the other host.
const DefaultIdle = 2 * time.Minute

// Stream is an answer whose body is read as it comes.
type Stream struct {
	Status int
	Header http.Header
	Body   io.ReadCloser // its errors contain no URL either
}

// Stream sends a request, by its method or, if it names none, by POST if it has a body and else by
// GET, and returns the answer. The caller closes its body. The timeout of the Guard does not apply:
// the request ends with the context, and when nothing was sent and nothing has come for as long as
// idle. It follows no redirects.
func (g *Guard) Stream(ctx context.Context, o Options, r Request, idle time.Duration) (*Stream, error) {
	method := http.MethodGet
	if len(r.Body) > 0 || r.Content != nil {
		method = http.MethodPost
	}
	req, err := r.build(ctx, cmp.Or(r.Method, method), o.Policy)
	if err != nil {
		return nil, err
	}
	if r.Content != nil {
		req.Body, req.GetBody, req.ContentLength = io.NopCloser(r.Content), nil, cmp.Or(r.Length, -1)
	}
	client := g.Client(o)
	client.Timeout, client.Transport = 0, Idle(client.Transport, idle)
	resp, err := client.Do(req)
	if err != nil {
		return nil, Plain(err, idle)
	}
	return &Stream{resp.StatusCode, resp.Header, resp.Body}, nil
}

// Idle returns a transport that ends requests by another one in which nothing was sent and nothing
// has come for as long as idle. Errors of bodies contain no URL.
func Idle(by http.RoundTripper, idle time.Duration) http.RoundTripper { return idleTransport{by, idle} }

type idleTransport struct {
	by   http.RoundTripper
	idle time.Duration
}

// RoundTrip implements http.RoundTripper.
func (t idleTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	b := &idleBody{ctx: ctx, cancel: cancel, idle: t.idle}
	b.timer = time.AfterFunc(t.idle, func() { cancel(context.DeadlineExceeded) })
	r = r.WithContext(ctx)
	if r.Body != nil {
		r.Body = &sentContent{r.Body, b}
	}
	resp, err := t.by.RoundTrip(r)
	if err != nil {
		err = b.cause(err)
		b.stop()
		return nil, err
	}
	b.timer.Reset(t.idle)
	b.from, resp.Body = resp.Body, b
	return resp, nil
}

// sentContent is the content of a request. Its reads show that the other host still takes it.
type sentContent struct {
	io.ReadCloser
	body *idleBody
}

// Read implements io.Reader.
func (s *sentContent) Read(p []byte) (int, error) {
	s.body.timer.Reset(s.body.idle)
	return s.ReadCloser.Read(p)
}

// idleBody is a body that ends when nothing has come for too long.
type idleBody struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	from   io.ReadCloser
	timer  *time.Timer
	idle   time.Duration
}

// Read implements io.Reader.
func (b *idleBody) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	b.timer.Reset(b.idle)
	if err != nil && err != io.EOF {
		err = b.cause(err)
	}
	return n, err
}

// cause returns the error of a request, without its URL.
func (b *idleBody) cause(err error) error {
	if why := context.Cause(b.ctx); why != nil {
		err = why
	}
	return Plain(err, b.idle)
}

// Close implements io.Closer.
func (b *idleBody) Close() error {
	b.stop()
	return b.from.Close()
}

func (b *idleBody) stop() {
	b.timer.Stop()
	b.cancel(context.Canceled)
}
