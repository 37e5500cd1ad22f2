package seal

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSealedForOnePlace(t *testing.T) {
	t.Parallel()
	box, err := New([]byte("0123456789abcdef"))
	require.NoError(t, err)
	other, err := New([]byte("0123456789abcdeF"))
	require.NoError(t, err)

	sealed := box.Seal("project_hooks.token", 7, []byte("hush"))
	require.NotContains(t, string(sealed), "hush")
	require.NotEqual(t, sealed, box.Seal("project_hooks.token", 7, []byte("hush")), "equal secrets do not look equal")

	plain, err := box.Open("project_hooks.token", 7, sealed)
	require.NoError(t, err)
	require.Equal(t, "hush", string(plain))

	tests := map[string]struct {
		box    *Box
		place  string
		row    int64
		sealed []byte
	}{
		"other row":     {box, "project_hooks.token", 8, sealed},
		"other place":   {box, "group_hooks.token", 7, sealed},
		"other key":     {other, "project_hooks.token", 7, sealed},
		"cut":           {box, "project_hooks.token", 7, sealed[:len(sealed)-1]},
		"nothing":       {box, "project_hooks.token", 7, nil},
		"other version": {box, "project_hooks.token", 7, append([]byte{9}, sealed[1:]...)},
	}
	for name, c := range tests {
		_, err := c.box.Open(c.place, c.row, c.sealed)
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), "hush", name)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := Load("", dir)
	require.NoError(t, err)
	info, err := os.Stat(filepath.Join(dir, "secret_key"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	again, err := Load("", dir)
	require.NoError(t, err)
	plain, err := again.Open("t.c", 1, first.Seal("t.c", 1, []byte("x")))
	require.NoError(t, err)
	require.Equal(t, "x", string(plain))

	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)

	_, err = Load("short", dir)
	require.ErrorContains(t, err, "at least 16")
	_, err = Load("", filepath.Join(dir, "missing"))
	require.ErrorContains(t, err, "HEWD_SECRET_KEY")
}
