package code

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const cacheOfChild = "HEW_TEST_CACHE"

// TestCacheChild is not a test: it is the process that TestCachesOfDeadProcesses kills.
func TestCacheChild(t *testing.T) {
	cache := os.Getenv(cacheOfChild)
	if cache == "" {
		t.Skip("runs for TestCachesOfDeadProcesses only")
	}
	root, err := NewStorage(cache, nil).root()
	require.NoError(t, err)
	fmt.Println(root)
	select {}
}

func startChild(t *testing.T, cache string) (dir string, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestCacheChild$")
	cmd.Env = append(os.Environ(), cacheOfChild+"="+cache)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	t.Cleanup(kill)
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan(), "the child has said nothing")
	return lines.Text(), kill
}

func TestCachesOfDeadProcesses(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	s := NewStorage(cache, nil)
	own, err := s.root()
	require.NoError(t, err)
	old := filepath.Join(cache, cachePrefix+"of-an-old-version")
	require.NoError(t, os.Mkdir(old, 0o700))
	living, killLiving := startChild(t, cache)
	dead, killDead := startChild(t, cache)
	require.NoError(t, os.WriteFile(filepath.Join(dead, "1.0"), []byte("a copy"), 0o600))
	require.NoError(t, removeDeadCaches(cache))
	require.DirExists(t, dead)
	require.NoDirExists(t, old)

	killDead()
	require.NoError(t, removeDeadCaches(cache))
	require.NoDirExists(t, dead)
	require.NoFileExists(t, dead+lockSuffix)
	require.DirExists(t, own)
	require.DirExists(t, living)

	killLiving()
	require.NoError(t, s.Close())
	require.NoError(t, removeDeadCaches(cache))
	left, err := os.ReadDir(cache)
	require.NoError(t, err)
	require.Empty(t, left)
}

// A user who cleans up a disk may delete everything: the process then says again that it runs.
func TestCacheDeleted(t *testing.T) {
	t.Parallel()
	cache := filepath.Join(t.TempDir(), "cache")
	s := NewStorage(cache, nil)
	first, err := s.root()
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(cache))
	second, err := s.root()
	require.NoError(t, err)
	require.Equal(t, first, second)
	require.NoError(t, removeDeadCaches(cache))
	require.DirExists(t, first)
	require.NoError(t, s.Close())
	require.NoDirExists(t, first)
}
