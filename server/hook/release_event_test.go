package hook_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Hooks of the project and of the groups above get what happens to releases, with the commit while
// there is a tag.
func TestReleasesAreTold(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	site := e.make("/projects", map[string]any{"name": "Site", "path": "site", "namespace_id": acme})
	project := fmt.Sprintf("/projects/%d", site)
	test := fmt.Sprintf("/groups/%d/hooks/%d/test/releases_events", acme,
		e.hook(acme, "/acme", map[string]any{"releases_events": true}))
	hook := e.make(project+"/hooks", map[string]any{
		"url": e.url + "/site", "push_events": false, "releases_events": true,
	})
	e.hook(acme, "/silent", nil)
	r := e.Do(t, e.RootToken, "POST", test, nil)
	require.Equal(t, 422, r.Status)
	require.Contains(t, string(r.Body), "Ensure the project has releases.")

	e.as("POST", project+"/repository/commits", map[string]any{
		"branch": "main", "commit_message": "Add a file",
		"actions": []any{map[string]any{"action": "create", "file_path": "a", "content": "a\n"}},
	})
	require.Empty(t, e.requests())
	e.as("POST", project+"/releases", map[string]any{
		"tag_name": "v1", "ref": "main", "description": "First", "released_at": "2020-01-02T03:04:05Z",
		"assets": map[string]any{"links": []any{map[string]any{"name": "bin", "url": "https://example.com/bin"}}},
	})
	got := e.requests()
	require.Len(t, got, 2)
	body := got[0].body
	require.Equal(t, "Release Hook", got[0].header.Get("X-Gitlab-Event"))
	require.Equal(t, "release", body["object_kind"])
	require.Equal(t, "create", body["action"])
	require.Equal(t, "v1", body["tag"])
	require.Equal(t, "v1", body["name"])
	require.Equal(t, "First", body["description"])
	require.Equal(t, "2020-01-02T03:04:05Z", body["released_at"])
	require.Contains(t, body["url"], "/acme/site/-/releases/v1")
	require.Equal(t, "acme/site", body["project"].(map[string]any)["path_with_namespace"])
	assets := body["assets"].(map[string]any)
	require.EqualValues(t, 5, assets["count"])
	require.Equal(t, "bin", assets["links"].([]any)[0].(map[string]any)["name"])
	require.Len(t, assets["sources"], 4)
	require.Equal(t, "Add a file", body["commit"].(map[string]any)["title"])
	require.NotContains(t, body["commit"], "added")

	e.as("PUT", project+"/releases/v1", map[string]any{"name": "One"})
	e.as("POST", test, nil)
	e.as("POST", fmt.Sprintf("%s/hooks/%d/test/releases_events", project, hook), nil)
	e.as("DELETE", project+"/releases/v1", nil)
	e.as("POST", project+"/releases", map[string]any{"tag_name": "v1"})
	e.as("DELETE", project+"/repository/tags/v1", nil)
	actions := map[string]int{}
	for _, r := range e.requests() {
		actions[fmt.Sprint(r.body["action"], " ", r.body["name"], " commit: ", r.body["commit"] != nil)]++
	}
	require.Equal(t, map[string]int{
		"update One commit: true": 2, "create One commit: true": 2, "delete One commit: true": 2,
		"create v1 commit: true": 2, "delete v1 commit: false": 2,
	}, actions)
}
