package api_test

import (
	"bytes"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/servertest"
)

// logText is a log that can be read while a server writes it.
type logText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *logText) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A branch whose protection cannot be read is an error in the log, and not a panic.
func TestBranchWithoutProtection(t *testing.T) {
	t.Parallel()
	var log logText
	h := host{t: t, s: servertest.FreshWith(t, server.Config{Log: slog.New(slog.NewTextHandler(&log, nil))})}
	h.user = h.s.User(t, "alice")
	h.s.Do(t, h.user.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &h.project)
	h.begin()
	require.NoError(t, h.s.Store.Exec(t.Context(), `alter table protected_refs rename to lost`, nil))
	require.Equal(t, 500, h.api("GET", "branches/main", nil).Status)
	require.Contains(t, log.String(), `\"protected_refs\" does not exist`)
	require.NotContains(t, log.String(), "panic")
}
