package merge_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/jobs"
	"hew/server/merge"
	"hew/server/servertest"
)

// Users who have lost the right when the job runs get no branch, and issues that are confidential
// by then get none either.
func TestRequestForIssueLater(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	var p, open, hidden struct{ ID int64 }
	s.Do(t, s.RootToken, "POST", "/projects", map[string]any{"name": "site", "initialize_with_readme": true}).Into(t, &p)
	in := fmt.Sprintf("/projects/%d", p.ID)
	s.Do(t, s.RootToken, "POST", in+"/issues", map[string]any{"title": "Open"}).Into(t, &open)
	s.Do(t, s.RootToken, "POST", in+"/issues", map[string]any{"title": "Hidden", "confidential": true}).Into(t, &hidden)
	dev, left := s.User(t, "dev"), s.User(t, "left")
	s.Do(t, s.RootToken, "POST", in+"/members", map[string]any{"user_id": dev.ID, "access_level": 30})
	require.NoError(t, jobs.Enqueue(t.Context(), s.Store, merge.RequestForIssue(open.ID, "mine", dev.ID),
		merge.RequestForIssue(open.ID, "left", left.ID), merge.RequestForIssue(hidden.ID, "hidden", dev.ID)))
	s.Drain(t)
	for branch, status := range map[string]int{
		"mine": http.StatusOK, "left": http.StatusNotFound, "hidden": http.StatusNotFound,
	} {
		reply := s.Do(t, s.RootToken, "GET", in+"/repository/branches/"+branch, nil)
		require.Equal(t, status, reply.Status, branch)
	}
}
