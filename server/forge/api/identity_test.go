package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/forge/forgetest"
)

// A host of somebody's own can show any address: nothing of it is in the name of a user here.
func TestUntrustedHost(t *testing.T) {
	t.Parallel()
	sc := newScene(t)
	sc.s.User(t, "ann")
	sc.s.User(t, "bob")
	gitHub, bitbucket := forgetest.NewGitHub(t), forgetest.NewBitbucketServer(t)
	for path, params := range map[string]map[string]any{
		"/import/forge": gitHubParams(gitHub, map[string]any{
			"optional_stages": map[string]any{"collaborators_import": true},
		}),
		"/import/bitbucket_server": bitbucketParams(bitbucket, map[string]any{"new_name": "moved"}),
	} {
		reply := sc.s.Do(t, sc.user.Token, "POST", path, params)
		require.Equal(t, 201, reply.Status, string(reply.Body))
		var made record
		reply.Into(t, &made)
		sc.s.Drain(t)
		at := fmt.Sprintf("/projects/%d", made.ID)
		var p struct {
			Status string `json:"import_status"`
		}
		sc.get(at, &p)
		require.Equal(t, "finished", p.Status)
		require.Equal(t, []string{"carol"}, sc.texts(at+"/members/all", "username"))
		var notes []struct {
			Author struct{ Username string }
			Body   string
		}
		sc.get(at+"/merge_requests/1/notes", &notes)
		require.NotEmpty(t, notes)
		for _, n := range notes {
			require.Equal(t, "carol", n.Author.Username, n.Body)
		}
		var approvals struct {
			By []struct{} `json:"approved_by"`
		}
		sc.get(at+"/merge_requests/1/approvals", &approvals)
		require.Empty(t, approvals.By)
		if path == "/import/forge" {
			require.Equal(t, "*Created by: Ann*\n\ncomment 1", sc.texts(at+"/issues/11/notes?sort=asc", "body")[0])
		}
	}
}
