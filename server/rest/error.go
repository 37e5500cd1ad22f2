package rest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"

	"hew/server/fault"
)

// wireForm is how a code is answered: its status, its text, and its text with a subject.
type wireForm struct {
	status      int
	text, about string
}

const movedText = "This resource has been moved permanently"

var wireForms = map[fault.Code]wireForm{
	fault.CodeInternal:           {500, "500 Internal Server Error", "500 Internal Server Error"},
	fault.CodeInvalid:            {400, "400 Bad request", "400 Bad request - %s"},
	fault.CodeUnauthorized:       {401, "401 Unauthorized", "%s"},
	fault.CodeForbidden:          {403, "403 Forbidden", "403 Forbidden - %s"},
	fault.CodeNotFound:           {404, "404 Not Found", "404 %s Not Found"},
	fault.CodeNotAllowed:         {405, "405 Method Not Allowed", "%s"},
	fault.CodeNotAcceptable:      {406, "406 Not Acceptable", "%s"},
	fault.CodeConflict:           {409, "409 Conflict", "%s"},
	fault.CodeGone:               {410, "410 Gone", "410 Gone - %s"},
	fault.CodePreconditionFailed: {412, "412 Precondition Failed", "%s"},
	fault.CodeTooLarge:           {413, "413 Request Entity Too Large", "%s"},
	fault.CodeUnsupportedMedia:   {415, "415 Unsupported Media Type", "%s"},
	fault.CodeUnprocessable:      {422, "422 Unprocessable Entity", "%s"},
	fault.CodeTooMany:            {429, "429 Too Many Requests", "%s"},
	fault.CodeNotImplemented:     {501, "501 Not Implemented", "501 Not Implemented - %s"},
	fault.CodeBadGateway:         {502, "502 Bad Gateway", "502 Bad Gateway - %s"},
	fault.CodeUnavailable:        {503, "503 Service Unavailable", "%s"},
	fault.CodeMoved:              {301, movedText, movedText + " to %s"},
	fault.CodeNotModified:        {304, "", ""},
}

// writeFault answers with a fault. Any other error is logged and answered with 500.
func (m *mux) writeFault(w http.ResponseWriter, r *http.Request, err error) {
	e := m.faultOf(r, err)
	if e == nil {
		return // the client has gone
	}
	h := w.Header()
	switch {
	case e.Code == fault.CodeMoved:
		h.Set("Location", e.To)
	case e.Code == fault.CodeTooMany && h.Get("Retry-After") == "":
		h.Set("Retry-After", "60")
	case e.Code == fault.CodeUnauthorized && e.Shape == fault.Token:
		h.Set("WWW-Authenticate",
			fmt.Sprintf(`Bearer realm="The API", error="invalid_token", error_description=%q`, e.What))
	}
	if realm := m.realmOf(r); realm != "" && e.Code == fault.CodeUnauthorized {
		h.Add("WWW-Authenticate", fmt.Sprintf("Basic realm=%q", realm))
	}
	status := wireForms[e.Code].status
	switch {
	case status == http.StatusNotModified:
		w.WriteHeader(status)
	case e.Shape == fault.Raw, m.Realm != "":
		text := e.What
		if text == "" && m.Realm != "" {
			text = wireForms[e.Code].text
		}
		contentType, body := m.refusal(r, text)
		h.Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = w.Write(body) // fails only if the client has gone
	default:
		body, _ := encode(bodyOf(e)) // maps of strings always encode
		writeJSON(w, status, body)
	}
}

// refusal returns the type and the body of a refusal with a text.
func (m *mux) refusal(r *http.Request, text string) (contentType string, body []byte) {
	if m.Refusal != nil {
		contentType, body = m.Refusal(r, text)
	}
	if contentType == "" {
		return "text/plain; charset=utf-8", []byte(text)
	}
	return contentType, body
}

// realmOf returns the realm of the route that a request is for, also of one that no route has
// matched yet; "" without one.
func (m *mux) realmOf(r *http.Request) string {
	if m.Realm != "" || len(m.realms) == 0 {
		return m.Realm
	}
	u, ok := tidyURL(r.URL)
	if !ok {
		return ""
	}
	for range 2 {
		probe := &http.Request{Method: r.Method, Host: r.Host, URL: u}
		_, pattern := m.priority.Handler(probe)
		if pattern == "" {
			_, pattern = m.routes.Handler(probe)
		}
		if realm, ok := m.realms[pattern]; ok {
			return realm
		}
		u = withoutJSON(u)
	}
	return ""
}

// Fail answers with a fault as plain text. It is for handlers that write their answer themselves,
// and have written nothing yet.
func Fail(w http.ResponseWriter, e *fault.Error) {
	form, ok := wireForms[e.Code]
	if !ok {
		form = wireForms[fault.CodeInternal]
	}
	text := e.What
	if text == "" {
		text = form.text
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(form.status)
	_, _ = w.Write([]byte(text + "\n")) // fails only if the client has gone
}

// faultOf returns the fault that the client gets for err, or nil if the client has gone.
func (m *mux) faultOf(r *http.Request, err error) *fault.Error {
	var tooLong *http.MaxBytesError
	e, ok := fault.From(err)
	if ok {
		_, ok = wireForms[e.Code]
	}
	switch {
	case ok && e.Code == fault.CodeMoved && isRead(r.Method):
		to := m.movedURL(r, e)
		shown := to
		if query := replaceParams(r.URL.RawQuery, nil); query != "" {
			shown += "?" + query
		}
		if r.URL.RawQuery != "" { // with the credentials, or the next request has none
			to += "?" + r.URL.RawQuery
		}
		return &fault.Error{Code: fault.CodeMoved, What: shown, To: to}
	case ok && e.Code == fault.CodeMoved:
		return fault.NotFound(e.What)
	case ok && e.Code != fault.CodeInternal:
		exchangeOf(r).refused = e
		return e
	case errors.As(err, &tooLong):
		return bodyTooLarge(tooLong.Limit)
	case errors.Is(err, context.Canceled) && r.Context().Err() != nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		m.logError(r, err)
		return fault.Unavailable()
	}
	m.logError(r, err)
	return &fault.Error{Code: fault.CodeInternal}
}

// bodyOf returns the body of a fault.
func bodyOf(e *fault.Error) any {
	k := wireForms[e.Code]
	text := k.text
	if e.What != "" {
		text = e.What
		if e.Shape == fault.Plain {
			text = strings.ReplaceAll(k.about, "%s", e.What)
		}
	}
	var message any = text
	if e.Fields != nil {
		message = e.Fields
	}
	switch e.Shape {
	case fault.Parameter:
		return map[string]any{"error": message}
	case fault.List:
		return map[string]any{"message": []any{message}}
	case fault.Nested:
		return map[string]any{"message": map[string]any{"error": message}}
	case fault.Service:
		return map[string]any{"errors": message}
	case fault.ServiceList:
		return map[string]any{"errors": []any{message}}
	case fault.Token:
		if e.Code == fault.CodeForbidden {
			return map[string]any{"error": "insufficient_scope", "error_description": text, "scope": e.Scope}
		}
		return map[string]any{"error": "invalid_token", "error_description": text}
	}
	if e.Reason != "" {
		return map[string]any{"message": message, "error_code": e.Reason}
	}
	return map[string]any{"message": message}
}

// movedURL returns the URL of the request without its query, with the old path of the object
// replaced by the new one.
func (m *mux) movedURL(r *http.Request, e *fault.Error) string {
	segments := strings.Split(r.URL.EscapedPath(), "/")
	_, pattern, _ := strings.Cut(r.Pattern, " ")
	for i, s := range strings.Split(pattern, "/") {
		if plain, err := url.PathUnescape(segments[i]); err == nil && strings.HasPrefix(s, "{") && plain == e.From {
			segments[i] = url.PathEscape(e.To)
			break
		}
	}
	return m.baseURL(r) + strings.Join(segments, "/")
}

// logError logs an error that the client must not see.
func (m *mux) logError(r *http.Request, err error) {
	attrs := []slog.Attr{slog.String("request_id", RequestID(r.Context())), slog.String("error", err.Error())}
	var c *panicError
	if errors.As(err, &c) {
		attrs = append(attrs, slog.String("stack", string(c.stack)))
	}
	m.Log.LogAttrs(r.Context(), slog.LevelError, "request failed", attrs...)
}

// recovered answers a request after a panic outside of a unit. It reports whether an answer had
// begun; then it only logs.
func (m *mux) recovered(w *responseWriter, r *http.Request, value any) (begun bool) {
	err := &panicError{value: value, stack: debug.Stack()}
	if begun = w.status != 0; begun {
		m.logError(r, err)
	} else {
		m.writeFault(w, r, err)
	}
	return begun
}
