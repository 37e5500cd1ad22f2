package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// The quick action /create_merge_request makes a branch and a draft that closes the issue, for who
// may push (more §2.4, §5).
func TestRequestForIssue(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.api("POST", "labels", map[string]any{"name": "bug", "color": "red"})
	for _, title := range []string{"Fix the Login!", "Again", "Hidden"} {
		d.api("POST", "issues", map[string]any{"title": title, "labels": "bug", "confidential": title == "Hidden"})
	}
	say := func(by servertest.Persona, issue int, text string) (int, answered) {
		var a answered
		reply := d.s.Do(t, by.Token, "POST", fmt.Sprintf("/projects/%d/issues/%d/notes", d.project, issue),
			map[string]any{"body": text})
		require.NoError(t, json.Unmarshal(reply.Body, &a), "%s", reply.Body)
		return reply.Status, a
	}
	reporter := d.s.User(t, nameOf(t)+"-reporter")
	d.api("POST", "members", map[string]any{"user_id": reporter.ID, "access_level": 20})
	for _, refused := range []struct {
		by    servertest.Persona
		issue int
		text  string
	}{
		{reporter, 1, "/create_merge_request"}, {d.alice, 3, "/create_merge_request"},
		{d.alice, 1, "/create_merge_request main"}, {d.alice, 1, "/create_merge_request a..b"},
	} {
		status, a := say(refused.by, refused.issue, refused.text)
		require.Equal(t, 400, status, refused.text)
		require.Contains(t, a.Message, "Could not apply create_merge_request command.")
	}
	status, a := say(d.alice, 1, "/create_merge_request")
	require.Equal(t, 202, status, a.Message)
	require.Equal(t, []string{"Created a branch and a merge request to resolve this issue."}, a.Summary)
	require.Equal(t, map[string]any{"branch_name": nil, "issue_iid": 1.0}, a.Changes["create_merge_request"])
	d.s.Drain(t)
	status, a = say(d.alice, 2, "/create_merge_request mine")
	require.Equal(t, 202, status, a.Message)
	require.Equal(t, []string{"Created branch 'mine' and a merge request to resolve this issue."}, a.Summary)
	d.s.Drain(t)

	var list []struct {
		Title, Description string
		Source             string `json:"source_branch"`
		Target             string `json:"target_branch"`
		Labels             []string
		Assignees          []struct{ ID int64 }
	}
	d.api("GET", "merge_requests?sort=asc", nil).Into(t, &list)
	require.Len(t, list, 2)
	r := list[0]
	require.Equal(t, []string{`Draft: Resolve "Fix the Login!"`, "Closes #1", "1-fix-the-login", "main"},
		[]string{r.Title, r.Description, r.Source, r.Target})
	require.Equal(t, []string{"bug"}, r.Labels)
	require.Equal(t, d.alice.ID, r.Assignees[0].ID)
	require.Equal(t, "mine", list[1].Source)

	var notes []struct{ Body string }
	d.api("GET", "issues/1/notes?sort=asc", nil).Into(t, &notes)
	var bodies []string
	for _, n := range notes {
		bodies = append(bodies, n.Body)
	}
	text := strings.Join(bodies, "\n")
	require.Contains(t, text, "created branch [`1-fix-the-login`](")
	require.Contains(t, text, "/-/compare/main...1-fix-the-login) to address this issue")
	require.Contains(t, text, "created merge request !1 to address this issue")
	var closers []struct{ IID int }
	d.api("GET", "issues/1/closed_by", nil).Into(t, &closers)
	require.Len(t, closers, 1)
}
