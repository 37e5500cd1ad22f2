package cluster

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// place makes a directory that the user who runs Postgres can reach: t.TempDir has private parents.
func place(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "hewd-cluster-")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o711))
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// madeIn is the directory of initialised, once that is called.
var madeIn string

// initialised returns a data directory that initdb has made, once for all tests that are not about
// it.
var initialised = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("/tmp", "hewd-cluster-")
	if err != nil {
		return "", err
	}
	madeIn = dir
	if err := os.Chmod(dir, 0o711); err != nil {
		return "", err
	}
	c, err := Start(context.Background(), Config{Dir: filepath.Join(dir, "postgres"), Dev: true})
	if err != nil {
		return "", err
	}
	return c.Dir(), c.Stop()
})

func TestMain(m *testing.M) {
	code := m.Run()
	if madeIn != "" {
		os.RemoveAll(madeIn)
	}
	os.Exit(code)
}

// initialise copies a data directory to dir, which is faster than initdb.
func initialise(t *testing.T, dir string) string {
	t.Helper()
	from, err := initialised()
	require.NoError(t, err)
	out, err := exec.CommandContext(t.Context(), "cp", "-a", from, dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir
}

func start(t *testing.T, dir string) *Cluster {
	t.Helper()
	c, err := Start(t.Context(), Config{Dir: dir, Dev: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Stop()) })
	return c
}

func TestStartTwiceAndKeep(t *testing.T) {
	t.Parallel()
	dir := initialise(t, filepath.Join(place(t), "postgres"))
	c := start(t, dir)
	require.Equal(t, dir, c.Dir())
	require.Empty(t, c.Notice())

	_, err := Start(t.Context(), Config{Dir: dir, Dev: true, grace: time.Millisecond})
	require.ErrorContains(t, err, "is in use by process")
	require.NotContains(t, err.Error(), "\n", "one sentence, without what Postgres prints")
	require.NoError(t, c.Err(), "the first one goes on")
	url, err := RunningURL(dir, "postgres")
	require.NoError(t, err)
	require.Equal(t, c.URL("postgres"), url)

	require.NoError(t, c.Stop())
	url, err = RunningURL(dir, "postgres")
	require.NoError(t, err)
	require.Empty(t, url)
	require.ErrorIs(t, c.Err(), ErrStopped)
	require.NoFileExists(t, filepath.Join(c.sockets, strings.TrimSuffix(socketName, ".lock")))

	begun := time.Now()
	again := start(t, dir)
	require.NoError(t, again.Err())
	t.Logf("warm start: %v", time.Since(begun))
}

// stopper stops a cluster when it is written what another one says of it.
type stopper struct{ *Cluster }

func (s stopper) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "Is another postmaster") {
		return len(p), s.process.Signal(syscall.SIGINT)
	}
	return len(p), nil
}

// A hewd that comes back right after it was killed waits for the server that it left behind, which
// is still ending.
func TestWaitsForTheOneThatEnds(t *testing.T) {
	t.Parallel()
	dir := initialise(t, filepath.Join(place(t), "postgres"))
	old := start(t, dir)
	c, err := Start(t.Context(), Config{Dir: dir, Dev: true, Log: stopper{old}})
	require.NoError(t, err)
	<-old.Done()
	require.NoError(t, c.Stop())
}

func TestSocketIsPrivate(t *testing.T) {
	t.Parallel()
	for name, dir := range map[string]string{"short": "postgres", "long": strings.Repeat("long", 30)} {
		c := start(t, initialise(t, filepath.Join(place(t), dir)))
		info, err := os.Stat(c.sockets)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), info.Mode().Perm(), name)
		require.LessOrEqual(t, len(c.sockets)+len(socketName), 100)
		require.FileExists(t, filepath.Join(c.sockets, strings.TrimSuffix(socketName, ".lock")))
		require.NoError(t, c.Stop())
		if name == "long" {
			require.NoDirExists(t, c.sockets)
		}
	}
}

func TestServerKilledFromOutside(t *testing.T) {
	t.Parallel()
	c := start(t, initialise(t, filepath.Join(place(t), "postgres")))
	require.NoError(t, c.process.Signal(syscall.SIGINT))
	<-c.Done()
	require.ErrorIs(t, c.Err(), ErrStopped)
}

func TestUnfinishedInitdbIsRepeated(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(place(t), "postgres")
	require.NoError(t, os.MkdirAll(filepath.Join(dir+".new", "base"), 0o755))
	require.NoError(t, start(t, dir).Err())
}

func TestCancelledStart(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	dir := filepath.Join(place(t), "postgres")
	_, err := Start(ctx, Config{Dir: dir, Dev: true})
	require.Error(t, err)
	require.NoDirExists(t, dir)
}

func TestForeignDirectoryIsRefused(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(place(t), "postgres")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "thesis.tex"), nil, 0o644))
	_, err := Start(t.Context(), Config{Dir: dir, Dev: true})
	require.ErrorContains(t, err, "is not a Postgres data directory")
}

// A root whose directories are private keeps its cluster in the refuge, and says so.
func TestPrivateParent(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root hands its cluster to somebody else")
	}
	parent := place(t)
	require.NoError(t, os.Chmod(parent, 0o700))
	c := start(t, filepath.Join(parent, "postgres"))
	require.True(t, strings.HasPrefix(c.Dir(), fallbackDir), c.Dir())
	require.Contains(t, c.Notice(), parent)
	t.Cleanup(func() {
		os.RemoveAll(filepath.Dir(c.Dir()))
		os.Remove(fallbackDir) // unless somebody else lives there
	})
}

// The same tests, once more, as somebody who is not root.
func TestAsOrdinaryUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("this is the ordinary user already")
	}
	nobody, err := user.Lookup("nobody")
	require.NoError(t, err)
	setpriv, err := exec.LookPath("setpriv")
	require.NoError(t, err)
	self, err := os.Executable()
	require.NoError(t, err)
	copied := filepath.Join(place(t), "cluster.test") // the test binary itself lies under a private parent
	text, err := os.ReadFile(self)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(copied, text, 0o755))

	cmd := exec.CommandContext(t.Context(), setpriv, "--reuid="+nobody.Uid, "--regid="+nobody.Gid, "--clear-groups",
		copied, "-test.run=TestStartTwiceAndKeep|TestSocketIsPrivate")
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "HOME=/nonexistent")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestFindBin(t *testing.T) {
	t.Parallel()
	_, err := FindBin(t.TempDir())
	require.ErrorContains(t, err, "no initdb and postgres in")

	require.Equal(t,
		[]string{"/usr/lib/postgresql/17/bin", "/cache/postgresql@16/bin", "/usr/lib/postgresql/15/bin", "/opt/pg/bin"},
		newestFirst([]string{
			"/usr/lib/postgresql/9.6/bin", "/usr/lib/postgresql/15/bin", "/usr/lib/postgresql/17/bin", "/opt/pg/bin",
			"/cache/postgresql@16/bin",
		}))
}

// TestChild is not a test: it is the process that TestKilledParent kills.
func TestChild(t *testing.T) {
	dir := os.Getenv("HEWD_TEST_CLUSTER")
	if dir == "" {
		t.Skip("runs for TestKilledParent only")
	}
	_, err := Start(t.Context(), Config{Dir: dir, Dev: true})
	require.NoError(t, err)
	os.Stdout.WriteString("ready\n")
	_, _ = os.Stdin.Read(make([]byte, 1)) // for ever
}

// A hewd that is killed takes its Postgres along, and the next one finds the directory free.
func TestKilledParent(t *testing.T) {
	t.Parallel()
	dir := initialise(t, filepath.Join(place(t), "postgres"))
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$")
	child.Env = append(os.Environ(), "HEWD_TEST_CLUSTER="+dir)
	_, err := child.StdinPipe()
	require.NoError(t, err)
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	_, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(dir, "postmaster.pid"))

	require.NoError(t, child.Process.Kill())
	require.Error(t, child.Wait())
	require.Eventually(t, func() bool { return !pathExists(filepath.Join(dir, "postmaster.pid")) }, 10*time.Second,
		10*time.Millisecond)
	require.NoError(t, start(t, dir).Err())
}
