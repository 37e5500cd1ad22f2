package servertest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hew/server"
)

// RootToken is the token of root on every test server.
const RootToken = "glpat-root-token-of-the-tests"

// Server is a running hewd.
type Server struct {
	*server.Server
	URL       string // …/api/v4
	RootToken string

	database string
	cancel   context.CancelFunc
	served   chan error
}

// Persona is a user that a test acts as.
type Persona struct {
	ID       int64
	Username string
	Token    string // scope api
}

// Made is a created object, as far as tests need it.
type Made struct {
	ID   int64  `json:"id"`
	Path string `json:"path_with_namespace"` // of a project
}

// shared holds the server that the tests of a binary share.
var shared struct {
	sync.Once
	server *Server
	err    error
}

// Start returns the server that the tests of this binary share. Create a group of your own in it,
// and run in parallel.
func Start(t testing.TB) *Server {
	t.Helper()
	shared.Do(func() { shared.server, shared.err = launch(context.Background(), server.Config{}) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.server
}

// FreshWith returns a server of that configuration on a database of its own, both of which end with
// the test. Its address, database and secrets are set here.
func FreshWith(t testing.TB, c server.Config) *Server {
	t.Helper()
	s, err := launch(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Beside returns another server on the database of a server. It ends with the test.
func (s *Server) Beside(t testing.TB) *Server {
	t.Helper()
	other, err := open(t.Context(), s.database, server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := other.close(); err != nil {
			t.Error(err)
		}
	})
	return other
}

func launch(ctx context.Context, c server.Config) (*Server, error) {
	name, err := clone(ctx)
	if err != nil {
		return nil, err
	}
	return open(ctx, name, c)
}

func open(ctx context.Context, name string, c server.Config) (*Server, error) {
	c.Listen, c.DatabaseURL, c.SecretKey, c.RootToken = "127.0.0.1:0", poolURL(name), SecretKey, RootToken
	c.Revision, c.CacheDir = "test", cmp.Or(c.CacheDir, filepath.Join(postgres.dir, "cache"))
	opened, err := server.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	serving, cancel := context.WithCancel(context.Background())
	s := &Server{
		Server: opened, URL: opened.URL() + "/api/v4", RootToken: RootToken,
		database: name, cancel: cancel, served: make(chan error, 1),
	}
	go func() { s.served <- opened.Serve(serving) }()
	return s, nil
}

func (s *Server) stop() error {
	return errors.Join(s.close(), drop(context.Background(), s.database))
}

func (s *Server) close() error {
	s.cancel()
	http.DefaultClient.CloseIdleConnections()
	return errors.Join(<-s.served, s.Server.Close())
}

// Drain waits until the jobs that are due are done and the uses of tokens are stored.
func (s *Server) Drain(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := errors.Join(s.Auth.Settle(ctx), s.Jobs.Drain(ctx)); err != nil {
		t.Fatal(err)
	}
}

// User creates a user with the name and a token with the scopes, api if none are given. On a shared
// server the name must differ from those of all other tests.
func (s *Server) User(t testing.TB, username string, scopes ...string) Persona {
	t.Helper()
	var user struct{ ID int64 }
	s.Do(t, s.RootToken, "POST", "/users", map[string]any{
		"username": username, "name": strings.ToUpper(username[:1]) + username[1:], "email": username + "@example.com",
		"force_random_password": true, "skip_confirmation": true,
	}).Into(t, &user)
	return Persona{ID: user.ID, Username: username, Token: s.Token(t, user.ID, scopes...)}
}

// Token creates another token for a user, with the scopes, api if none are given.
func (s *Server) Token(t testing.TB, userID int64, scopes ...string) string {
	t.Helper()
	if len(scopes) == 0 {
		scopes = []string{"api"}
	}
	var token struct{ Token string }
	s.Do(t, s.RootToken, "POST", fmt.Sprintf("/users/%d/personal_access_tokens", userID),
		map[string]any{"name": "test", "scopes": scopes}).Into(t, &token)
	return token.Token
}

// Do sends a request; an empty token sends none. A body that is a string goes as a form, an Upload
// as a multipart form, anything else but nil as JSON. A path that is a whole URL is outside of the
// API; the token is then sent as a bearer.
func (s *Server) Do(t testing.TB, token, method, path string, body any) Reply {
	t.Helper()
	header := "Authorization"
	if !strings.Contains(path, "://") {
		path, header = s.URL+path, "PRIVATE-TOKEN"
	}
	r, err := request(t.Context(), method, path, body)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case token == "":
	case header == "Authorization":
		r.Header.Set(header, "Bearer "+token)
	default:
		r.Header.Set(header, token)
	}
	return send(t, r)
}

func request(ctx context.Context, method, url string, body any) (*http.Request, error) {
	var text io.Reader
	kind := ""
	switch b := body.(type) {
	case nil:
	case string:
		text, kind = strings.NewReader(b), "application/x-www-form-urlencoded"
	case json.RawMessage:
		text, kind = bytes.NewReader(b), "application/json"
	case Upload:
		form, formKind, err := b.Form()
		if err != nil {
			return nil, err
		}
		text, kind = form, formKind
	default:
		encoded, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		text, kind = bytes.NewReader(encoded), "application/json"
	}
	r, err := http.NewRequestWithContext(ctx, method, url, text)
	if err == nil && kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	return r, err
}

func send(t testing.TB, r *http.Request) Reply {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return Reply{Status: resp.StatusCode, Header: resp.Header, Body: text}
}
