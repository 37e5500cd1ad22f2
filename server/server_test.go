package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/blob"
	"hew/server/group"
	"hew/server/servertest"
	"hew/server/tree"
)

const (
	key   = "a secret key that is long enough"
	fresh = 5 * time.Second // how long a caller is remembered, see package auth
)

// running is a hewd started the way the command does it.
type running struct {
	t    *testing.T
	out  *bufio.Reader
	url  string // …/api/v4
	stop func() error
}

// run starts a hewd and returns once it says that it is ready; the lines before that are returned
// too.
func run(t *testing.T, c server.Config) (r running, before []string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	read, write := io.Pipe()
	c.Listen, c.Out = "127.0.0.1:0", write
	ended := make(chan error, 1)
	go func() {
		err := server.Run(ctx, c)
		write.CloseWithError(io.EOF)
		ended <- err
	}()
	r = running{t: t, out: bufio.NewReader(read)}
	r.stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { require.NoError(t, r.stop()) })
	for {
		line, err := r.out.ReadString('\n')
		require.NoError(t, err, "it ended instead: %v", before)
		if url, ok := strings.CutPrefix(strings.TrimSpace(line), "hewd ready on "); ok {
			r.url = url
			return r, before
		}
		before = append(before, strings.TrimSpace(line))
	}
}

// get returns status and body.
func (r running) get(path, token string) (int, string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, r.url+path, nil)
	require.NoError(r.t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(r.t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(r.t, err)
	return resp.StatusCode, string(text)
}

// The first start makes root's token and prints it once; a second one, with all data, does not.
func TestPrivateDatabase(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("/tmp", "hewd-run-")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o711))
	t.Cleanup(func() { os.RemoveAll(dir) })
	c := server.Config{DataDir: filepath.Join(dir, "data"), Dev: true}

	first, said := run(t, c)
	require.Len(t, said, 1)
	token := said[0][strings.LastIndexByte(said[0], ' ')+1:]
	status, body := first.get("/user", token)
	require.Equal(t, http.StatusOK, status, body)
	var root struct {
		ID       int64
		Username string
		IsAdmin  bool `json:"is_admin"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &root))
	require.EqualValues(t, 1, root.ID)
	require.Equal(t, "root", root.Username)
	require.True(t, root.IsAdmin)

	h, done, err := server.OpenBlobs(t.Context(), c) // beside it
	require.NoError(t, err)
	checked, err := blob.Check(t.Context(), h, blob.Sizes, nil)
	require.NoError(t, errors.Join(err, done()))
	require.Zero(t, checked.Blobs)
	status, _ = first.get("/user", token)
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, first.stop())

	second, said := run(t, c)
	require.Empty(t, said)
	status, _ = second.get("/user", token)
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, second.stop())

	c.RootToken = "another-root-token"
	third, said := run(t, c)
	require.Empty(t, said, "a token that was given is not printed")
	status, _ = third.get("/user", c.RootToken)
	require.Equal(t, http.StatusOK, status)
	status, _ = third.get("/user", token)
	require.Equal(t, http.StatusUnauthorized, status, "the token it replaces is revoked")
}

// Two processes on one database: what one revokes, the other refuses.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	c := server.Config{DatabaseURL: servertest.URL(t), SecretKey: key, RootToken: "root-token-of-both"}
	var here, there running
	var both sync.WaitGroup
	both.Go(func() { here, _ = run(t, c) }) // at once: root is made only once
	both.Go(func() { there, _ = run(t, c) })
	both.Wait()

	ask := func(url, method, path, body string) map[string]any {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("PRIVATE-TOKEN", c.RootToken)
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		require.Less(t, resp.StatusCode, 300)
		var made map[string]any
		_ = json.NewDecoder(resp.Body).Decode(&made) // nothing, after a deletion
		return made
	}
	made := ask(here.url, "POST", "/users/1/personal_access_tokens", `{"name":"x","scopes":["api"]}`)
	token := made["token"].(string)
	for _, r := range []running{here, there} {
		status, _ := r.get("/version", token)
		require.Equal(t, http.StatusOK, status)
	}
	id, err := json.Marshal(made["id"])
	require.NoError(t, err)
	ask(here.url, "DELETE", "/personal_access_tokens/"+string(id), "")
	status, _ := here.get("/version", token)
	require.Equal(t, http.StatusUnauthorized, status, "at once")
	// The other process is notified in a moment: long before it would have asked the database
	// again.
	require.Eventually(t, func() bool {
		status, _ := there.get("/version", token)
		return status == http.StatusUnauthorized
	}, fresh/2, fresh/500)
}

func TestOperatorsPages(t *testing.T) {
	t.Parallel()
	r, _ := run(t, server.Config{DatabaseURL: servertest.URL(t), SecretKey: key, RootToken: "t-operators"})
	r.get("/version", "t-operators")
	r.get("/no/such/thing", "t-operators")
	r.url = strings.TrimSuffix(r.url, "/api/v4")
	status, body := r.get("/-/health", "")
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"status":"ok"}`, body)
	status, body = r.get("/-/readiness", "")
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"status":"ok","checks":{"database":"ok"}}`, body)
	status, body = r.get("/-/metrics", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, `hewd_requests_total{method="GET",route="/api/v4/version",status="200"} 1`)
	require.Contains(t, body, `hewd_requests_total{method="",route="",status="404"} 1`)
	require.Contains(t, body, `hewd_request_seconds_bucket{method="GET",route="/api/v4/version"`)
	require.Contains(t, body, `hewd_database_connections{state="max"} 16`)
	require.Contains(t, body, `hewd_jobs{state="discarded"} 0`)
}

// Untidy paths are tidied, not redirected: a redirect would carry credentials, and loses how a full
// path is escaped.
func TestUntidyPaths(t *testing.T) {
	t.Parallel()
	r, _ := run(t, server.Config{DatabaseURL: servertest.URL(t), SecretKey: key, RootToken: "t-untidy"})
	for path, want := range map[string]int{
		"//version":                      http.StatusOK,
		"//groups/no%2Fsuch//":           http.StatusNotFound,
		"/../v4/version?private_token=t": http.StatusUnauthorized,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+path, nil)
		require.NoError(t, err)
		if req.URL.RawQuery == "" {
			req.Header.Set("PRIVATE-TOKEN", "t-untidy")
		}
		resp, err := http.DefaultTransport.RoundTrip(req) // which follows no redirects
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, want, resp.StatusCode, path)
	}
}

// No token, whether good or not, and however it came, is ever logged.
func TestLogsHaveNoSecrets(t *testing.T) {
	t.Parallel()
	var log lines
	r, _ := run(t, server.Config{
		DatabaseURL: servertest.URL(t), SecretKey: key, RootToken: "the-secret-root-token",
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	r.get("/version", "the-secret-root-token")
	r.get("/version?private_token=the-secret-root-token", "a-secret-mistake")
	r.get("/users?private_token=the-secret-root-token", "the-secret-root-token")
	require.NoError(t, r.stop())
	require.Contains(t, log.String(), "/version")
	require.NotContains(t, log.String(), "secret")
}

// Two keys on one database would leave each process with secrets that it cannot read.
func TestAnotherKey(t *testing.T) {
	t.Parallel()
	c := server.Config{Listen: "127.0.0.1:0", DatabaseURL: servertest.URL(t), SecretKey: key, RootToken: "t-key"}
	s, err := server.Open(t.Context(), c)
	require.NoError(t, err)
	_, err = group.InsertGroup(t.Context(), s.Store, tree.NewGroup("Sealed", "sealed", nil), 1)
	require.NoError(t, err)
	require.NoError(t, s.Close())

	c.SecretKey = "another key that is long enough"
	require.ErrorContains(t, server.Run(t.Context(), c), "sealed under another key")
}

func TestStartsThatFail(t *testing.T) {
	t.Parallel()
	taken, _ := run(t, server.Config{DatabaseURL: servertest.URL(t), SecretKey: key, RootToken: "t"})
	for want, c := range map[string]server.Config{
		"address already in use": {Listen: strings.TrimSuffix(strings.TrimPrefix(taken.url, "http://"), "/api/v4")},
		"reach the database":     {Listen: "127.0.0.1:0", DatabaseURL: "host=/nowhere", SecretKey: key},
		"at least 16":            {Listen: "127.0.0.1:0", DatabaseURL: "host=/nowhere", SecretKey: "short"},
	} {
		require.ErrorContains(t, server.Run(t.Context(), c), want)
	}
}

// lines is a buffer that several goroutines write to.
type lines struct {
	sync.Mutex
	strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Builder.Write(p)
}
