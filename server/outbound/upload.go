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
	r.Method, r.Body, r.Content, r.Length = cmp.Or(r.Method, http.MethodPost), nil, content, size
	if size == 0 {
		r.Content = nil
	}
	resp, err := g.Stream(ctx, o, r, idle)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, r.MaxAnswer))
	return Answer{Status: resp.Status, Header: resp.Header, Body: body}, err
}
