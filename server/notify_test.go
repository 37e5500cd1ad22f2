package server_test

import (
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/servertest"
)

// manager stands for a service manager: it listens on a socket for what a server tells it.
func manager(t *testing.T, socket string) (next func() string) {
	t.Helper()
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return func() string {
		t.Helper()
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(time.Minute)))
		said := make([]byte, 4096)
		n, err := conn.Read(said)
		require.NoError(t, err)
		return string(said[:n])
	}
}

// hewd notifies the service manager when it starts and stops serving requests.
func TestServiceManagerIsTold(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "hewd-notify-") // t.TempDir is too long for a socket
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	sockets := map[string]string{"in a directory": filepath.Join(dir, "notify")}
	if runtime.GOOS == "linux" { // no other system has them
		sockets["in none"] = "@" + filepath.Join(dir, "notify")
	}
	for name, socket := range sockets {
		t.Run(name, func(t *testing.T) {
			next := manager(t, socket)
			r, _ := run(t, server.Config{
				DatabaseURL: servertest.URL(t), SecretKey: key, RootToken: "t-notify", NotifySocket: socket,
			})
			require.Equal(t, "READY=1\nSTATUS=Serving "+r.url, next())
			status, _ := r.get("/version", "t-notify")
			require.Equal(t, http.StatusOK, status)
			require.NoError(t, r.stop())
			require.Equal(t, "STOPPING=1\nSTATUS=Finishing what runs", next())
		})
	}
}

// A manager that is gone is an error in the log, and the server serves on.
func TestServiceManagerIsGone(t *testing.T) {
	t.Parallel()
	var log lines
	r, _ := run(t, server.Config{
		DatabaseURL: servertest.URL(t), SecretKey: key, RootToken: "t-gone", NotifySocket: "/nowhere/notify",
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	status, _ := r.get("/version", "t-gone")
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, r.stop())
	require.Contains(t, log.String(), `msg="notify the service manager" error="dial unixgram /nowhere/notify: `)
}
