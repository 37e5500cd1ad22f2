package hook_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Hooks get notes on snippets of their projects; reactions to those are nobody's.
func TestNotesOnSnippetsAreTold(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	site := e.make("/projects", map[string]any{"name": "Site", "path": "site", "namespace_id": acme})
	project := fmt.Sprintf("/projects/%d", site)
	e.make(project+"/hooks", map[string]any{
		"url": e.url + "/hook", "push_events": false, "note_events": true, "emoji_events": true,
	})
	id := e.make(project+"/snippets", map[string]any{"title": "Query", "content": "select 1", "file_name": "q.sql"})
	snippet := fmt.Sprintf("%s/snippets/%d", project, id)
	e.as("POST", snippet+"/notes", map[string]any{"body": "Why one?"})
	e.as("POST", snippet+"/award_emoji", map[string]any{"name": "eyes"})
	got := e.requests()
	require.Len(t, got, 1)
	body := got[0].body
	require.Equal(t, "Note Hook", got[0].header.Get("X-Gitlab-Event"))
	require.Equal(t, "note", body["event_type"])
	attributes, told := object(body, "object_attributes"), object(body, "snippet")
	require.Equal(t, "Snippet", attributes["noteable_type"])
	require.EqualValues(t, id, attributes["noteable_id"])
	require.Contains(t, attributes["url"], fmt.Sprintf("/acme/site/-/snippets/%d#note_", id))
	require.Equal(t, "Query", told["title"])
	require.Equal(t, "q.sql", told["file_name"])
	require.Equal(t, "ProjectSnippet", told["type"])
	require.EqualValues(t, 0, told["visibility_level"])
}
