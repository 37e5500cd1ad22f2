package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

func TestSubmoduleUpdate(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	alice := s.User(t, "modulealice")
	var p servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "modules", "visibility": "private"}).Into(t, &p)
	remote := address(s, p.Path, alice.Token)
	w := gittest.NewClient(t)
	w.Git("init", "-q", "-b", "main", ".")
	w.Write("file", "x")
	w.Git("add", "file")
	before, after := strings.Repeat("1", 40), strings.Repeat("2", 40)
	w.Git("update-index", "--add", "--cacheinfo", "160000,"+before+",lib/other")
	w.Git("commit", "-qm", "Begin")
	w.Git("push", "-q", remote, "main")
	for _, c := range []struct {
		path, branch, sha string
		status            int
		text              string
	}{
		{"lib%2Fother", "main", after, 200, "Update submodule lib/other with oid " + after},
		{"lib%2Fother", "main", after, 400, "The submodule lib/other is already at " + after},
		{"file", "main", after, 400, "Invalid submodule path"},
		{"none", "main", after, 400, "Invalid submodule path"},
		{"lib%2Fother", "none", after, 404, "404 Branch Not Found"},
		{"lib%2Fother", "main", "2222", 400, "commit_sha is invalid"},
	} {
		reply := s.Do(t, alice.Token, "PUT", fmt.Sprintf("/projects/%d/repository/submodules/%s", p.ID, c.path),
			map[string]any{"branch": c.branch, "commit_sha": c.sha})
		require.Equal(t, c.status, reply.Status, string(reply.Body))
		require.Contains(t, string(reply.Body), c.text)
	}
	w.Git("fetch", "-q", remote, "main")
	require.Contains(t, w.Git("ls-tree", "-r", "FETCH_HEAD"), "160000 commit "+after+"\tlib/other")
}
