package testacc

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuit interrupts hew twice while a host does not answer a creation. hew quits at once; the
// file that -o names stays as it is, and nothing is left beside it.
func TestQuit(t *testing.T) {
	t.Parallel()
	asked, done := make(chan struct{}, 100), make(chan struct{})
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method == http.MethodPost:
			asked <- struct{}{}
			<-done
		case strings.HasSuffix(r.URL.Path, "/user"):
			fmt.Fprint(w, `{"id": 1, "username": "root", "is_admin": true, "state": "active"}`)
		case strings.HasSuffix(r.URL.Path, "/version"):
			fmt.Fprint(w, `{"version": "17.2.0-ee"}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"message": "404 Not found"}`)
		}
	}))
	t.Cleanup(host.Close)
	t.Cleanup(func() { close(done) })
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.hcl"), []byte(`resource "group" "g" { path = "g" }`), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "report.md"), []byte("old"), 0o600))
	hew := exec.Command(filepath.Join(bin, "hew"), "apply", "-auto-approve", "-format=markdown", "-o=report.md")
	hew.Dir, hew.Env = dir, []string{"HEW_URL=" + host.URL, "HEW_TOKEN=t"}
	said, err := hew.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, hew.Start())
	<-asked
	lines := bufio.NewScanner(said)
	for _, want := range []string{"Interrupted.", "Quit."} {
		require.NoError(t, hew.Process.Signal(os.Interrupt))
		for lines.Scan() && !strings.HasPrefix(lines.Text(), want) {
		}
		require.Contains(t, lines.Text(), want)
	}
	require.Error(t, hew.Wait())
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	require.Subset(t, []string{".hew", "main.hcl", "report.md"}, names)
	old, err := os.ReadFile(filepath.Join(dir, "report.md"))
	require.NoError(t, err)
	require.Equal(t, "old", string(old))
}
