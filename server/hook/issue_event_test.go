package hook_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/event"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/work"
)

// object returns a member of a JSON object that is an object.
func object(body any, name string) map[string]any {
	v, _ := body.(map[string]any)[name].(map[string]any)
	return v
}

// Hooks of the project and of the groups above get issues, with every field that changed; those of
// confidential ones go to hooks that want them alone.
func TestIssuesAreTold(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	site := e.make("/projects", map[string]any{"name": "Site", "path": "site", "namespace_id": acme})
	project := fmt.Sprintf("/projects/%d", site)
	hook := fmt.Sprintf("/groups/%d/hooks/%d/test/", acme,
		e.hook(acme, "/acme", map[string]any{"issues_events": true, "note_events": true, "milestone_events": true}))
	e.make(project+"/hooks", map[string]any{
		"url": e.url + "/secret", "push_events": false, "confidential_issues_events": true,
		"confidential_note_events": true,
	})
	for _, what := range []string{"issues", "notes", "milestones"} {
		trigger := map[string]string{"issues": "issues", "notes": "note", "milestones": "milestone"}[what]
		r := e.Do(t, e.RootToken, "POST", hook+trigger+"_events", nil)
		require.Equal(t, 422, r.Status)
		require.Contains(t, string(r.Body), "Ensure the project has "+what+".")
	}

	e.as("POST", project+"/issues", map[string]any{"title": "Broken", "labels": "bug", "assignee_ids": []int{1}})
	got := e.requests()
	require.Len(t, got, 1)
	body := got[0].body
	require.Equal(t, "Issue Hook", got[0].header.Get("X-Gitlab-Event"))
	require.ElementsMatch(t, []string{
		"object_kind", "event_type", "user", "project", "object_attributes", "repository", "assignees", "assignee",
		"labels", "changes",
	}, slices.Collect(maps.Keys(body)))
	require.Equal(t, "issue", body["object_kind"])
	require.Equal(t, "issue", body["event_type"])
	require.Equal(t, "root", object(body, "user")["username"])
	require.Equal(t, "acme/site", object(body, "project")["path_with_namespace"])
	issue := object(body, "object_attributes")
	require.Equal(t, "Broken", issue["title"])
	require.Equal(t, "open", issue["action"])
	require.Equal(t, "opened", issue["state"])
	require.Contains(t, issue["url"], "/acme/site/-/issues/1")
	require.Equal(t, []any{1.0}, issue["assignee_ids"])
	require.Equal(t, "bug", issue["labels"].([]any)[0].(map[string]any)["title"])
	require.Equal(t, "ProjectLabel", body["labels"].([]any)[0].(map[string]any)["type"])
	require.Equal(t, "root", body["assignees"].([]any)[0].(map[string]any)["username"])
	require.Equal(t, map[string]any{"previous": nil, "current": "Broken"}, object(body, "changes")["title"])

	// Each change names its fields and no others.
	milestone := e.make(project+"/milestones", map[string]any{"title": "v1"})
	require.Equal(t, "create", e.requests()[0].body["action"])
	for _, tt := range []struct {
		path   string
		params map[string]any
		fields []string
		action string
	}{
		{"", map[string]any{"title": "Bust"}, []string{"title", "last_edited_at", "last_edited_by_id"}, "update"},
		{"", map[string]any{"description": "- [ ] all"}, []string{"description"}, "update"},
		{"", map[string]any{"labels": "bug,now"}, []string{"labels"}, "update"},
		{"", map[string]any{"remove_labels": "bug"}, []string{"labels"}, "update"},
		{"", map[string]any{"assignee_ids": []int{}}, []string{"assignees"}, "update"},
		{"", map[string]any{"milestone_id": milestone}, []string{"milestone_id"}, "update"},
		{"", map[string]any{"due_date": "2030-01-02"}, []string{"due_date"}, "update"},
		{"", map[string]any{"weight": 3}, []string{"weight"}, "update"},
		{"", map[string]any{"health_status": "at_risk"}, []string{"health_status"}, "update"},
		{"", map[string]any{"discussion_locked": true}, []string{"discussion_locked"}, "update"},
		{"", map[string]any{"issue_type": "incident"}, []string{"issue_type"}, "update"},
		{"", map[string]any{"state_event": "close"}, []string{"state_id", "closed_at"}, "close"},
		{"", map[string]any{"state_event": "reopen"}, []string{"state_id", "closed_at"}, "reopen"},
		{"/time_estimate", map[string]any{"duration": "1h"}, []string{"time_estimate"}, "update"},
		{"/add_spent_time", map[string]any{"duration": "1h"}, []string{"total_time_spent", "time_change"}, "update"},
		{"/reset_spent_time", map[string]any{}, []string{"total_time_spent", "time_change"}, "update"},
	} {
		method := "PUT"
		if tt.path != "" {
			method = "POST"
		}
		e.as(method, project+"/issues/1"+tt.path, tt.params)
		got := e.requests()
		require.Len(t, got, 1, "%v", tt.params)
		require.Equal(t, tt.action, object(got[0].body, "object_attributes")["action"])
		fields := slices.Collect(maps.Keys(object(got[0].body, "changes")))
		fields = slices.DeleteFunc(fields, func(name string) bool { return name == "updated_at" })
		if !slices.Contains(tt.fields, "last_edited_at") { // both may fall into one second
			fields = slices.DeleteFunc(fields, func(name string) bool { return name == "last_edited_at" })
		}
		require.ElementsMatch(t, tt.fields, fields, "%v", tt.params)
	}
	e.as("PUT", project+"/issues/1", map[string]any{"title": "Bust"})
	require.Empty(t, e.requests(), "nothing changed")

	e.as("PUT", project+"/issues/1", map[string]any{"confidential": true})
	got = e.requests()
	require.Len(t, got, 1)
	require.Equal(t, "/secret", got[0].path)
	require.Equal(t, "Confidential Issue Hook", got[0].header.Get("X-Gitlab-Event"))
	require.Equal(t, "confidential_issue", got[0].body["event_type"])
	require.Equal(t, map[string]any{"previous": false, "current": true}, object(got[0].body, "changes")["confidential"])

	require.Equal(t, 422, e.Do(t, e.RootToken, "POST", hook+"issues_events", nil).Status, "it is confidential")
	e.as("POST", hook+"confidential_issues_events", nil)
	require.Equal(t, "Bust", object(e.requests()[0].body, "object_attributes")["title"])
}

// Milestones are told when they are created, closed, reopened and deleted, those of groups without
// a project.
func TestMilestonesAreTold(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	site := e.make("/projects", map[string]any{"name": "Site", "path": "site", "namespace_id": acme})
	e.hook(acme, "/acme", map[string]any{"milestone_events": true})
	for _, at := range []string{
		fmt.Sprintf("/groups/%d/milestones", acme), fmt.Sprintf("/projects/%d/milestones", site),
	} {
		one := fmt.Sprintf("%s/%d", at, e.make(at, map[string]any{"title": "v1 of " + at[:3], "due_date": "2030-01-02"}))
		e.as("PUT", one, map[string]any{"description": "Soon"})
		e.as("PUT", one, map[string]any{"state_event": "close"})
		e.as("PUT", one, map[string]any{"state_event": "activate"})
		e.as("DELETE", one, nil)
		actions := []string{}
		for _, r := range e.requests() {
			require.Equal(t, "Milestone Hook", r.header.Get("X-Gitlab-Event"))
			require.Equal(t, "milestone", r.body["object_kind"])
			require.Equal(t, "2030-01-02", object(r.body, "object_attributes")["due_date"])
			require.Equal(t, at[:3] == "/pr", r.body["project"] != nil)
			actions = append(actions, fmt.Sprint(r.body["action"]))
		}
		require.ElementsMatch(t, []string{"create", "close", "reopen", "delete"}, actions)
	}
}

// Notes are told: internal ones and those on confidential issues to hooks that want them, comments
// on commits with the commit.
func TestNotesAreTold(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	site := e.make("/projects", map[string]any{"name": "Site", "path": "site", "namespace_id": acme})
	project := fmt.Sprintf("/projects/%d", site)
	e.hook(acme, "/acme", map[string]any{"note_events": true})
	e.make(project+"/hooks", map[string]any{
		"url": e.url + "/secret", "push_events": false, "confidential_note_events": true,
	})
	e.as("POST", project+"/issues", map[string]any{"title": "Broken"})
	p, err := tree.FindProject(t.Context(), e.Store, site)
	require.NoError(t, err)
	i, err := work.Viewer{All: true}.Issue(t.Context(), e.Store, site, 50, 1)
	require.NoError(t, err)
	write := func(body string, internal bool) note.Note {
		n := note.Note{
			Container: p.Container(), TargetIDs: i.Target().IDs(), DiscussionID: "d", Body: body, AuthorID: new(int64(1)),
			Internal: internal, CreatedAt: i.CreatedAt, UpdatedAt: i.CreatedAt,
		}
		n.ID, err = e.Store.Insert(t.Context(), "notes", n)
		require.NoError(t, err)
		return n
	}
	n := write("Why?", false)
	by := tree.User{ID: 1}
	require.NoError(t, event.Emit(t.Context(), e.Store, note.Created{Target: i.Target(), Note: n, By: by}))
	require.NoError(t, event.Emit(t.Context(), e.Store, note.Changed{Target: i.Target(), Before: n, Note: n, By: by}))
	got := e.requests()
	require.Len(t, got, 2)
	for _, r := range got {
		require.Equal(t, "Note Hook", r.header.Get("X-Gitlab-Event"))
		require.Equal(t, "note", r.body["event_type"])
		require.Equal(t, "Why?", object(r.body, "object_attributes")["note"])
		require.Equal(t, "Issue", object(r.body, "object_attributes")["noteable_type"])
		require.Contains(t, object(r.body, "object_attributes")["url"], "/acme/site/-/issues/1#note_")
		require.Equal(t, "Broken", object(r.body, "issue")["title"])
		require.Equal(t, "root", object(r.body, "user")["username"])
		require.EqualValues(t, site, r.body["project_id"])
	}
	secret := write("Hush", true)
	require.NoError(t, event.Emit(t.Context(), e.Store, note.Created{Target: i.Target(), Note: secret, By: by}))
	got = e.requests()
	require.Len(t, got, 1)
	require.Equal(t, "/secret", got[0].path)
	require.Equal(t, "Confidential Note Hook", got[0].header.Get("X-Gitlab-Event"))
	require.Equal(t, "confidential_note", got[0].body["event_type"])

	e.as("POST", project+"/repository/commits", map[string]any{
		"branch": "main", "commit_message": "Add a file",
		"actions": []any{map[string]any{"action": "create", "file_path": "a", "content": "a\n"}},
	})
	commits, err := db.Value[[]byte](t.Context(), e.Store, `select oid from commits`, nil)
	require.NoError(t, err)
	on := note.Target{Container: p.Container(), Kind: note.Commit, OID: commits}
	c := note.Note{
		Container: p.Container(), TargetIDs: on.IDs(), DiscussionID: "c", Body: "Nice", AuthorID: new(int64(1)),
		CreatedAt: i.CreatedAt, UpdatedAt: i.CreatedAt,
	}
	c.ID, err = e.Store.Insert(t.Context(), "notes", c)
	require.NoError(t, err)
	require.NoError(t, event.Emit(t.Context(), e.Store, note.Created{Target: on, Note: c, By: by}))
	got = e.requests()
	require.Len(t, got, 1)
	require.Equal(t, "Add a file", object(got[0].body, "commit")["title"])
	require.Equal(t, "Commit", object(got[0].body, "object_attributes")["noteable_type"])

	// Reactions are told, too, but for those to what is confidential.
	e.make(project+"/hooks", map[string]any{"url": e.url + "/emoji", "push_events": false, "emoji_events": true})
	a := note.Award{ID: 7, UserID: 1, Name: "thumbsup", CreatedAt: i.CreatedAt, UpdatedAt: i.CreatedAt}
	for _, about := range []*note.Note{nil, &n, &secret} {
		on := note.Awardable{Target: i.Target(), Note: about}
		require.NoError(t, event.Emit(t.Context(), e.Store, note.Awarded{On: on, Award: a, By: by}))
		require.NoError(t, event.Emit(t.Context(), e.Store, note.Unawarded{On: on, Award: a, By: by}))
	}
	told := map[string]int{}
	for _, r := range e.requests() {
		require.Equal(t, "Emoji Hook", r.header.Get("X-Gitlab-Event"))
		require.Equal(t, "thumbsup", object(r.body, "object_attributes")["name"])
		require.Equal(t, "Broken", object(r.body, "issue")["title"])
		told[fmt.Sprint(r.body["event_type"], " ", object(r.body, "object_attributes")["awardable_type"], " ",
			object(r.body, "note")["note"])]++
	}
	require.Equal(t, map[string]int{
		"award Issue <nil>": 1, "revoke Issue <nil>": 1, "award Note Why?": 1, "revoke Note Why?": 1,
	}, told)
}
