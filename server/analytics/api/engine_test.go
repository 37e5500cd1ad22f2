package api_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/instance"
	"hew/server/outbound"
	"hew/server/servertest"
	"hew/server/tree"
)

// engineKey is the key of the engines of the tests.
const engineKey = "cube-key-of-the-tests"

// engine is a fake of the engine of product analytics.
type engine struct {
	*httptest.Server

	mu     sync.Mutex
	status int    // of the next answers; 0: 200
	answer string // "": what the question was
	asked  []asked
}

// asked is a request to the engine.
type asked struct {
	Method, Path, Token string
	Body                map[string]any
}

func newEngine(t *testing.T) *engine {
	e := &engine{}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

// ServeHTTP answers as the test says.
func (e *engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := asked{Method: r.Method, Path: r.URL.Path, Token: r.Header.Get("Authorization")}
	text, _ := io.ReadAll(r.Body)
	if len(text) > 0 {
		if err := json.Unmarshal(text, &a.Body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	e.asked = append(e.asked, a)
	answer := e.answer
	if answer == "" {
		shown, _ := json.Marshal(map[string]any{"asked": r.URL.Path, "body": a.Body})
		answer = string(shown)
	}
	if strings.HasPrefix(answer, "br:") {
		w.Header().Set("Content-Encoding", "br")
	}
	if e.status == http.StatusFound {
		w.Header().Set("Location", "http://127.0.0.1:1/")
	}
	if e.status != 0 {
		w.WriteHeader(e.status)
	}
	_, _ = io.WriteString(w, answer)
}

// says sets the next answers, and returns the requests before.
func (e *engine) says(status int, answer string) []asked {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.asked
	e.status, e.answer, e.asked = status, answer, nil
	return before
}

// guard returns a guard that finds the engine at a public address.
func (e *engine) guard() *outbound.Guard {
	return &outbound.Guard{
		Lookup: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil
		},
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, strings.TrimPrefix(e.URL, "http://"))
		},
	}
}

// setUp has a server ask the engine at an address.
func setUp(t *testing.T, s *servertest.Server, address string) {
	root, err := tree.FindUser(t.Context(), s.Store, 1)
	require.NoError(t, err)
	_, err = instance.ChangeSettings(t.Context(), s.Store, map[string]any{
		"cube_api_base_url": address, "cube_api_key": engineKey,
		"allow_local_requests_from_web_hooks_and_services": true,
	}, root)
	require.NoError(t, err)
}
