package api

import (
	"io"
	"net/http"
	"time"
)

// patience is how long a transfer waits for a client that neither sends nor reads anything. One
// that is slow may take its time: up to transferTimeout in all.
const patience = 5 * time.Minute

// patientReader reads the body of a request.
type patientReader struct {
	from    io.Reader
	control *http.ResponseController // nil before the answer has begun
}

// Read implements io.Reader.
func (p *patientReader) Read(b []byte) (int, error) {
	if p.control != nil {
		_ = p.control.SetReadDeadline(time.Now().Add(patience)) // fails only if the client has gone
	}
	return p.from.Read(b)
}

// patientWriter writes an answer.
type patientWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Write implements io.Writer.
func (p patientWriter) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(patience)) // fails only if the client has gone
	return p.ResponseWriter.Write(b)
}

// flusher sends each write at once: progress is of use while it lasts.
type flusher struct{ patientWriter }

// Write implements io.Writer.
func (f flusher) Write(b []byte) (int, error) {
	n, err := f.patientWriter.Write(b)
	if err == nil {
		err = f.control.Flush()
	}
	return n, err
}
