package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// TestMain runs the tests, or hewd itself where TestKilledHewd starts this program.
func TestMain(m *testing.M) {
	if os.Getenv(asHewd) != "" {
		main()
		return
	}
	servertest.Main(m)
}

// TestServeTellsItsManager: the socket that systemd names is the one that is told.
func TestServeTellsItsManager(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "hewd-notify-") // t.TempDir is too long for a socket
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "notify")
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	require.NoError(t, err)
	t.Cleanup(func() { _ = manager.Close() })

	env := map[string]string{
		"NOTIFY_SOCKET": socket, "HEWD_LISTEN": "127.0.0.1:0", "HEWD_DATABASE_URL": servertest.URL(t),
		"HEWD_SECRET_KEY": "a secret key that is long enough", "HEWD_ROOT_TOKEN": "t-serve",
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() {
		cmd := newRoot(func(name string) string { return env[name] })
		cmd.SetArgs([]string{"serve"})
		ended <- cmd.ExecuteContext(ctx)
	}()
	said := make([]byte, 100)
	require.NoError(t, manager.SetReadDeadline(time.Now().Add(time.Minute)))
	n, err := manager.Read(said)
	require.NoError(t, err)
	require.Contains(t, string(said[:n]), "READY=1\n")
	stop()
	require.NoError(t, <-ended)
}
