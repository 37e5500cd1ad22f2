package code_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/servertest"
)

// client runs the real git in a directory.
type client struct {
	t   *testing.T
	dir string
}

func (c client) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@example.com",
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (c client) git(args ...string) string {
	c.t.Helper()
	out, err := c.try(args...)
	require.NoError(c.t, err, "git %s: %s", strings.Join(args, " "), out)
	return out
}

// A push whose objects were checked before garbage was collected, and that moves its ref
// afterwards, is checked again. Objects that it brings itself make it complete; where the client
// has left out what is gone by now, it is refused. No ref points to an object that is missing.
func TestPushDuringCollection(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	alice := s.User(t, "alice")
	var p servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &p)
	_, at, _ := strings.Cut(s.Server.URL(), "://")
	remote := fmt.Sprintf("http://any:%s@%s/%s.git", alice.Token, at, p.Path)
	w := client{t, t.TempDir()}
	commit := func(name string) {
		require.NoError(t, os.WriteFile(filepath.Join(w.dir, name), []byte(name), 0o644))
		w.git("add", "-A")
		w.git("commit", "-qm", name)
	}
	w.git("init", "-q", "-b", "main", ".")
	w.git("remote", "add", "origin", remote)
	commit("first")
	w.git("push", "-q", "origin", "main")
	w.git("switch", "-qc", "work")
	commit("a")
	w.git("push", "-q", "origin", "work")
	commit("b")
	value := func(sql string) int64 {
		n, err := db.Value[int64](t.Context(), s.Store, sql, nil)
		require.NoError(t, err)
		return n
	}
	repository := value(`select id from repositories`)
	check := func(branches string) {
		c := client{t, t.TempDir()}
		c.git("clone", "-q", "--mirror", remote, "c")
		c.dir = filepath.Join(c.dir, "c")
		c.git("fsck", "--strict")
		require.Equal(t, branches, c.git("for-each-ref", "--format=%(refname:short)"))
	}
	remove := func() {
		reply := s.Do(t, alice.Token, "DELETE", fmt.Sprintf("/projects/%d/repository/branches/work", p.ID), nil)
		require.Equal(t, 204, reply.Status)
	}
	during := func(do func()) { // the next push
		var once sync.Once
		code.BeforePush(s.Store, func() { once.Do(do) })
	}

	// The branch goes while the client sends what is new since it.
	during(func() {
		remove()
		require.NoError(t, code.Collect(t.Context(), s.Store, repository, 0))
	})
	out, err := w.try("push", "-q", "origin", "work:more")
	require.Error(t, err, out)
	check("main\n")

	// The client sends all of it, and the server still has rows of it.
	w.git("push", "-q", "origin", "work")
	remove()
	during(func() { require.NoError(t, code.Collect(t.Context(), s.Store, repository, 0)) })
	w.git("push", "-q", "origin", "work:more")
	check("main\nmore\n")
	require.Equal(t, int64(2), value(`select gc_epoch from repositories`))
	require.Equal(t, int64(3), value(`select count(*) from commits`))
	reply := s.Do(t, alice.Token, "GET", fmt.Sprintf("/projects/%d/repository/commits?ref_name=more&path=a", p.ID), nil)
	require.Contains(t, string(reply.Body), `"title":"a"`)
}
