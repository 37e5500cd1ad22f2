package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/git/gittest"
	"hew/server/servertest"
)

// freshHost is a host on a database of its own.
func freshHost(t testing.TB) host {
	h := host{t: t, s: servertest.Fresh(t)}
	h.user = h.s.User(t, "alice")
	h.s.Do(t, h.user.Token, "POST", "/projects", map[string]any{"name": "site", "visibility": "private"}).Into(
		t, &h.project,
	)
	return h
}

// housekeep asks for the upkeep of the project, and waits for it.
func (h host) housekeep(task string) {
	h.t.Helper()
	path := fmt.Sprintf("/projects/%d/housekeeping?task=%s", h.project.ID, task)
	require.Equal(h.t, 201, h.s.Do(h.t, h.user.Token, "POST", path, nil).Status)
	h.s.Drain(h.t)
}

func (h host) value(sql string) int {
	h.t.Helper()
	n, err := db.Value[int](h.t.Context(), h.s.Store, sql, nil)
	require.NoError(h.t, err)
	return n
}

// large returns a text that git cannot make small, so that a push is kept as a pack.
func large(seed int) string {
	var text strings.Builder
	for i := range 150_000 {
		fmt.Fprintf(&text, "%x", uint64(i+1)*uint64(seed+1)*0x9e3779b97f4a7c15)
	}
	return text.String()
}

// A commit that was pushed by mistake can be read nowhere after its branch is gone and the
// repository was pruned: not on this server, nor on another one that has a copy, nor by git.
func TestPrune(t *testing.T) {
	t.Parallel()
	h := freshHost(t)
	other := h.s.Beside(t)
	w := h.begin()
	w.Git("switch", "-qc", "leak")
	w.Commit("secret", large(1))
	secret := strings.TrimSpace(w.Git("rev-parse", "HEAD"))
	w.Git("push", "-q", "origin", "leak")
	read := func(s *servertest.Server) int {
		path := fmt.Sprintf("/projects/%d/repository/files/secret/blame?ref=%s", h.project.ID, secret)
		return s.Do(t, h.user.Token, "GET", path, nil).Status
	}
	w.Git("push", "-q", "origin", ":leak")
	require.Equal(t, 200, read(h.s))
	require.Equal(t, 200, read(other))
	h.housekeep("eager")
	require.Equal(t, 200, read(other), "it is kept for a time")

	h.housekeep("prune")
	require.Equal(t, 404, read(h.s))
	require.Equal(t, 404, read(other))
	require.Equal(t, 1, h.value(`select count(*) from packs`))
	fetched := gittest.NewClient(t)
	fetched.Git("init", "-q", ".")
	require.Contains(t, fetched.Refused("fetch", "-q", h.address(h.user.Token), secret), "not our ref")
	h.clone().Git("fsck", "--strict")

	w.Git("push", "-q", "origin", "leak")
	require.Equal(t, 200, read(other))
	h.clone().Git("fsck", "--strict")
}

// Many pushes leave few packs.
func TestManyPushes(t *testing.T) {
	t.Parallel()
	h := freshHost(t)
	w := h.begin()
	for i := range 12 {
		w.Commit(fmt.Sprint("file", i), large(i)[:1_200_000])
		w.Git("push", "-q", "origin", "main")
		if i%4 == 3 {
			h.housekeep("eager")
		}
	}
	require.LessOrEqual(t, h.value(`select count(*) from repository_packs`), 2)
	c := h.clone()
	c.Git("fsck", "--strict")
	require.Equal(t, w.Git("log", "--format=%H"), c.Git("log", "--format=%H"))
}
