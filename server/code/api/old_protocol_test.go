package api_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/object"
	"hew/server/tree"
)

// Clients of protocol 0 clone, fetch and push as others do. Refs that are hidden stay so: they have
// no way to ask for one by its name, and are told.
func TestProtocolZero(t *testing.T) {
	t.Parallel()
	h := newHost(t, "protocolzero")
	w := h.begin()
	w.Git("config", "protocol.version", "0")
	c := h.clone("-c", "protocol.version=0")

	w.Commit("b", "1")
	w.Git("tag", "-am", "One", "v1")
	w.Git("push", "-q", "--atomic", "-o", "ci.skip", "origin", "main", "v1")
	c.Git("fetch", "-q", "--tags", "origin")
	require.Equal(t, w.Git("rev-parse", "main", "v1"), c.Git("rev-parse", "origin/main", "v1"))

	w.Commit("b", "2")
	w.Git("push", "-q", "origin", "main:work")
	w.Git("commit", "-q", "--amend", "-m", "Other")
	require.Contains(t, w.Refused("push", "origin", "main:work"), "rejected")
	w.Git("push", "-q", "--force", "origin", "main:work")
	c.Git("fetch", "-q", "--depth=1", "origin", "work")
	require.Equal(t, w.Git("rev-parse", "main"), c.Git("rev-parse", "FETCH_HEAD"))
	c.Git("fetch", "-q", "--unshallow", "origin")
	c.Git("fsck", "--strict")

	p, err := tree.FindProject(t.Context(), h.s.Store, h.project.ID)
	require.NoError(t, err)
	id, err := object.ParseID(strings.TrimSpace(w.Git("rev-parse", "HEAD")))
	require.NoError(t, err)
	const head = code.MergeRequests + "1/head"
	require.NoError(t, code.SetHiddenRefs(t.Context(), h.s.Store, p, map[string]object.ID{head: id}))
	w.Git("push", "-q", "origin", ":work")
	require.NotContains(t, c.Git("ls-remote", "origin"), "merge-requests")
	require.Contains(t, c.Refused("fetch", "origin", head), "couldn't find remote ref "+head)
	c.Git("-c", "protocol.version=2", "fetch", "-q", "origin", head)
	require.Equal(t, id.String()+"\n", c.Git("rev-parse", "FETCH_HEAD"))
	require.Contains(t, w.Refused("push", "origin", "main:"+head), "You can only push to branches and tags")
}
