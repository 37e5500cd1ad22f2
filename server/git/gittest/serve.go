package gittest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// User and Password are what the repositories below secret/ ask for.
const (
	User     = "ann"
	Password = "open-sesame"
)

// Serve serves the repositories of a directory over HTTP, with git's own program, and returns its
// URL. They can be pushed to. Those below secret/ ask for User and Password.
func Serve(t testing.TB, dir string) string {
	git, err := exec.LookPath("git")
	require.NoError(t, err)
	backend := &cgi.Handler{Path: git, Args: []string{"http-backend"}, Stderr: io.Discard, Env: []string{
		"GIT_PROJECT_ROOT=" + dir, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "HOME=/nonexistent",
		"PATH=" + os.Getenv("PATH"),
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.receivepack", "GIT_CONFIG_VALUE_0=true",
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, password, _ := r.BasicAuth()
		if strings.HasPrefix(r.URL.Path, "/secret/") && (name != User || password != Password) {
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			http.Error(w, "no: "+password, http.StatusUnauthorized)
			return
		}
		if r.ContentLength < 0 { // which CGI does not take
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
		}
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}
