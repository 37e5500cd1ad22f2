package rest

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// writer notes what has been said, and stamps the time it took onto the head.
type writer struct {
	http.ResponseWriter
	start  time.Time
	status int
	bytes  int64
}

// WriteHeader sends the head, once.
func (w *writer) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
		w.Header().Set("X-Runtime", fmt.Sprintf("%.6f", time.Since(w.start).Seconds()))
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends a part of the body.
func (w *writer) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// exposed are the headers that a script from another origin may read (gaps §1.6).
const exposed = "Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, X-Gitlab-Blob-Id, " +
	"X-Gitlab-Commit-Id, X-Gitlab-Content-Sha256, X-Gitlab-Encoding, X-Gitlab-File-Name, X-Gitlab-File-Path, " +
	"X-Gitlab-Last-Commit-Id, X-Gitlab-Ref, X-Gitlab-Size, X-Request-Id, ETag"

// headers sets what every response carries.
func headers(h http.Header, r *http.Request, id string) {
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

// preflight answers a browser that asks before it sends: any method and header, no credentials.
func preflight(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodOptions || r.Header.Get("Origin") == "" || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
		h.Set("Access-Control-Allow-Headers", asked)
	}
	h.Set("Access-Control-Max-Age", "7200")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// statusClientGone is what the log says of a client that did not wait.
const statusClientGone = 499

// done ends an exchange: it answers for a panic, tells the log and the metrics. The line has the route's pattern in place
// of the path, and neither query nor body: those hold tokens.
func (m *mux) done(w *writer, r *http.Request, x *exchange, panicked any) {
	abort := panicked == http.ErrAbortHandler
	if panicked != nil && !abort {
		abort = m.crash(w, r, panicked)
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
		panic(http.ErrAbortHandler) // cuts the connection, or the client would take half an answer for a whole one
	}
}
