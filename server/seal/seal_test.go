package seal

import (
	"fmt"
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

func TestKeyFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := KeyFile(dir)
	_, err := Load("", dir)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "HEWD_SECRET_KEY")
	require.NoFileExists(t, path, "reading does not create it")

	first, err := Create(dir)
	require.NoError(t, err)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	sealed := first.Seal("t.c", 1, []byte("x"))
	for _, again := range []func() (*Box, error){
		func() (*Box, error) { return Load("", dir) },
		func() (*Box, error) { return Create(dir) }, // a process that was slower
	} {
		box, err := again()
		require.NoError(t, err)
		plain, err := box.Open("t.c", 1, sealed)
		require.NoError(t, err)
		require.Equal(t, "x", string(plain))
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)

	_, err = Load("short", dir)
	require.ErrorContains(t, err, "at least 16")
	_, err = Create(filepath.Join(dir, "missing"))
	require.ErrorContains(t, err, "HEWD_SECRET_KEY")
}

// TestKeyFileIsPrivate refuses a key file that somebody else can read or write.
func TestKeyFileIsPrivate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := Create(dir)
	require.NoError(t, err)
	for mode, fine := range map[os.FileMode]bool{
		0o600: true, 0o400: true, 0o604: false, 0o640: false, 0o620: false, 0o644: false,
	} {
		require.NoError(t, os.Chmod(KeyFile(dir), mode))
		_, err := Load("", dir)
		if fine {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "run chmod 600 "+KeyFile(dir))
			require.ErrorContains(t, err, fmt.Sprintf("(mode %#o)", mode))
		}
	}
}
