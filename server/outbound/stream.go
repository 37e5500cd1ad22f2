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
	method = cmp.Or(r.Method, method)
	ctx, cancel := context.WithCancelCause(ctx)
	b := &idleBody{cancel: cancel, idle: idle}
	b.timer = time.AfterFunc(idle, func() { cancel(context.DeadlineExceeded) })
	req, err := r.build(ctx, method, o.Policy)
	if err != nil {
		b.stop()
		return nil, err
	}
	if r.Content != nil {
		req.Body, req.GetBody, req.ContentLength = io.NopCloser(&sentContent{r.Content, b}), nil, cmp.Or(r.Length, -1)
	}
	client := g.Client(o)
	client.Timeout = 0
	resp, err := client.Do(req)
	if err != nil {
		err = b.cause(ctx, err)
		b.stop()
		return nil, err
	}
	b.ctx, b.from = ctx, resp.Body
	b.timer.Reset(idle)
	return &Stream{resp.StatusCode, resp.Header, b}, nil
}

// sentContent is the content of a request. Its reads show that the other host still takes it.
type sentContent struct {
	from io.Reader
	body *idleBody
}

// Read implements io.Reader.
func (s *sentContent) Read(p []byte) (int, error) {
	s.body.timer.Reset(s.body.idle)
	return s.from.Read(p)
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
		err = b.cause(b.ctx, err)
	}
	return n, err
}

// cause returns the error of a request, without its URL.
func (b *idleBody) cause(ctx context.Context, err error) error {
	if why := context.Cause(ctx); why != nil {
		err = why
	}
	return withoutURL(err, b.idle)
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
