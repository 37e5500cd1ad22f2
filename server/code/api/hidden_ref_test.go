package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/object"
	"hew/server/tree"
)

// A hidden ref is fetched by its name, is listed only to those who ask for it, and takes no push.
func TestHiddenRef(t *testing.T) {
	t.Parallel()
	h := newHost(t, "hiddenref")
	w := h.begin()
	w.Git("switch", "-qc", "work")
	w.Commit("b", "2")
	w.Git("push", "-q", "origin", "work")
	p, err := tree.FindProject(t.Context(), h.s.Store, h.project.ID)
	require.NoError(t, err)
	id, err := object.ParseID(w.Git("rev-parse", "HEAD")[:40])
	require.NoError(t, err)
	const head = code.MergeRequests + "1/head"
	require.NoError(t, code.SetHiddenRefs(t.Context(), h.s.Store, p, map[string]object.ID{head: id}))
	require.NoError(t, code.Keep(t.Context(), h.s.Store, p, id))
	w.Git("push", "-q", "origin", ":work")

	c := h.clone("--mirror")
	require.NotContains(t, c.Git("ls-remote", "origin"), "merge-requests")
	require.NotContains(t, c.Git("for-each-ref"), id.String())
	c.Git("fetch", "-q", "origin", head+":refs/heads/mr")
	require.Equal(t, id.String()+"\n", c.Git("rev-parse", "mr"))
	c.Git("fetch", "-q", "origin", "+refs/merge-requests/*/head:refs/remotes/mr/*")
	require.Equal(t, id.String()+"\n", c.Git("rev-parse", "refs/remotes/mr/1"))
	for _, push := range []string{"main:" + head, ":" + head, "main:refs/merge-requests/2/head",
		"main:" + code.KeepAround + id.String()} {
		require.Contains(t, w.Refused("push", "origin", push), "You can only push to branches and tags", push)
	}
}
