package server

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// health is the answer of /-/health and /-/readiness.
type health struct {
	Status string            `json:"status"` // one of the states below
	Checks map[string]string `json:"checks,omitempty"`
}

// The states of a server.
const (
	stateOK       = "ok"
	stateDraining = "draining" // it stops and takes no new requests
	stateFailed   = "failed"   // the database does not answer
)

// readiness reports whether requests should be sent here: not while the server stops, and not
// without a database. It waits two seconds at most for the database.
func (s *Server) readiness(ctx context.Context) health {
	if s.draining.Load() {
		return health{Status: stateDraining}
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := s.Store.Ping(ctx); err != nil {
		s.config.Log.Warn("not ready", "error", err)
		return health{Status: stateFailed, Checks: map[string]string{"database": "unreachable"}}
	}
	return health{Status: stateOK, Checks: map[string]string{"database": "ok"}}
}

func (s *Server) serveHealth(w http.ResponseWriter, _ *http.Request) {
	writeHealth(w, health{Status: stateOK})
}

func (s *Server) serveReadiness(w http.ResponseWriter, r *http.Request) {
	writeHealth(w, s.readiness(r.Context()))
}

func writeHealth(w http.ResponseWriter, h health) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if h.Status != stateOK {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(h) // fails only if the client has gone
}
