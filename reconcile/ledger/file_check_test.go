package ledger

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file that is not a ledger is refused, and nothing is left beside it.
func TestFilesOfOthersStayAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "passwd")
	require.NoError(t, os.WriteFile(path, []byte("root:x:0:0\n"), 0o600))
	for _, at := range []string{dir, os.DevNull} {
		b := File(at, testKey)
		_, err := b.Lock(t.Context(), "me")
		require.ErrorContains(t, err, "not a regular file")
		_, err = b.Load(t.Context())
		require.ErrorContains(t, err, "not a regular file")
	}
	b := File(path, testKey)
	unlock, err := b.Lock(t.Context(), "me")
	require.NoError(t, err)
	_, err = b.Load(t.Context())
	require.ErrorContains(t, err, "is damaged")
	require.NoError(t, unlock())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing is left beside it")
}

// Only repositories, and directories of hew, get a .gitignore.
func TestGitignoreOnlyInRepositories(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"state": false, ".hew": true, "repository/state": true} {
		top := t.TempDir()
		require.NoError(t, os.MkdirAll(filepath.Join(top, "repository", ".git"), 0o755))
		dir := filepath.Join(top, name)
		unlock, err := File(filepath.Join(dir, "l.json"), testKey).Lock(t.Context(), "me")
		require.NoError(t, err)
		require.NoError(t, unlock())
		if want {
			require.FileExists(t, filepath.Join(dir, ".gitignore"), name)
		} else {
			require.NoFileExists(t, filepath.Join(dir, ".gitignore"), name)
		}
	}
}
