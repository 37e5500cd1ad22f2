package rest

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// responseWriter records the status and the size of an answer, and sets X-Runtime.
type responseWriter struct {
	http.ResponseWriter
	start  time.Time
	status int
	bytes  int64
}

// WriteHeader sends the status and the headers.
func (w *responseWriter) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
		w.Header().Set("X-Runtime", fmt.Sprintf("%.6f", time.Since(w.start).Seconds()))
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends part of the body.
func (w *responseWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap returns the inner writer, for http.ResponseController.
func (w *responseWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// exposed lists the headers that scripts from other origins can read.
const exposed = "Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, X-Gitlab-Blob-Id, " +
	"X-Gitlab-Commit-Id, X-Gitlab-Content-Sha256, X-Gitlab-Encoding, X-Gitlab-File-Name, X-Gitlab-File-Path, " +
	"X-Gitlab-Last-Commit-Id, X-Gitlab-Ref, X-Gitlab-Size, X-Request-Id, ETag"

// setHeaders sets the headers of every answer.
func setHeaders(h http.Header, r *http.Request, id string) {
	h.Set("X-Request-Id", id)
	h.Set("X-Gitlab-Meta", `{"correlation_id":"`+id+`","version":"1"}`)
	h.Set("X-Frame-Options", "SAMEORIGIN")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Vary", "Origin")
	h.Set("Cache-Control", "no-cache")
	if r.Header.Get("Origin") != "" {
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Expose-Headers", exposed)
	}
}

// answerPreflight answers the preflight request of a browser: any method, any header, no
// credentials. It reports whether r was one.
func answerPreflight(w http.ResponseWriter, r *http.Request) bool {
	asked := r.Header.Get("Access-Control-Request-Method")
	if r.Method != http.MethodOptions || r.Header.Get("Origin") == "" || asked == "" {
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
	if wanted := r.Header.Get("Access-Control-Request-Headers"); wanted != "" {
		h.Set("Access-Control-Allow-Headers", wanted)
	}
	h.Set("Access-Control-Max-Age", "7200")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// statusClientGone is the status in the log for a client that did not wait.
const statusClientGone = 499

// finish ends an exchange: it answers after a panic, and tells the log and the metrics. The record
// has the pattern of the route, and no path, query or body, which can contain tokens.
func (m *mux) finish(w *responseWriter, r *http.Request, x *exchange, panicked any) {
	abort := panicked == http.ErrAbortHandler
	if panicked != nil && !abort {
		abort = m.recovered(w, r, panicked)
	}
	x.close()
	if w.status == 0 {
		w.status = statusClientGone
	}
	took := time.Since(w.start)
	_, route, _ := strings.Cut(r.Pattern, " ")
	if m.Observe != nil {
		m.Observe(route, r.Method, w.status, took)
	}
	attrs := []slog.Attr{
		slog.String("method", r.Method),
		slog.String("route", route),
		slog.Int("status", w.status),
		slog.Duration("duration", took),
		slog.Int64("bytes", w.bytes),
		slog.String("request_id", x.id),
	}
	if m.User != nil {
		if id := m.User(r.Context()); id != 0 {
			attrs = append(attrs, slog.Int64("user_id", id))
		}
	}
	if e := x.refused; e != nil {
		attrs = append(attrs, slog.String("fault", string(e.Code)))
		if e.Err != nil {
			attrs = append(attrs, slog.String("cause", e.Err.Error()))
		}
	}
	m.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
	if abort {
		panic(http.ErrAbortHandler) // closes the connection: the client must see that the answer is incomplete
	}
}
