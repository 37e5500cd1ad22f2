package api_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
	"hew/server/setting"
)

// A repository does not grow beyond repository_size_limit, by a push, a commit of the API or an LFS
// object. Commits that remove files, and deletions of branches, still pass while it is smaller.
func TestRepositorySizeLimit(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	alice := s.User(t, "alice")
	var p servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &p)
	remote := address(s, p.Path, alice.Token)
	w := gittest.NewClient(t)
	w.Git("init", "-q", "-b", "main")
	w.Commit("small", "1")
	w.Git("push", "-q", remote, "main", "main:other")
	require.NoError(t, setting.Set(t.Context(), s.Store, "repository_size_limit", 10_000))

	noise := make([]byte, 20_000)
	for i := range noise {
		noise[i] = byte(rand.IntN(256))
	}
	const told = "would cause it to exceed the size limit of 10000 bytes by"
	w.Commit("large", string(noise))
	require.Contains(t, w.Refused("push", "-q", remote, "main"), told)
	base := fmt.Sprintf("/projects/%d/repository/", p.ID)
	file := func(text string) servertest.Reply {
		return s.Do(t, alice.Token, "POST", base+"files/added"+fmt.Sprint(len(text)),
			map[string]any{"branch": "main", "commit_message": "Add", "content": text})
	}
	reply := file(fmt.Sprintf("%x", noise))
	require.Equal(t, http.StatusBadRequest, reply.Status)
	require.Contains(t, string(reply.Body), told)
	require.Equal(t, http.StatusCreated, file("small").Status)
	w.Git("push", "-q", remote, ":other")

	oid := fmt.Sprintf("%x", sha256.Sum256(noise))
	r, err := http.Post(remote+"/info/lfs/objects/batch", "application/vnd.git-lfs+json", strings.NewReader(
		`{"operation":"upload","objects":[{"oid":"`+oid+`","size":20000}]}`))
	require.NoError(t, err)
	require.NoError(t, r.Body.Close())
	require.Equal(t, http.StatusNotAcceptable, r.StatusCode)
}
