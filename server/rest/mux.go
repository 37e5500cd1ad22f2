package rest

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"hew/server/fault"
)

// root is where the API lives.
const root = "/api/v4"

// Config is what the server lends to the routes. Every field may be left out.
type Config struct {
	// Auth puts the caller into the context. Its error ends the request.
	Auth func(context.Context, *http.Request) (context.Context, error)
	// Lend puts into the context what guards read with; a request that only reads needs no more.
	Lend func(context.Context) context.Context
	// Begin opens the transaction of a request that writes, with what Lend has put into the context. Its guard has admitted
	// the caller and its parameters are decoded. finish(nil) commits, finish(err) undoes; what finish returns is what the
	// client is told.
	Begin func(context.Context) (finish func(error) error, _ error)
	// User is the caller's id, for the log; 0 is nobody.
	User func(context.Context) int64
	// Base is the address that clients use, without a trailing slash; empty means: whatever the request says.
	Base string
	// Log gets one line a request, and the errors that clients must not see.
	Log *slog.Logger
	// Observe is told of every request, for metrics. Requests that match no route share the route "".
	Observe func(route, method string, status int, took time.Duration)
	// MaxBody is how many bytes a body may have (20 MiB). At most 4 MiB of them may be text.
	MaxBody int64
	// Timeout is how long a handler may take (60 s).
	Timeout time.Duration
}

type mux struct {
	Config
	first  *http.ServeMux // asked before routes
	routes *http.ServeMux
}

// New serves the routes under /api/v4. It panics if two routes collide, or one makes no sense.
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
	if c.MaxBody == 0 {
		c.MaxBody = 20 << 20
	}
	if c.Timeout == 0 {
		c.Timeout = time.Minute
	}
	m := &mux{Config: c, first: http.NewServeMux(), routes: http.NewServeMux()}
	for _, r := range routes {
		in := m.routes
		if r.first {
			in = m.first
		}
		in.Handle(r.Method+" "+root+r.Path, m.endpoint(r))
	}
	m.routes.HandleFunc("/", m.unmatched)
	return m
}

// ServeHTTP is the flow that the package comment tells.
func (m *mux) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{id: requestID(r.Header.Get("X-Request-Id")), limit: m.MaxBody, request: r}
	out := &writer{ResponseWriter: w, start: time.Now()}
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
	defer func() { m.done(out, r, x, recover()) }()

	headers(out.Header(), r, x.id)
	if preflight(out, r) {
		return
	}
	ctx, err := m.Auth(r.Context(), r)
	if err != nil {
		m.fail(out, r, err)
		return
	}
	r = r.WithContext(ctx)
	u, ok := tidyURL(r.URL)
	if !ok {
		m.fail(out, r, noRoute())
		return
	}
	r.URL = u
	if _, pattern := m.first.Handler(r); pattern != "" {
		m.first.ServeHTTP(out, r)
		return
	}
	m.routes.ServeHTTP(out, r)
}

// methods are what a path may answer to, in the order of the Allow header.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, "LOCK", "UNLOCK"}

func noRoute() error { return fault.NotFound("404 Not Found").In(fault.Parameter) }

// unmatched answers for every path and method without a route.
func (m *mux) unmatched(w http.ResponseWriter, r *http.Request) {
	r.Pattern = ""
	// The format may be named at the end of any path, once: a path full of it would come through here again and again.
	if bare, ok := strings.CutSuffix(r.URL.Path, ".json"); ok && !strings.HasSuffix(bare, ".json") {
		u := *r.URL
		u.Path, u.RawPath = bare, strings.TrimSuffix(u.RawPath, ".json")
		r.URL = &u
		m.routes.ServeHTTP(w, r)
		return
	}
	var allow []string
	for _, method := range methods {
		probe := &http.Request{Method: method, Host: r.Host, URL: r.URL}
		_, early := m.first.Handler(probe)
		if _, pattern := m.routes.Handler(probe); pattern != "/" || early != "" {
			allow = append(allow, method)
			if method == http.MethodGet {
				allow = append(allow, http.MethodHead)
			}
		}
	}
	switch {
	case allow == nil:
		m.fail(w, r, noRoute())
	case r.Method == http.MethodOptions:
		w.Header().Set("Allow", strings.Join(append(allow, http.MethodOptions), ", "))
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", strings.Join(append(allow, http.MethodOptions), ", "))
		m.fail(w, r, fault.NotAllowed("405 Not Allowed").In(fault.Parameter))
	}
}

// tidyURL undoes what clients do to paths and the standard mux would answer with a redirect: doubled and trailing slashes.
// It also takes the format off a numeric id ("/projects/7.json"), before a guard looks for it; a file named x.json keeps
// its name. It reports false for a path that no route can mean.
func tidyURL(u *url.URL) (*url.URL, bool) {
	raw := u.EscapedPath()
	tidy := raw
	for strings.Contains(tidy, "//") {
		tidy = strings.ReplaceAll(tidy, "//", "/")
	}
	tidy = strings.TrimRight(tidy, "/")
	if id, ok := strings.CutSuffix(tidy, ".json"); ok && digits(id[strings.LastIndexByte(id, '/')+1:]) {
		tidy = id
	}
	if !strings.HasPrefix(tidy, "/") || path.Clean(tidy) != tidy {
		return u, false
	}
	plain, err := url.PathUnescape(tidy)
	if err != nil || !sound(plain) {
		return u, false
	}
	if tidy == raw {
		return u, true
	}
	v := *u
	v.Path, v.RawPath = plain, tidy
	return &v, true
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
