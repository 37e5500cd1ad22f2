package outbound

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"time"
)

// Upload sends a request whose body is content of exactly size bytes, and reads the answer as Send
// does. Body of r is not used. The timeout of the Guard does not apply: the request ends with the
// context, and when nothing has moved for as long as idle.
func (g *Guard) Upload(
	ctx context.Context, o Options, r Request, content io.Reader, size int64, idle time.Duration,
) (Answer, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	b := &idleBody{ctx: ctx, cancel: cancel, idle: idle, from: io.NopCloser(content)}
	b.timer = time.AfterFunc(idle, func() { cancel(context.DeadlineExceeded) })
	defer b.stop()
	req, err := r.build(ctx, cmp.Or(r.Method, http.MethodPost), o.Policy)
	if err != nil {
		return Answer{}, err
	}
	req.Body, req.ContentLength, req.GetBody = io.NopCloser(struct{ io.Reader }{b}), size, nil
	if size == 0 {
		req.Body = http.NoBody
	}
	client := g.Client(o)
	client.Timeout = 0
	resp, err := client.Do(req)
	if err != nil {
		return Answer{}, b.cause(ctx, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, r.MaxAnswer))
	if err != nil {
		err = b.cause(ctx, err)
	}
	return Answer{Status: resp.StatusCode, Header: resp.Header, Body: body}, err
}
