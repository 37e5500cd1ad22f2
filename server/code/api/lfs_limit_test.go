package api_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
	"hew/server/setting"
)

// lfsDo sends a request of git-lfs and returns the status and the text of the answer.
func (h host) lfsDo(method, path, body string) (int, string) {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.address(h.user.Token)+path, strings.NewReader(body))
	require.NoError(h.t, err)
	reply, err := http.DefaultClient.Do(r)
	require.NoError(h.t, err)
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	require.NoError(h.t, err)
	return reply.StatusCode, string(text)
}

// The limit of a push holds for large files, too.
func TestLFSLimit(t *testing.T) {
	t.Parallel()
	h := host{t: t, s: servertest.Fresh(t)}
	h.user = h.s.User(t, "alice")
	h.s.Do(t, h.user.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &h.project)
	require.NoError(t, setting.Set(t.Context(), h.s.Store, "receive_max_input_size", 1))
	for extra, want := range map[int]int{0: 200, 1: 413} {
		content := strings.Repeat("x", 1<<20+extra)
		path := fmt.Sprintf("/gitlab-lfs/objects/%x/%d", sha256.Sum256([]byte(content)), len(content))
		status, text := h.lfsDo("PUT", path, content)
		require.Equal(t, want, status, text)
		if want == 413 {
			require.Contains(t, text, "The limit of this server is 1 MiB.")
		}
	}
}
