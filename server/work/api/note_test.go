package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/git/gittest"
	"hew/server/servertest"
)

// A note is deleted only if it has not changed since the client saw it.
func TestUnmodifiedNotes(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.User(t, "notes-unmodified")
	var p, n servertest.Made
	s.Do(t, user.Token, "POST", "/projects", map[string]any{"name": "notes-unmodified"}).Into(t, &p)
	issues := fmt.Sprintf("/projects/%d/issues", p.ID)
	s.Do(t, user.Token, "POST", issues, map[string]any{"title": "Target"}).Into(t, &servertest.Made{})
	s.Do(t, user.Token, "POST", issues+"/1/notes", map[string]any{"body": "Look."}).Into(t, &n)
	path := fmt.Sprintf("%s/1/notes/%d", issues, n.ID)
	r, err := http.NewRequestWithContext(t.Context(), "DELETE", s.URL+path, nil)
	require.NoError(t, err)
	r.Header.Set("PRIVATE-TOKEN", user.Token)
	r.Header.Set("If-Unmodified-Since", "Sat, 01 Jan 2000 00:00:00 GMT")
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusPreconditionFailed, resp.StatusCode)
	require.Equal(t, 204, s.Do(t, user.Token, "DELETE", path, nil).Status)
}

// A commit closes an issue when it comes to the default branch, and not before, and the event says
// which commit did it.
func TestPushClosesIssues(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.User(t, "pushcloses")
	var p servertest.Made
	s.Do(t, user.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &p)
	issues := fmt.Sprintf("/projects/%d/issues", p.ID)
	for n := range 3 {
		title := map[string]any{"title": fmt.Sprint("Bug ", n+1)}
		s.Do(t, user.Token, "POST", issues, title).Into(t, &servertest.Made{})
	}
	state := func(iid int) string {
		var i struct{ State string }
		s.Do(t, user.Token, "GET", fmt.Sprintf("%s/%d", issues, iid), nil).Into(t, &i)
		return i.State
	}
	_, at, _ := strings.Cut(s.Server.URL(), "://")
	c := gittest.NewClient(t)
	c.Git("init", "-q", "-b", "main", ".")
	c.Git("remote", "add", "origin", fmt.Sprintf("http://any:%s@%s/%s.git", user.Token, at, p.Path))
	c.Commit("README.md", "# Site\n")
	c.Git("push", "-q", "origin", "main")
	c.Git("checkout", "-q", "-b", "topic")
	for n := range 2 {
		c.Commit("a.txt", fmt.Sprint(n))
		c.Git("commit", "-q", "--amend", "-m", fmt.Sprintf("Change a\n\nCloses #%d", n+1))
	}
	c.Git("push", "-q", "origin", "topic")
	require.Equal(t, "opened", state(1))
	c.Git("checkout", "-q", "main")
	c.Git("merge", "-q", "topic")
	c.Git("push", "-q", "origin", "main")
	require.Equal(t, []string{"closed", "closed", "opened"}, []string{state(1), state(2), state(3)})

	commits, err := db.Values[string](t.Context(), s.Store, fmt.Sprintf(`
		select encode(e.commit_oid, 'hex') from resource_events e join issues i on i.id = e.issue_id
		where i.project_id = %d and e.field = 'state' order by i.iid`, p.ID), nil)
	require.NoError(t, err)
	require.Equal(t, strings.Fields(c.Git("rev-parse", "topic~1", "topic")), commits)

	// the same commits do not close twice, and a commit that is merged with others closes, too
	s.Do(t, user.Token, "PUT", issues+"/1", map[string]any{"state_event": "reopen"}).Into(t, &servertest.Made{})
	c.Git("checkout", "-q", "-b", "other", "main~1")
	c.Commit("b.txt", "b")
	c.Git("commit", "-q", "--amend", "-m", "Fix 3\n\nFixed: #3")
	c.Git("push", "-q", "origin", "other")
	c.Git("checkout", "-q", "main")
	c.Git("merge", "-q", "--no-ff", "-m", "Merge other", "other")
	c.Git("push", "-q", "origin", "main")
	require.Equal(t, []string{"opened", "closed", "closed"}, []string{state(1), state(2), state(3)})

	var notes []struct{ Body string }
	s.Do(t, user.Token, "GET", issues+"/3/notes", nil).Into(t, &notes)
	text, err := json.Marshal(notes)
	require.NoError(t, err)
	require.JSONEq(t, fmt.Sprintf(`[{"Body":"mentioned in commit %.8s"}]`, c.Git("rev-parse", "other")), string(text))
}
