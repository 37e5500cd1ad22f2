package ledger

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// states is a simple server of Terraform states: it keeps the last document, and a lock by its ID.
// trouble is how its next requests fail, in order.
type states struct {
	*httptest.Server
	mu      sync.Mutex
	stored  []byte
	lock    []byte
	saves   int
	trouble []trouble
}

// trouble is how a request fails, before or after it was carried out.
type trouble struct {
	method string
	how    string // "500", "done 500", "cut", "done cut", "truncated", "page"
}

func newStates(t *testing.T) *states {
	s := &states{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *states) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	how := ""
	if len(s.trouble) > 0 && s.trouble[0].method == r.Method {
		how, s.trouble = s.trouble[0].how, s.trouble[1:]
	}
	out := httptest.NewRecorder()
	if how == "" || how == "truncated" || strings.HasPrefix(how, "done ") {
		s.serve(out, r, body)
	}
	switch strings.TrimPrefix(how, "done ") {
	case "500":
		w.WriteHeader(http.StatusInternalServerError)
	case "page":
		io.WriteString(w, "<html>maintenance</html>")
	case "cut":
		panic(http.ErrAbortHandler)
	case "truncated":
		w.Header().Set("Content-Length", "100000")
		w.Write(out.Body.Bytes()[:out.Body.Len()/2])
	default:
		w.WriteHeader(out.Code)
		w.Write(out.Body.Bytes())
	}
}

func (s *states) serve(w http.ResponseWriter, r *http.Request, body []byte) {
	id := func(lock []byte) string {
		var l lockInfo
		_ = json.Unmarshal(lock, &l) // none has no ID
		return l.ID
	}
	locked := func(by string) bool {
		if s.lock == nil || by == id(s.lock) {
			return false
		}
		w.WriteHeader(http.StatusLocked)
		w.Write(s.lock)
		return true
	}
	switch r.Method {
	case http.MethodGet:
		if s.stored == nil {
			w.WriteHeader(http.StatusNotFound)
		}
		w.Write(s.stored)
	case http.MethodPost:
		if !locked(r.URL.Query().Get("ID")) {
			s.stored = body
			s.saves++
		}
	case "LOCK":
		if !locked("") {
			s.lock = body
		}
	case "UNLOCK":
		if s.lock == nil {
			w.WriteHeader(http.StatusConflict)
		} else if !locked(id(body)) {
			s.lock = nil
		}
	}
}
