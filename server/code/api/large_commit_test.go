package api_test

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLargeCommit: files of tens of megabytes can be committed through the API, by both routes, and
// a clone has them.
func TestLargeCommit(t *testing.T) {
	t.Parallel()
	h := newHost(t, "largecommit")
	w := h.begin()
	large := make([]byte, 20<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(large)
	content := base64.StdEncoding.EncodeToString(large)
	reply := h.api("POST", "files/a.bin", map[string]any{
		"branch": "main", "commit_message": "A", "content": content, "encoding": "base64",
	})
	require.Equal(t, 201, reply.Status, "%s", reply.Body)
	reply = h.api("POST", "commits", map[string]any{"branch": "main", "commit_message": "B", "actions": []any{
		map[string]any{"action": "create", "file_path": "b.bin", "content": content, "encoding": "base64"},
	}})
	require.Equal(t, 201, reply.Status, "%s", reply.Body)
	w.Git("pull", "-q", "origin", "main")
	for _, name := range []string{"a.bin", "b.bin"} {
		cloned, err := os.ReadFile(filepath.Join(w.Dir, name))
		require.NoError(t, err)
		require.True(t, bytes.Equal(large, cloned), name)
	}
}
