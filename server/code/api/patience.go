package api

import (
	"context"
	"io"
	"net/http"
	"time"
)

// patience is how long a transfer waits for a client that neither sends nor reads anything. One
// that is slow may take its time, up to the end of the request: transferTimeout in all.
const patience = 5 * time.Minute

// transfer sets the deadlines of the connection of a request.
type transfer struct {
	control *http.ResponseController
	end     time.Time // of the request; zero: none
}

// newTransfer returns the transfer of a request, which ends with its context.
func newTransfer(ctx context.Context, w http.ResponseWriter) *transfer {
	t := &transfer{control: http.NewResponseController(w)}
	t.end, _ = ctx.Deadline()
	return t
}

// deadline returns how long the client may take for the next bytes.
func (t *transfer) deadline() time.Time {
	next := time.Now().Add(patience)
	if !t.end.IsZero() && t.end.Before(next) {
		return t.end
	}
	return next
}

// patientReader reads the body of a request.
type patientReader struct {
	from      io.Reader
	*transfer // nil before the answer has begun
}

// Read implements io.Reader.
func (p *patientReader) Read(b []byte) (int, error) {
	if p.transfer != nil {
		_ = p.control.SetReadDeadline(p.deadline()) // fails only if the client has gone
	}
	return p.from.Read(b)
}

// patientWriter writes an answer.
type patientWriter struct {
	http.ResponseWriter
	*transfer
}

// newPatientWriter returns a writer of the answer to a request, which ends with its context.
func newPatientWriter(ctx context.Context, w http.ResponseWriter) patientWriter {
	return patientWriter{w, newTransfer(ctx, w)}
}

// WriteHeader implements http.ResponseWriter. An answer without a body is sent by it.
func (p patientWriter) WriteHeader(status int) {
	_ = p.control.SetWriteDeadline(p.deadline()) // fails only if the client has gone
	p.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (p patientWriter) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(p.deadline()) // fails only if the client has gone
	return p.ResponseWriter.Write(b)
}

// flusher sends each write at once: progress is of use while it lasts.
type flusher struct {
	patientWriter
	begun bool
}

// Write implements io.Writer.
func (f *flusher) Write(b []byte) (int, error) {
	f.begun = true
	n, err := f.patientWriter.Write(b)
	if err == nil {
		err = f.control.Flush()
	}
	return n, err
}

// PatientWriter returns a writer of the answer to a request that waits for slow clients.
func PatientWriter(ctx context.Context, w http.ResponseWriter) http.ResponseWriter {
	return newPatientWriter(ctx, w)
}

// PatientReader returns a reader of the body of a request that gives a client time, as long as it
// sends something.
func PatientReader(ctx context.Context, w http.ResponseWriter, body io.Reader) io.Reader {
	return &patientReader{body, newTransfer(ctx, w)}
}
