// Package deadline gives slow clients time: a transfer may last as long as its request, as long as
// the client does something every few minutes.
package deadline

import (
	"context"
	"io"
	"net/http"
	"time"
)

// Limit is how long a transfer waits for a client that neither sends nor reads anything.
const Limit = 5 * time.Minute

// connection sets the deadlines of the connection of a request.
type connection struct {
	control *http.ResponseController
	end     time.Time // of the request; zero: none
}

func newConnection(ctx context.Context, w http.ResponseWriter) *connection {
	c := &connection{control: http.NewResponseController(w)}
	c.end, _ = ctx.Deadline()
	return c
}

// deadline returns how long the client may take for the next bytes.
func (c *connection) deadline() time.Time {
	next := time.Now().Add(Limit)
	if !c.end.IsZero() && c.end.Before(next) {
		return c.end
	}
	return next
}

// Reader reads the body of a request.
type Reader struct {
	from io.Reader
	*connection
}

// NewReader returns a reader of the body of a request that ends with its context.
func NewReader(ctx context.Context, w http.ResponseWriter, body io.Reader) *Reader {
	r := Begin(body)
	r.Answer(NewWriter(ctx, w))
	return r
}

// Begin returns a reader of a body whose answer has not begun. Until it does, the deadlines are
// those of the server.
func Begin(body io.Reader) *Reader { return &Reader{from: body} }

// Answer lets the reader wait as the writer of the answer does.
func (r *Reader) Answer(w Writer) { r.connection = w.connection }

// Read implements io.Reader.
func (r *Reader) Read(b []byte) (int, error) {
	if r.connection != nil {
		_ = r.control.SetReadDeadline(r.deadline()) // fails only if the client has gone
	}
	return r.from.Read(b)
}

// Writer writes the answer to a request.
type Writer struct {
	http.ResponseWriter
	*connection
}

// NewWriter returns a writer of the answer to a request that ends with its context.
func NewWriter(ctx context.Context, w http.ResponseWriter) Writer {
	return Writer{w, newConnection(ctx, w)}
}

// WriteHeader implements http.ResponseWriter. An answer without a body is sent by it.
func (w Writer) WriteHeader(status int) {
	_ = w.control.SetWriteDeadline(w.deadline()) // fails only if the client has gone
	w.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (w Writer) Write(b []byte) (int, error) {
	_ = w.control.SetWriteDeadline(w.deadline()) // fails only if the client has gone
	return w.ResponseWriter.Write(b)
}

// Flusher sends each write at once: progress is of use while it lasts.
type Flusher struct {
	Writer
	Begun bool // something was written
}

// Write implements io.Writer.
func (f *Flusher) Write(b []byte) (int, error) {
	f.Begun = true
	n, err := f.Writer.Write(b)
	if err == nil {
		err = f.control.Flush()
	}
	return n, err
}
