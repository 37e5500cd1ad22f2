package api_test

import (
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/servertest"
)

// clone is a working directory of the git client.
type clone struct {
	t   testing.TB
	dir string
}

// git runs the client and returns what it writes.
func (c clone) git(args ...string) string {
	c.t.Helper()
	out, err := c.try(args...)
	require.NoError(c.t, err, "git %s: %s", strings.Join(args, " "), out)
	return out
}

func (c clone) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"LC_ALL=C",
		"GIT_AUTHOR_NAME=Alice", "GIT_AUTHOR_EMAIL=alice@example.com", "GIT_COMMITTER_NAME=Alice",
		"GIT_COMMITTER_EMAIL=alice@example.com",
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (c clone) write(name, text string) {
	c.t.Helper()
	name = filepath.Join(c.dir, name)
	require.NoError(c.t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(c.t, os.WriteFile(name, []byte(text), 0o644))
}

// address returns the address of a project for git, with a token in it.
func address(s *servertest.Server, path, token string) string {
	u, _ := url.Parse(s.URL)
	return fmt.Sprintf("http://any:%s@%s/%s.git", token, u.Host, path)
}

// quiet returns the configuration of a server that logs what fails.
func quiet() server.Config {
	return server.Config{Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))}
}

func TestGitClient(t *testing.T) {
	t.Parallel()
	s := servertest.FreshWith(t, quiet())
	alice := s.User(t, "codealice")
	var p servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "site", "visibility": "private"}).Into(t, &p)
	remote := address(s, p.Path, alice.Token)

	w := clone{t, t.TempDir()}
	w.git("init", "-q", "-b", "main", ".")
	w.write("README.md", "# Site\n")
	w.write("src/a.go", "package a\n")
	w.git("add", ".")
	w.git("commit", "-qm", "Begin")
	w.git("push", "-q", remote, "main")

	for i := range 5 {
		w.write("src/a.go", fmt.Sprintf("package a\n// %d\n", i))
		w.git("commit", "-qam", fmt.Sprint("Change ", i))
	}
	w.git("tag", "-am", "First", "v1.0")
	w.git("push", "-q", "--tags", remote, "main")

	other := clone{t, filepath.Join(t.TempDir(), "site")}
	clone{t, "."}.git("clone", "-q", remote, other.dir)
	require.Equal(t, w.git("log", "--format=%H", "--all"), other.git("log", "--format=%H", "--all"))
	other.git("fsck", "--strict")

	reply := s.Do(t, alice.Token, "POST", fmt.Sprintf("/projects/%d/repository/commits", p.ID), map[string]any{
		"branch": "main", "commit_message": "By the API", "actions": []any{
			map[string]any{"action": "create", "file_path": "doc/x.md", "content": "x"},
			map[string]any{"action": "delete", "file_path": "src/a.go"},
		},
	})
	require.Equal(t, 201, reply.Status, string(reply.Body))
	other.git("pull", "-q")
	require.FileExists(t, filepath.Join(other.dir, "doc/x.md"))
	require.NoFileExists(t, filepath.Join(other.dir, "src/a.go"))

	reply = s.Do(t, alice.Token, "GET", fmt.Sprintf("/projects/%d/repository/commits?path=src/a.go", p.ID), nil)
	require.Equal(t, 200, reply.Status, string(reply.Body))
	t.Log(string(reply.Body))
	for _, path := range []string{"tree?recursive=true", "branches", "tags", "files/README.md?ref=main",
		"commits/main"} {
		reply = s.Do(t, alice.Token, "GET", fmt.Sprintf("/projects/%d/repository/%s", p.ID, path), nil)
		require.Equal(t, 200, reply.Status, string(reply.Body))
		t.Log(string(reply.Body))
	}
}
