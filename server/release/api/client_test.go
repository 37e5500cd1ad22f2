package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/git/gittest"
	"hew/server/servertest"
)

// site is a project with a commit, and what a test asks of it as its owner.
type site struct {
	t    *testing.T
	s    *servertest.Server
	user servertest.Persona
	made servertest.Made
}

func newSite(t *testing.T) site {
	w := site{t: t, s: servertest.Fresh(t)}
	w.user = w.s.User(t, "publisher")
	w.s.Do(t, w.user.Token, "POST", "/projects", map[string]any{
		"name": "site", "initialize_with_readme": true,
	}).Into(t, &w.made)
	return w
}

func (w site) ask(method, path string, body any) servertest.Reply {
	return w.s.Do(w.t, w.user.Token, method, fmt.Sprintf("/projects/%d%s", w.made.ID, path), body)
}

// A git client that deletes a tag leaves the release without a commit, and one that pushes the tag
// again gives it one.
func TestPushedTags(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	_, host, _ := strings.Cut(w.s.Server.URL(), "://")
	remote := fmt.Sprintf("http://any:%s@%s/%s.git", w.user.Token, host, w.made.Path)
	git := gittest.NewClient(t).Git
	commit := func() (id string) {
		var r struct {
			Commit *struct{ ID string }
			Path   *string `json:"commit_path"`
		}
		reply := w.ask("GET", "/releases/v1", nil)
		require.Equal(t, http.StatusOK, reply.Status)
		reply.Into(t, &r)
		if r.Commit == nil {
			require.Nil(t, r.Path)
			return ""
		}
		return r.Commit.ID
	}
	require.Equal(t, http.StatusCreated, w.ask("POST", "/releases", map[string]any{
		"tag_name": "v1", "ref": "main",
	}).Status)
	first := commit()
	require.NotEmpty(t, first)
	git("clone", "-q", remote, ".")
	git("push", "-q", "origin", ":refs/tags/v1")
	require.Empty(t, commit())
	require.Equal(t, http.StatusConflict, w.ask("POST", "/releases", map[string]any{
		"tag_name": "v1", "ref": "main",
	}).Status)
	git("push", "-q", "origin", "HEAD:refs/tags/v1")
	require.Equal(t, first, commit())
}

// Of those who publish a tag at once, or add a link to it, one does, and the others are told.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	atOnce := func(path string, body map[string]any) map[int]int {
		statuses := map[int]int{}
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				r := w.ask("POST", path, body)
				mu.Lock()
				defer mu.Unlock()
				statuses[r.Status]++
			})
		}
		all.Wait()
		return statuses
	}
	for i := range 3 {
		tag := fmt.Sprint("v", i)
		require.Equal(t, map[int]int{http.StatusCreated: 1, http.StatusConflict: 3},
			atOnce("/releases", map[string]any{"tag_name": tag, "ref": "main"}))
		require.Equal(t, map[int]int{http.StatusCreated: 1, http.StatusBadRequest: 3},
			atOnce("/releases/"+tag+"/assets/links", map[string]any{"name": "a", "url": "https://example.com"}))
	}
}

// The archives that a release names are served, and nothing is left of the releases of a project
// that is deleted.
func TestSourcesAndRemoval(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	var r struct {
		Assets struct{ Sources []struct{ URL string } }
	}
	w.ask("POST", "/releases", map[string]any{
		"tag_name": "v1/1", "ref": "main",
		"assets": map[string]any{"links": []any{map[string]any{"name": "a", "url": "https://example.com"}}},
	}).Into(t, &r)
	require.Len(t, r.Assets.Sources, 4)
	for _, source := range r.Assets.Sources {
		path, ok := strings.CutPrefix(source.URL, w.s.Server.URL()+"/api/v4")
		require.True(t, ok, source.URL)
		reply := w.s.Do(t, w.user.Token, "GET", path, nil)
		require.Equal(t, http.StatusOK, reply.Status, "%s", source.URL)
		require.NotEmpty(t, reply.Body)
	}
	require.NoError(t, w.s.Store.Exec(t.Context(), `delete from projects where id = @id`, map[string]any{"id": w.made.ID}))
	left, err := db.Value[int](t.Context(), w.s.Store,
		`select (select count(*) from releases) + (select count(*) from release_links)`, nil)
	require.NoError(t, err)
	require.Zero(t, left)
}
