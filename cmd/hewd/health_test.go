package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/-/readiness" {
			status = http.StatusTeapot
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(server.Close)
	listen := server.Listener.Addr().String()
	_, port, _ := strings.Cut(listen, ":")

	for _, address := range []string{listen, ":" + port, "0.0.0.0:" + port} {
		out, err := run(map[string]string{"HEWD_LISTEN": address}, "health")
		require.NoError(t, err, address)
		require.Empty(t, out)
	}
	status = http.StatusServiceUnavailable
	_, err := run(nil, "health", "-listen", listen)
	require.ErrorContains(t, err, "the server is not ready: it answers 503")
	server.Close()
	_, err = run(nil, "health", "-listen", listen)
	require.ErrorContains(t, err, "cannot reach the server")
	_, err = run(nil, "health", "-listen", "nowhere")
	require.ErrorContains(t, err, `--listen "nowhere"`)
}
