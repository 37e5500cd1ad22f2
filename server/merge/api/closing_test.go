package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// write commits a file on a branch with a message.
func (d desk) write(branch, file, message string) {
	d.t.Helper()
	reply := d.api("POST", "repository/commits", map[string]any{
		"branch": branch, "start_branch": "main", "commit_message": message,
		"actions": []any{map[string]any{"action": "create", "file_path": file, "content": "1"}},
	})
	require.Equal(d.t, 201, reply.Status, "%s", reply.Body)
}

// issues makes n issues.
func (d desk) issues(n int) {
	d.t.Helper()
	for k := range n {
		reply := d.api("POST", "issues", map[string]any{"title": fmt.Sprint("Issue ", k+1)})
		require.Equal(d.t, 201, reply.Status, "%s", reply.Body)
	}
}

// closed returns the numbers of the issues that are closed.
func (d desk) closed() []int { return numbers(d.t, d.api("GET", "issues?state=closed&sort=asc", nil)) }

// closing is a change of the state of an issue, and what made it.
type closing struct {
	State   string
	Request *int    `json:"source_merge_request_id"`
	Commit  *string `json:"source_commit"`
}

func (d desk) closings(iid int) (list []closing) {
	d.t.Helper()
	d.api("GET", fmt.Sprintf("issues/%d/resource_state_events", iid), nil).Into(d.t, &list)
	return list
}

// numbers returns those of a list of issues.
func numbers(t testing.TB, reply servertest.Reply) []int {
	t.Helper()
	var list []struct{ IID int }
	reply.Into(t, &list)
	iids := []int{}
	for _, i := range list {
		iids = append(iids, i.IID)
	}
	return iids
}

// The commits of a merge request say which issues its merge closes, also where they are squashed
// (more §6.2).
func TestCommitsCloseIssues(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.issues(3)
	d.write("topic", "a", "Add a\n\nCloses #2")
	var r request
	d.api("POST", "merge_requests", map[string]any{
		"source_branch": "topic", "target_branch": "main", "title": "Add a and b", "description": "Fixes #1",
		"squash": true,
	}).Into(t, &r)
	path := fmt.Sprintf("merge_requests/%d", r.IID)
	require.Equal(t, []int{1, 2}, numbers(t, d.api("GET", path+"/closes_issues", nil)))

	d.commit("topic", "", "b", "1")
	d.get(r.IID)
	require.Equal(t, []int{1, 2}, numbers(t, d.api("GET", path+"/closes_issues", nil)))
	reply := d.api("POST", "repository/commits", map[string]any{
		"branch": "topic", "commit_message": "Add c\n\nResolves #3",
		"actions": []any{map[string]any{"action": "create", "file_path": "c", "content": "1"}},
	})
	require.Equal(t, 201, reply.Status, "%s", reply.Body)
	d.get(r.IID)
	require.Equal(t, []int{1, 2, 3}, numbers(t, d.api("GET", path+"/closes_issues", nil)))

	require.Empty(t, d.closed())
	require.Equal(t, 200, d.accept(r.IID, map[string]any{"squash_commit_message": "All"}).Status)
	require.Equal(t, []int{1, 2, 3}, d.closed())
	for iid := 1; iid <= 3; iid++ {
		require.Equal(t, []closing{{"closed", &r.ID, nil}}, d.closings(iid), "#%d", iid)
	}
	var merged struct{ Message string }
	d.api("GET", "repository/commits/main", nil).Into(t, &merged)
	require.Contains(t, merged.Message, "Closes #1, #2 and #3")
}

// A merge request whose commits come to the target branch in another way closes the issues that its
// description says it closes.
func TestPushedMergeClosesIssues(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.issues(1)
	d.commit("topic", "main", "a", "1")
	var r request
	d.api("POST", "merge_requests", map[string]any{
		"source_branch": "topic", "target_branch": "main", "title": "Add a", "description": "Closes #1",
	}).Into(t, &r)
	d.commit("other", "topic", "b", "1")
	require.Equal(t, 200, d.accept(d.open("other").IID, nil).Status)
	require.Equal(t, "merged", d.get(r.IID).State)
	require.Equal(t, []int{1}, d.closed())
	require.Equal(t, []closing{{"closed", &r.ID, nil}}, d.closings(1))
}
