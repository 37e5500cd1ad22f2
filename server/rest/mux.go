package rest

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"hew/server/fault"
)

// prefix is the path of the API.
const prefix = "/api/v4"

// Config holds what the routes need from the server. Every field is optional.
type Config struct {
	// Auth returns a context with the caller. Its error is answered.
	Auth func(context.Context, *http.Request) (context.Context, error)
	// Throttle counts a request after Auth, whose error it gets (no request is counted). The answer
	// has the header that it returns. Its error is answered in the place of that of Auth.
	Throttle func(context.Context, *http.Request, error) (http.Header, error)
	// Lend returns a context with what guards, and requests that only read, read with.
	Lend func(context.Context) context.Context
	// Begin begins the transaction of a request that writes, on what Lend put into the context. It
	// runs after the guard and the decoding. finish(nil) commits, finish(err) rolls back; the error
	// that finish returns is answered.
	Begin func(context.Context) (finish func(error) error, _ error)
	// Again reports whether a unit failed because another one got in its way. Such a request is
	// served once more, and sees what the other one has done (never).
	Again func(error) bool
	// User returns the id of the caller, for the log; 0 without one.
	User func(context.Context) int64
	// Base is the address that clients use, without a trailing slash (the host of the request).
	Base string
	// Log gets a record for each request, and the errors that clients must not see
	// (slog.Default()).
	Log *slog.Logger
	// Observe is called after each request, for metrics. The route is "" for a request that matches
	// none.
	Observe func(route, method string, status int, took time.Duration)
	// Realm is that of clients with a user name and a password: 401 asks for them, and what is
	// wrong is said as plain text, which git shows ("": as the API does).
	Realm string
	// Refusal returns the type and the body of a refusal that would be plain text because of Realm
	// (never). An empty type leaves it at that.
	Refusal func(r *http.Request, text string) (contentType string, body []byte)
	// MaxBody limits a body, in bytes (20 MiB). At most 4 MiB of it can be text, but for
	// routes with LongText.
	MaxBody int64
	// Timeout limits the time of a handler (60 s).
	Timeout time.Duration
}

type mux struct {
	Config
	priority *http.ServeMux // matched before routes
	routes   *http.ServeMux
	realms   map[string]string // of the routes that have one, by pattern
	turn     chan struct{}     // held by the request that has a long body in memory
}

// New returns a handler that serves the routes under /api/v4. It panics if two routes collide.
func New(c Config, routes []Route) http.Handler {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Auth == nil {
		c.Auth = func(ctx context.Context, _ *http.Request) (context.Context, error) { return ctx, nil }
	}
	if c.Lend == nil {
		c.Lend = func(ctx context.Context) context.Context { return ctx }
	}
	if c.Begin == nil {
		c.Begin = func(context.Context) (func(error) error, error) { return func(err error) error { return err }, nil }
	}
	if c.Again == nil {
		c.Again = func(error) bool { return false }
	}
	if c.MaxBody == 0 {
		c.MaxBody = 20 << 20
	}
	if c.Timeout == 0 {
		c.Timeout = time.Minute
	}
	m := &mux{Config: c, priority: http.NewServeMux(), routes: http.NewServeMux(), realms: map[string]string{},
		turn: make(chan struct{}, 1)}
	for _, r := range routes {
		in := m.routes
		if r.priority {
			in = m.priority
		}
		pattern := r.Method + " " + prefix + r.Path
		in.Handle(pattern, m.serveRoute(r))
		if r.realm != "" {
			m.realms[pattern] = r.realm
		}
	}
	m.routes.HandleFunc("/", m.serveUnmatched)
	return m
}

// ServeHTTP serves a request as the package comment describes.
func (m *mux) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := newExchange(r, m.MaxBody)
	x.id, x.turn = chooseRequestID(r.Header.Get("X-Request-Id")), m.turn
	out := &responseWriter{ResponseWriter: w, start: time.Now()}
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
	defer func() { m.finish(out, r, x, recover()) }()

	setHeaders(out.Header(), r, x.id)
	if answerPreflight(out, r) {
		return
	}
	u, tidy := tidyURL(r.URL)
	if tidy { // what callers are limited by must not depend on how they write a path
		r.URL = u
	}
	ctx, err := m.Auth(r.Context(), r)
	if m.Throttle != nil {
		var h http.Header
		h, err = m.Throttle(ctx, r, err)
		maps.Copy(out.Header(), h)
	}
	if err != nil {
		m.writeFault(out, r, err)
		return
	}
	r = r.WithContext(ctx)
	if !tidy {
		m.writeFault(out, r, noRoute())
		return
	}
	if _, pattern := m.priority.Handler(r); pattern != "" {
		m.priority.ServeHTTP(out, r)
		return
	}
	m.routes.ServeHTTP(out, r)
}

// methods are all methods that a route can have, in the order of the Allow header.
var methods = []string{
	http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, "LOCK", "UNLOCK",
}

func noRoute() error { return fault.NotFound("404 Not Found").In(fault.Parameter) }

// serveUnmatched answers a request that matches no route: 404, or 405 if its path has other
// methods.
func (m *mux) serveUnmatched(w http.ResponseWriter, r *http.Request) {
	r.Pattern = ""
	// Any path can end in .json. Only one is removed: a path full of them would come through here
	// repeatedly.
	if bare := withoutJSON(r.URL); bare != r.URL {
		r.URL = bare
		m.routes.ServeHTTP(w, r)
		return
	}
	var allow []string
	for _, method := range methods {
		probe := &http.Request{Method: method, Host: r.Host, URL: r.URL}
		_, early := m.priority.Handler(probe)
		if _, pattern := m.routes.Handler(probe); pattern != "/" || early != "" {
			allow = append(allow, method)
			if method == http.MethodGet {
				allow = append(allow, http.MethodHead)
			}
		}
	}
	switch {
	case allow == nil:
		m.writeFault(w, r, noRoute())
	case r.Method == http.MethodOptions:
		w.Header().Set("Allow", strings.Join(append(allow, http.MethodOptions), ", "))
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", strings.Join(append(allow, http.MethodOptions), ", "))
		m.writeFault(w, r, fault.NotAllowed("405 Not Allowed").In(fault.Parameter))
	}
}

// tidyURL removes doubled and trailing slashes, which the standard mux would answer with a
// redirect. It also removes .json after a numeric id ("/projects/7.json"), which a guard would look
// up; the name of a file keeps it. It returns false for a path that no route can match.
func tidyURL(u *url.URL) (*url.URL, bool) {
	raw := u.EscapedPath()
	tidy := raw
	for strings.Contains(tidy, "//") {
		tidy = strings.ReplaceAll(tidy, "//", "/")
	}
	tidy = strings.TrimRight(tidy, "/")
	if id, ok := strings.CutSuffix(tidy, ".json"); ok && isNumber(id[strings.LastIndexByte(id, '/')+1:]) &&
		!strings.Contains(tidy, "/packages/generic/") {
		tidy = id
	}
	if !strings.HasPrefix(tidy, "/") || path.Clean(tidy) != tidy {
		return u, false
	}
	plain, err := url.PathUnescape(tidy)
	if err != nil || !isStorable(plain) {
		return u, false
	}
	if tidy == raw {
		return u, true
	}
	v := *u
	v.Path, v.RawPath = plain, tidy
	return &v, true
}

// withoutJSON returns an address without .json at its end, or the same if it does not have that, or
// has it twice.
func withoutJSON(u *url.URL) *url.URL {
	bare, ok := strings.CutSuffix(u.Path, ".json")
	if !ok || strings.HasSuffix(bare, ".json") {
		return u
	}
	v := *u
	v.Path, v.RawPath = bare, strings.TrimSuffix(u.RawPath, ".json")
	return &v
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
