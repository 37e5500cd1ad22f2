package workdir

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOutput: a file is as it was until the new one is complete, and stays if nothing is written.
func TestOutput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "plan.json")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	holds := func(want string) {
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}

	out, err := Dir(dir).CreateOutput("plan.json")
	require.NoError(t, err)
	require.NoError(t, out.Close())
	holds("old")

	out, err = Dir(dir).CreateOutput("plan.json")
	require.NoError(t, err)
	_, err = out.Write([]byte("new"))
	require.NoError(t, err)
	holds("old")
	require.NoError(t, out.Close())
	holds("new")

	out, err = Dir(dir).CreateOutput("plan.json")
	require.NoError(t, err)
	require.NoError(t, out.file.Close())
	_, err = out.Write([]byte("lost"))
	require.Error(t, err)
	require.Error(t, out.Close())
	holds("new")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "temporary files")
}
