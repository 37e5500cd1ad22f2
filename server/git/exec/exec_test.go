package exec_test

import (
	"bytes"
	"context"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/git/exec"
)

func find(t *testing.T) *exec.Git {
	g, err := exec.Find("")
	require.NoError(t, err)
	return g
}

// newRepo makes an empty repository.
func newRepo(t *testing.T, g *exec.Git) string {
	dir := t.TempDir()
	require.NoError(t, g.Run(t.Context(), exec.Command{Dir: dir, Args: []string{"init", "-q", "--bare"}}))
	return dir
}

func TestFind(t *testing.T) {
	t.Parallel()
	g := find(t)
	require.True(t, strings.HasPrefix(g.Version(), "2."), g.Version())
	same, err := exec.Find(g.Path())
	require.NoError(t, err)
	require.Equal(t, g.Version(), same.Version())

	_, err = exec.Find("/no/such/git")
	require.EqualError(t, err, "find git: stat /no/such/git: no such file or directory: "+
		"name an existing program with --git or HEWD_GIT, or omit both to use the one in PATH")
	self, err := os.Executable()
	require.NoError(t, err)
	_, err = exec.Find(self + "/git")
	require.ErrorContains(t, err, "find git: stat ")
}

// A program that is not git, and hangs, does not keep the server from saying so.
func TestFindEnds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "git")
	// Another process writes the file: one that this process has open for a child cannot be run.
	const write = `printf '#!/bin/sh\nexec /bin/sleep 600\n' >"$0" && chmod +x "$0"`
	require.NoError(t, osexec.Command("sh", "-c", write, path).Run())
	_, err := exec.FindWithin(path, 100*time.Millisecond)
	require.EqualError(t, err, "run "+path+" version: it has not ended after 100ms: is it git?")
}

func TestCheckVersion(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"git version 2.39.5\n":                 "2.39.5",
		"git version 2.39.5 (Apple Git-154)\n": "2.39.5",
		"git version 2.45.1.windows.1\n":       "2.45.1.windows.1",
		"git version 3.0.0-rc1\n":              "3.0.0-rc1",
		"git version 2.38.9\n":                 "git 2.38.9 is too old: install version 2.39 or later",
		"git version 1.99\n":                   "git 1.99 is too old: install version 2.39 or later",
		"git version two\n":                    `its version is "two": want a number such as 2.39.0`,
		"git version 2.x\n":                    `its version is "2.x": want a number such as 2.39.0`,
		"usage: gitk\n":                        `it is not git: "version" printed "usage: gitk\n"`,
	} {
		version, err := exec.CheckVersion(line)
		if err != nil {
			version = err.Error()
		}
		require.Equal(t, want, version)
	}
}

func TestEnvironmentIsClean(t *testing.T) {
	t.Parallel()
	g := find(t)
	dir := newRepo(t, g)
	out, err := g.Output(t.Context(), exec.Command{
		Dir: dir, Args: []string{"-c", "alias.show-env=!export -p", "show-env"},
		Env: []string{"GIT_PROTOCOL=version=2"},
	}, 1<<20)
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		switch {
		case strings.HasPrefix(name, "GIT_"), name == "PATH", name == "HOME", name == "LC_ALL":
		case name == "PWD", name == "OLDPWD", name == "SHLVL", name == "_": // the shell's own
		default:
			t.Errorf("git got %s", strings.TrimSpace(line))
		}
	}
	require.Contains(t, string(out), "HOME='/nonexistent'")
	require.Contains(t, string(out), "GIT_PROTOCOL='version=2'")

	c := exec.Command{Dir: dir, Args: []string{"config", "--get-all", "safe.directory"}}
	out, err = g.Output(t.Context(), c, 100)
	require.NoError(t, err)
	require.Equal(t, "*\n", string(out))
}

func TestRun(t *testing.T) {
	t.Parallel()
	g := find(t)
	dir := newRepo(t, g)
	var stdout, stderr bytes.Buffer
	err := g.Run(t.Context(), exec.Command{
		Dir: dir, Args: []string{"hash-object", "-w", "--stdin"}, Stdin: strings.NewReader("x"), Stdout: &stdout,
		Timeout: time.Minute, Heavy: true,
	})
	require.NoError(t, err)
	require.Equal(t, 0, exec.ExitCode(err))
	require.Equal(t, "c1b0730e0133447badcfd47fd144e254807b06e1\n", stdout.String())

	err = g.Run(t.Context(), exec.Command{Dir: dir, Args: []string{"rev-parse", "--verify", "none"}, Stderr: &stderr})
	require.EqualError(t, err, "git rev-parse: exit status 128: fatal: Needed a single revision")
	require.Equal(t, 128, exec.ExitCode(err))
	require.Equal(t, "fatal: Needed a single revision\n", stderr.String())

	err = g.Run(t.Context(), exec.Command{Dir: dir + "/none", Args: []string{"version"}})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "git version: ")
	require.Equal(t, -1, exec.ExitCode(err))
	require.EqualError(t, g.Run(t.Context(), exec.Command{}), "run git: no command was given")
}

func TestMessagesAreBounded(t *testing.T) {
	t.Parallel()
	g := find(t)
	err := g.Run(t.Context(), exec.Command{
		Dir: newRepo(t, g), Args: []string{"-c", "alias.fail=!git cat-file --batch-check >&2; false", "fail"},
		Stdin: strings.NewReader(strings.Repeat("none\n", 1000)),
	})
	var failed *exec.Error
	require.ErrorAs(t, err, &failed)
	require.True(t, strings.HasPrefix(failed.Message, "…"))
	require.True(t, strings.HasSuffix(failed.Message, "\nnone missing"))
	require.LessOrEqual(t, len(failed.Message), 5<<10)
}

func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	g := find(t)
	dir := newRepo(t, g)
	_, err := g.Output(t.Context(), exec.Command{Dir: dir, Args: []string{"help", "--all"}}, 100)
	require.EqualError(t, err, "git help prints more than 100 bytes")
	out, err := g.Output(t.Context(), exec.Command{Dir: dir, Args: []string{"rev-parse", "--git-dir"}}, 2)
	require.NoError(t, err)
	require.Equal(t, ".\n", string(out))
}

// hang returns a command that says that it runs and then waits for ever, and what it will read.
func hang(t *testing.T, dir string) (c exec.Command, stdout *os.File) {
	in, feed, err := os.Pipe()
	require.NoError(t, err)
	out, write, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() {
		for _, f := range []*os.File{in, feed, out, write} {
			_ = f.Close()
		}
	})
	_, err = feed.WriteString("none\n")
	require.NoError(t, err)
	return exec.Command{
		Dir: dir, Args: []string{"-c", "alias.hang=!git cat-file --batch-check; :", "hang"}, Stdin: in, Stdout: write,
	}, out
}

// running waits for the answer of a command that hangs.
func running(t *testing.T, stdout *os.File) {
	answer := make([]byte, len("none missing\n"))
	_, err := io.ReadFull(stdout, answer)
	require.NoError(t, err)
	require.Equal(t, "none missing\n", string(answer))
}

func TestCancelKillsTheChildrenToo(t *testing.T) {
	t.Parallel()
	g := find(t)
	c, stdout := hang(t, newRepo(t, g))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- g.Run(ctx, c) }()
	running(t, stdout)
	cancel()
	err := <-done
	require.ErrorIs(t, err, context.Canceled)
	require.EqualError(t, err, "git hang: context canceled")

	// The child of git holds the pipe while it lives.
	require.NoError(t, c.Stdout.(*os.File).Close())
	rest, err := io.ReadAll(stdout)
	require.NoError(t, err)
	require.Empty(t, rest)
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	g := find(t)
	c, _ := hang(t, newRepo(t, g))
	c.Timeout = time.Millisecond
	require.ErrorIs(t, g.Run(t.Context(), c), context.DeadlineExceeded)

	// A client that sends nothing holds nothing either.
	silent, feed := io.Pipe()
	defer feed.Close()
	c.Stdin = silent
	require.ErrorIs(t, g.Run(t.Context(), c), context.DeadlineExceeded)
}

func TestHeavyProcessesTakeTurns(t *testing.T) {
	t.Parallel()
	g := find(t)
	dir := newRepo(t, g)
	ctx, cancel := context.WithCancel(t.Context())
	var processes sync.WaitGroup
	for range g.HeavyLimit() {
		c, stdout := hang(t, dir)
		c.Heavy = true
		processes.Go(func() { _ = g.Run(ctx, c) })
		running(t, stdout)
	}
	impatient, stop := context.WithCancel(t.Context())
	stop()
	err := g.Run(impatient, exec.Command{Dir: dir, Args: []string{"version"}, Heavy: true})
	require.EqualError(t, err, "wait to run git version: context canceled")
	require.NoError(t, g.Run(t.Context(), exec.Command{Dir: dir, Args: []string{"version"}}))
	cancel()
	processes.Wait()
	require.NoError(t, g.Run(t.Context(), exec.Command{Dir: dir, Args: []string{"version"}, Heavy: true}))
}

// A slowReader is a client that sends something long after git has said why it ends.
type slowReader struct {
	said    chan struct{}
	reading atomic.Bool
}

func (s *slowReader) Read(p []byte) (int, error) {
	s.reading.Store(true)
	defer s.reading.Store(false)
	<-s.said
	<-time.After(200 * time.Millisecond)
	return copy(p, "late"), nil
}

// Write takes what git says.
func (s *slowReader) Write(p []byte) (int, error) {
	close(s.said)
	return len(p), nil
}

func TestNothingReadsStdinAfterwards(t *testing.T) {
	t.Parallel()
	g := find(t)
	g.SetGrace(time.Millisecond)
	client := &slowReader{said: make(chan struct{})}
	err := g.Run(t.Context(), exec.Command{
		Dir: newRepo(t, g), Args: []string{"rev-parse", "--verify", "none"}, Stdin: client, Stderr: client,
	})
	require.Equal(t, 128, exec.ExitCode(err))
	require.False(t, client.reading.Load())
}
