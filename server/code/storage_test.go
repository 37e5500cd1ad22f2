package code

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// git gets the names of directories and runs in others, so that the names must not be relative.
func TestCopiesAreAbsolute(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	require.NoError(t, err)
	cache, err := filepath.Rel(here, t.TempDir())
	require.NoError(t, err)
	s := NewStorage(cache, nil)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	c, err := s.copyOf(Repository{ID: 1})
	require.NoError(t, err)
	require.True(t, filepath.IsAbs(c.dir), c.dir)
}
