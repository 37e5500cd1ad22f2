package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server"
)

// TestDatabaseDiesUnderRequests: those that were waiting for it get 503, and hewd says what
// happened.
func TestDatabaseDiesUnderRequests(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "hewd-lost-") // Postgres may run as somebody else
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o711))
	t.Cleanup(func() { os.RemoveAll(dir) })
	c := server.Config{Listen: "127.0.0.1:0", DataDir: dir, Dev: true, RootToken: "t-lost"}
	s, err := server.Open(t.Context(), c)
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- s.Serve(t.Context()) }()

	lockFile, err := os.ReadFile(filepath.Join(dir, "postgres", "postmaster.pid"))
	require.NoError(t, err)
	lines := strings.Split(string(lockFile), "\n")
	conn, err := pgx.Connect(t.Context(), "host="+lines[4]+" user=postgres dbname=postgres sslmode=disable")
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	_, err = conn.Exec(t.Context(), `begin; lock table namespaces in access exclusive mode`)
	require.NoError(t, err)

	requests := []string{"GET /groups", "POST /groups?name=a&path=a", "GET /groups/1", "DELETE /groups/1"}
	answers := make(chan string, len(requests))
	for _, r := range requests {
		go func() { answers <- r + ": " + answerOf(s.URL()+"/api/v4", r, c.RootToken) }()
	}
	require.Eventually(t, func() bool {
		var waiting int
		err := conn.QueryRow(t.Context(), `select count(*) from pg_locks where not granted`).Scan(&waiting)
		return err == nil && waiting >= len(requests)
	}, time.Minute, 5*time.Millisecond)

	pid, err := strconv.Atoi(lines[0])
	require.NoError(t, err)
	postgres, err := os.FindProcess(pid)
	require.NoError(t, err)
	require.NoError(t, postgres.Signal(syscall.SIGQUIT))
	for range requests {
		require.Contains(t, <-answers, `: 503 {"message":"503 Service Unavailable"}`)
	}
	require.ErrorContains(t, <-served, "postgres exited")
	require.NoError(t, s.Close())
}

// answerOf returns the status and the body of the answer to a request such as "GET /groups".
func answerOf(url, request, token string) string {
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequest(method, url+path, nil)
	if err != nil {
		return err.Error()
	}
	r.Header.Set("Private-Token", token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(resp.StatusCode, " ", string(body))
}
