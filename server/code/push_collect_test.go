package code_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/gittest"
	"hew/server/servertest"
)

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
	w := gittest.NewClient(t)
	commit := func(name string) {
		require.NoError(t, os.WriteFile(filepath.Join(w.Dir, name), []byte(name), 0o644))
		w.Git("add", "-A")
		w.Git("commit", "-qm", name)
	}
	w.Git("init", "-q", "-b", "main", ".")
	w.Git("remote", "add", "origin", remote)
	commit("first")
	w.Git("push", "-q", "origin", "main")
	w.Git("switch", "-qc", "work")
	commit("a")
	w.Git("push", "-q", "origin", "work")
	commit("b")
	value := func(sql string) int64 {
		n, err := db.Value[int64](t.Context(), s.Store, sql, nil)
		require.NoError(t, err)
		return n
	}
	repository := value(`select id from repositories`)
	check := func(branches string) {
		c := gittest.NewClient(t)
		c.Git("clone", "-q", "--mirror", remote, "c")
		c.Dir = filepath.Join(c.Dir, "c")
		c.Git("fsck", "--strict")
		require.Equal(t, branches, c.Git("for-each-ref", "--format=%(refname:short)"))
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
	out, err := w.Try("push", "-q", "origin", "work:more")
	require.Error(t, err, out)
	check("main\n")

	// The client sends all of it, and the server still has rows of it.
	w.Git("push", "-q", "origin", "work")
	remove()
	during(func() { require.NoError(t, code.Collect(t.Context(), s.Store, repository, 0)) })
	w.Git("push", "-q", "origin", "work:more")
	check("main\nmore\n")
	require.Equal(t, int64(2), value(`select gc_epoch from repositories`))
	require.Equal(t, int64(3), value(`select count(*) from commits`))
	reply := s.Do(t, alice.Token, "GET", fmt.Sprintf("/projects/%d/repository/commits?ref_name=more&path=a", p.ID), nil)
	require.Contains(t, string(reply.Body), `"title":"a"`)
}
