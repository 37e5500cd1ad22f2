package api_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/git/gittest"
	"hew/server/servertest"
)

// Rows of objects become a pack, which a server that has none of them on disk reads as well.
func TestRepack(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	alice := s.User(t, "alice")
	var p servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "loose"}).Into(t, &p)
	var actions []any
	for i := range 600 {
		actions = append(actions, map[string]any{
			"action": "create", "file_path": fmt.Sprintf("d%d/f%d", i%7, i), "content": fmt.Sprint("content ", i),
		})
	}
	commits := fmt.Sprintf("/projects/%d/repository/commits", p.ID)
	body := map[string]any{"branch": "main", "commit_message": "Begin", "actions": actions}
	require.Equal(t, 201, s.Do(t, alice.Token, "POST", commits, body).Status)
	value := func(sql string) int {
		n, err := db.Value[int](t.Context(), s.Store, sql, nil)
		require.NoError(t, err)
		return n
	}
	count := func(table string) int { return value(`select count(*) from ` + table) }
	require.Equal(t, 610, count("loose_objects")) // the empty tree is one of them
	remote := address(s, p.Path, alice.Token)
	first, second := filepath.Join(t.TempDir(), "c"), filepath.Join(t.TempDir(), "c")
	gittest.ClientIn(t, ".").Git("clone", "-q", remote, first)

	require.Equal(t, 201, s.Do(t, alice.Token, "POST", fmt.Sprintf("/projects/%d/housekeeping", p.ID), nil).Status)
	s.Drain(t)
	require.Zero(t, count("loose_objects"))
	require.Equal(t, 2, count("repository_packs")) // the empty tree is garbage
	require.Equal(t, 1, value(`select max(commit_count) from projects`))
	require.Greater(t, value(`select max(repository_size) from projects`), 10_000)

	body["actions"] = []any{map[string]any{"action": "delete", "file_path": "d0/f0"}}
	require.Equal(t, 201, s.Do(t, alice.Token, "POST", commits, body).Status)
	gittest.ClientIn(t, first).Git("pull", "-q")
	other := s.Beside(t)
	raw := fmt.Sprintf("/projects/%d/repository/files/d1%%2Ff1/raw", p.ID)
	require.Equal(t, 200, other.Do(t, alice.Token, "GET", raw, nil).Status)
	gittest.ClientIn(t, ".").Git("clone", "-q", address(other, p.Path, alice.Token), second)
	gittest.ClientIn(t, second).Git("fsck", "--strict")
	require.Equal(t, gittest.ClientIn(t, first).Git("log", "--stat"), gittest.ClientIn(t, second).Git("log", "--stat"))
}
