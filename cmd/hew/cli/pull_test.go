package cli

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/cmd/hew/session"
	"hew/cmd/hew/workdir"
	"hew/reconcile/report/reporttest"
)

// TestPullUndoes: a pull that does not get to its end leaves nothing of its own, for half of what
// there is looks like all of it; and what somebody else has put there meanwhile stays as it is.
func TestPullUndoes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	theirs := filepath.Join(dir, "acme.hcl")
	s := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/v4/groups/acme") {
			_, _ = io.WriteString(w,
				`{"id": 1, "path": "acme", "full_path": "acme", "name": "acme", "parent_id": null, `+
					`"description": "https://me:`+reporttest.Leak+`@example.com"}`)
			return
		}
		_ = os.MkdirAll(dir, 0o755)
		_ = os.WriteFile(theirs, []byte("mine"), 0o600)
		_, _ = io.WriteString(w, `[]`)
	})
	var out, errs bytes.Buffer
	a := &app{Env: session.Env{Version: "dev", Offline: offline,
		Environ: map[string]string{"HEW_URL": s.URL,
			"HEW_TOKEN": passkey}}, in: strings.NewReader(""), out: &out, err: &errs, now: time.Now,
		tty: func(any) bool { return false }}
	require.Equal(t, 1, a.run(t.Context(), []string{"pull", "group/acme", "-out=" + dir}))
	require.Empty(t, out.String())
	require.Contains(t, errs.String(), "acme.hcl: file exists")
	require.NotContains(t, errs.String(), reporttest.Leak)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(theirs)
	require.NoError(t, err)
	require.Equal(t, "mine", string(text))
}

// TestPullUndoesDirectories: of those that a pull has made nothing stays, and all that was there
// before.
func TestPullUndoesDirectories(t *testing.T) {
	t.Parallel()
	there := t.TempDir()
	p := &pullRun{app: &app{Env: session.Env{Dir: workdir.Dir(there)}}, dir: filepath.Join("new", "out")}
	f, err := p.create("acme.hcl")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = p.create("acme.hcl")
	require.ErrorIs(t, err, os.ErrExist)
	require.NoError(t, p.removeWritten())
	require.NoDirExists(t, filepath.Join(there, "new"))
	require.DirExists(t, there)
}
