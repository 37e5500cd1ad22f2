package hook_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// requestSteps make the events of merge requests that testdata/payload shows under their names.
// Root does what has no user. A step without a name sets the scene.
var requestSteps = []struct{ name, by, request, body string }{
	{"", "", "PUT {site}", `{"default_branch":"main"}`},
	{"", "", "POST {site}/repository/files/a", add("a")},
	{"", "", "POST {site}/repository/commits", toTopic("b", `"start_branch":"main",`)},
	{"", "", "POST {site}/members", `{"user_id":{eve},"access_level":30}`},
	{"", "", "POST {site}/members", `{"user_id":{mia},"access_level":30}`},
	{"", "", "POST {site}/approval_rules", `{"name":"Two","approvals_required":2,"user_ids":[{eve},{mia}]}`},
	{"merge_request", "", "POST {site}/merge_requests", `{"source_branch":"topic","target_branch":"main",` +
		`"title":"Add b","description":"It was missing","labels":"bug","assignee_ids":[1],"reviewer_ids":[{eve}]}`},
	{"merge_request_update", "", "PUT {site}/merge_requests/1", `{"title":"Draft: Add b","labels":"now",` +
		`"assignee_ids":[{mia}],"reviewer_ids":[],"description":"It was needed"}`},
	{"merge_request_ready", "", "PUT {site}/merge_requests/1", `{"title":"Add b"}`},
	{"merge_request_push", "", "POST {site}/repository/commits", toTopic("c", "")},
	{"merge_request_spent", "", "POST {site}/merge_requests/1/add_spent_time", `{"duration":"1h"}`},
	{"merge_request_approval", "eve", "POST {site}/merge_requests/1/approve", `{}`},
	{"merge_request_approved", "mia", "POST {site}/merge_requests/1/approve", `{}`},
	{"merge_request_unapproved", "mia", "POST {site}/merge_requests/1/unapprove", `{}`},
	{"merge_request_unapproval", "eve", "POST {site}/merge_requests/1/unapprove", `{}`},
	{"", "eve", "POST {site}/merge_requests/1/approve", `{}`},
	{"", "mia", "POST {site}/merge_requests/1/approve", `{}`},
	{"merge_request_reset", "", "POST {site}/repository/commits", toTopic("d", "")},
	{"merge_request_close", "", "PUT {site}/merge_requests/1", `{"state_event":"close"}`},
	{"merge_request_reopen", "", "PUT {site}/merge_requests/1", `{"state_event":"reopen"}`},
	{"note_merge_request", "", "POST {site}/merge_requests/1/notes", `{"body":"Why?"}`},
	{"note_diff", "", "POST {site}/merge_requests/1/discussions", `{"body":"Shorter?","position":{"base_sha":"{base}",` +
		`"start_sha":"{start}","head_sha":"{head}","position_type":"text","new_path":"b","old_path":"b","new_line":1}}`},
	{"emoji_merge_request", "", "POST {site}/merge_requests/1/award_emoji", `{"name":"thumbsup"}`},
	{"emoji_diff", "", "POST {site}/merge_requests/1/notes/{note}/award_emoji", `{"name":"rocket"}`},
	{"", "", "POST {site}/approvals", `{"reset_approvals_on_push":false,"selective_code_owner_removals":true}`},
	{"", "", "POST {site}/repository/files/CODEOWNERS",
		`{"branch":"main","commit_message":"Say who owns e","content":"e @eve"}`},
	{"", "eve", "POST {site}/merge_requests/1/approve", `{}`},
	{"", "mia", "POST {site}/merge_requests/1/approve", `{}`},
	{"merge_request_owners_reset", "", "POST {site}/repository/commits", toTopic("e", "")},
	{"", "eve", "POST {site}/merge_requests/1/approve", `{}`},
	{"", "", "PUT {site}/merge_requests/1/discussions/{thread}?resolved=true", ``},
	{"merge_request_merge", "", "PUT {site}/merge_requests/1/merge", `{}`},
	{"", "eve", "POST {site}/fork", `{"path":"site-of-eve"}`},
	{"", "eve", "POST {fork}/repository/files/f", `{"branch":"eve","start_branch":"main","commit_message":"Add f",` +
		`"content":"1"}`},
	{"merge_request_of_fork", "eve", "POST {fork}/merge_requests", `{"source_branch":"eve","target_branch":"main",` +
		`"target_project_id":{id},"title":"Add f","allow_collaboration":true}`},
	{"", "", "DELETE {fork}", ``},
	{"merge_request_without_fork", "", "PUT {site}/merge_requests/2", `{"title":"Add what f has"}`},
}

// toTopic returns the body of a commit of a file to the branch topic.
func toTopic(file, more string) string {
	return `{"branch":"topic",` + more + `"commit_message":"Add ` + file + `\n\nIt was missing.","actions":[` +
		`{"action":"create","file_path":"` + file + `","content":"1\n"}]}`
}

// Each event of a merge request has the payload that the golden files show (gaps §13.6). A system
// hook gets the same under its own name (more-2 §8.5).
func TestRequestPayloads(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	eve, mia := e.User(t, "eve"), e.User(t, "mia")
	tokens := map[string]string{"": e.RootToken, "eve": eve.Token, "mia": mia.Token}
	acme := e.group("acme", 0)
	site := e.make("/projects", map[string]any{"name": "Site", "path": "site", "namespace_id": acme})
	e.hook(acme, "", map[string]any{"merge_requests_events": true, "note_events": true, "emoji_events": true})
	e.make("/hooks", map[string]any{
		"url": e.url + "/system", "merge_requests_events": true, "repository_update_events": false,
	})
	ids := map[string]any{"id": site, "site": fmt.Sprintf("/projects/%d", site), "eve": eve.ID, "mia": mia.ID}
	e.requests()
	for _, step := range requestSteps {
		fill := func(text string) string {
			for name, id := range ids {
				text = strings.ReplaceAll(text, "{"+name+"}", fmt.Sprint(id))
			}
			return text
		}
		method, path, _ := strings.Cut(fill(step.request), " ")
		reply := e.Do(t, tokens[step.by], method, path, json.RawMessage(fill(step.body)))
		require.Less(t, reply.Status, 300, "%s %s: %s", method, path, reply.Body)
		var hooks, system []received
		got := e.requests()
		slices.SortFunc(got, func(a, b received) int { // they are sent in any order
			return strings.Compare(fmt.Sprint(object(a.body, "object_attributes")["action"]),
				fmt.Sprint(object(b.body, "object_attributes")["action"]))
		})
		for _, r := range got {
			switch {
			case r.path == "/":
				hooks = append(hooks, r)
			case r.body["object_kind"] != nil: // and not an event of members
				system = append(system, r)
			}
		}
		if strings.HasSuffix(path, "/fork") {
			var fork servertest.Made
			reply.Into(t, &fork)
			ids["fork"] = fmt.Sprintf("/projects/%d", fork.ID)
		}
		switch step.name {
		case "merge_request_reopen":
			var r struct {
				Refs map[string]string `json:"diff_refs"`
			}
			reply.Into(t, &r)
			ids["base"], ids["start"], ids["head"] = r.Refs["base_sha"], r.Refs["start_sha"], r.Refs["head_sha"]
		case "note_diff":
			var thread struct {
				ID    string
				Notes []servertest.Made
			}
			reply.Into(t, &thread)
			ids["thread"], ids["note"] = thread.ID, thread.Notes[0].ID
		}
		if step.name == "" {
			continue
		}
		servertest.Golden(t, filepath.Join("testdata", "payload", step.name+".txt"), shown(t, hooks...))
		if !strings.HasPrefix(step.name, "merge_request") {
			require.Empty(t, system)
			continue
		}
		require.Len(t, system, len(hooks), step.name)
		for n, r := range system {
			require.Equal(t, "System Hook", r.header.Get("X-Gitlab-Event"))
			require.JSONEq(t, shown(t, hooks[n])[len("X-Gitlab-Event: Merge Request Hook\n"):],
				shown(t, r)[len("X-Gitlab-Event: System Hook\n"):], step.name)
		}
	}
}
