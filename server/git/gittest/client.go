package gittest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Client is the git client in a directory, with nothing of the machine's configuration. Its user is
// Alice.
type Client struct {
	Dir string
	t   testing.TB
}

// NewClient returns a client in a new directory.
func NewClient(t testing.TB) Client { return Client{t.TempDir(), t} }

// ClientIn returns a client in a directory, which clone can make.
func ClientIn(t testing.TB, dir string) Client { return Client{dir, t} }

// Git runs a command and returns what it writes. The test fails if the command does.
func (c Client) Git(args ...string) string {
	c.t.Helper()
	out, err := c.Try(args...)
	require.NoError(c.t, err, "git %s: %s", strings.Join(args, " "), out)
	return out
}

// Refused runs a command, which must fail, and returns what it writes.
func (c Client) Refused(args ...string) string {
	c.t.Helper()
	out, err := c.Try(args...)
	require.Error(c.t, err, "git %s: %s", strings.Join(args, " "), out)
	return out
}

// Try runs a command and returns what it writes, to either output.
func (c Client) Try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = c.Dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
		"GIT_AUTHOR_NAME=Alice", "GIT_AUTHOR_EMAIL=alice@example.com", "GIT_COMMITTER_NAME=Alice",
		"GIT_COMMITTER_EMAIL=alice@example.com",
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Write writes a file.
func (c Client) Write(name, text string) {
	c.t.Helper()
	name = filepath.Join(c.Dir, name)
	require.NoError(c.t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(c.t, os.WriteFile(name, []byte(text), 0o644))
}

// Commit writes a file and commits it.
func (c Client) Commit(name, text string) {
	c.t.Helper()
	c.Write(name, text)
	c.Git("add", "-A")
	c.Git("commit", "-qm", "Write "+name)
}
