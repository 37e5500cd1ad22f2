package integration_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// What becomes of a merge request reaches the services that want to know: chats are told of what is
// done with it, trackers of issues that it names, and builds are ordered, as
// testdata/merge_requests.txt shows.
func TestRequestsAreSent(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	e.commit("main", "first")
	e.commit("topic", "second")
	at := e.project + "/integrations/"
	e.as("PUT", at+"slack", map[string]any{
		"webhook": e.service.url + "/slack", "push_events": false, "merge_request_channel": "reviews",
	})
	e.as("PUT", at+"mattermost", map[string]any{
		"webhook": e.service.url + "/mattermost", "push_events": false, "merge_requests_events": false,
	})
	e.as("PUT", at+"jira", map[string]any{
		"url": e.service.url, "username": "ann", "password": "t0ken", "jira_issue_transition_id": "5",
	})
	e.as("PUT", at+"teamcity", map[string]any{
		"teamcity_url": e.service.url, "build_type": "Site", "username": "ann", "password": "t0ken",
		"merge_requests_events": true, "push_events": false,
	})
	e.service.status = func(line string) int {
		if strings.HasPrefix(line, "GET ") {
			return 404
		}
		return 200
	}
	eve := e.User(t, "eve")
	e.as("POST", e.project+"/members", map[string]any{"user_id": eve.ID, "access_level": 40})
	one := e.project + "/merge_requests/1"
	var out strings.Builder
	for _, step := range []struct {
		name, token, method, path string
		body                      map[string]any
	}{
		{"open", e.token, "POST", e.project + "/merge_requests", map[string]any{
			"source_branch": "topic", "target_branch": "main", "title": "Mend the page", "description": "Fixes WEB-7",
		}},
		{"comment", eve.Token, "POST", one + "/notes", map[string]any{"body": "Why?"}},
		{"approve", eve.Token, "POST", one + "/approve", map[string]any{}},
		{"unapprove", eve.Token, "POST", one + "/unapprove", map[string]any{}},
		{"approve again", eve.Token, "POST", one + "/approve", map[string]any{}},
		{"retitle", e.token, "PUT", one, map[string]any{"title": "Mend all pages"}},
		{"push", e.token, "POST", e.project + "/repository/files/third.txt", map[string]any{
			"branch": "topic", "commit_message": "third", "content": "third",
		}},
		{"close", e.token, "PUT", one, map[string]any{"state_event": "close"}},
		{"reopen", e.token, "PUT", one, map[string]any{"state_event": "reopen"}},
		{"merge", eve.Token, "PUT", one + "/merge", map[string]any{}},
	} {
		r := e.Do(t, step.token, step.method, step.path, step.body)
		require.Less(t, r.Status, 300, "%s: %s", step.name, r.Body)
		e.Drain(t)
		got := e.service.take()
		slices.Sort(got) // they are sent in any order
		out.WriteString("# " + step.name + "\n" + strings.Join(append(got, ""), "\n"))
	}
	shown := strings.NewReplacer(e.service.url, "http://service", strings.TrimSuffix(e.URL, "/api/v4"), "http://hewd")
	servertest.Golden(t, "testdata/merge_requests.txt", shown.Replace(out.String()))
}
