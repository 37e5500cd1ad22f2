package server

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hew/server/hook"
	"hew/server/rest"
)

// Handler answers everything: the API, the endpoints that alerts are sent to, and the three questions that an operator's
// tools ask. The address of an upload is another name for the route that serves it.
func (s *Server) Handler() http.Handler {
	config := rest.Config{Lend: Lend(s.Store), Begin: Begin, Base: s.URL(), Log: s.config.Log, Observe: s.metrics.observe}
	type endpoint struct {
		rewrite func(string) (string, bool)
		serve   http.Handler
	}
	var endpoints []endpoint
	for _, e := range s.sum.Endpoints {
		if e.Routes != nil {
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
	pages := http.NewServeMux()
	pages.Handle("/", routes)
	pages.HandleFunc("GET /-/health", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok", nil) })
	pages.HandleFunc("GET /-/readiness", s.readiness)
	pages.Handle("GET /-/metrics", s.metrics.handler())
	// Not pages for everything: it redirects untidy paths, with the credentials in the query and what was escaped escaped
	// twice. rest tidies them.
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/-/") {
			pages.ServeHTTP(w, r)
			return
		}
		r = r.WithContext(hook.InChain(r.Context(), r.Header.Get(hook.ChainHeader)))
		for _, e := range endpoints {
			if path, ok := e.rewrite(r.URL.Path); ok {
				e.serve.ServeHTTP(w, at(r, path))
				return
			}
		}
		routes.ServeHTTP(w, r)
	})
}

// at is a request for another path, which is escaped.
func at(r *http.Request, path string) *http.Request {
	u := *r.URL
	u.RawPath = path
	u.Path, _ = url.PathUnescape(path) // ours are well escaped
	r.URL = &u                         // the request is a copy already
	return r
}

// readiness says whether requests should come here: not while we drain, and not without a database.
func (s *Server) readiness(w http.ResponseWriter, r *http.Request) {
	if s.draining.Load() {
		answer(w, http.StatusServiceUnavailable, "draining", nil)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if err := s.Store.Ping(ctx); err != nil {
		s.config.Log.Warn("not ready", "error", err)
		answer(w, http.StatusServiceUnavailable, "failed", map[string]string{"database": "unreachable"})
		return
	}
	answer(w, http.StatusOK, "ok", map[string]string{"database": "ok"})
}

func answer(w http.ResponseWriter, status int, word string, checks map[string]string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(struct { // a client that is gone is nobody's trouble
		Status string            `json:"status"`
		Checks map[string]string `json:"checks,omitempty"`
	}{word, checks})
}
