package server

import (
	"net/http"
	"net/url"
	"strings"

	"hew/server/db"
	"hew/server/hook"
	"hew/server/rest"
	"hew/server/scope"
)

// Handler answers every request: the API, the endpoints that parts contribute, the page at / and
// the operator's endpoints below /-/.
func (s *Server) Handler() http.Handler {
	config := rest.Config{
		Lend: Lend(s.Store), Begin: Begin, Again: db.Overtaken, Base: s.URL(),
		Throttle: scope.Throttle(s.Store), Log: s.config.Log, Observe: s.metrics.observeRequest,
	}
	type endpoint struct {
		rewrite func(string) (string, bool)
		serve   http.Handler
	}
	var endpoints []endpoint
	for _, e := range s.sum.Endpoints {
		if e.Routes != nil {
			config := config
			config.Refusal = e.Refusal
			if config.Realm = e.Realm; e.Realm != "" {
				config.Auth, config.User = s.Auth.AuthenticateClient, UserID
			}
			endpoints = append(endpoints, endpoint{e.Rewrite, rest.New(config, e.Routes)})
		}
	}
	config.Auth, config.User = s.Auth.Authenticate, UserID
	routes := rest.New(config, s.sum.Routes)
	for _, e := range s.sum.Endpoints {
		if e.Routes == nil {
			endpoints = append(endpoints, endpoint{e.Rewrite, routes})
		}
	}
	operator := http.NewServeMux()
	operator.Handle("/", routes)
	operator.HandleFunc("GET /-/health", s.serveHealth)
	operator.HandleFunc("GET /-/readiness", s.serveReadiness)
	operator.Handle("GET /-/metrics", s.metrics.handler())
	// ServeMux redirects untidy paths: credentials in the query end up in Location, and escaped
	// characters are escaped twice. So it sees /-/ only; rest tidies paths itself.
	return s.proxies.wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(hook.InChain(r.Context(), r.Header.Get(hook.ChainHeader)))
		for _, e := range endpoints { // some are below /-/
			if path, ok := e.rewrite(r.URL.Path); ok {
				e.serve.ServeHTTP(w, withPath(r, path))
				return
			}
		}
		switch {
		case strings.HasPrefix(r.URL.Path, "/-/"):
			operator.ServeHTTP(w, r)
			return
		case r.URL.Path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			s.serveLanding(w, r)
			return
		}
		routes.ServeHTTP(w, r)
	}))
}

// withPath changes the path of r, which must be the caller's own copy, and returns it. The path is
// escaped.
func withPath(r *http.Request, path string) *http.Request {
	u := *r.URL
	u.RawPath = path
	u.Path, _ = url.PathUnescape(path) // the routes of ours that come here are well escaped
	r.URL = &u
	return r
}
