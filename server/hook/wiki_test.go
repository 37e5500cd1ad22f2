package hook_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Pages that the API changes are sent to the hooks of the project, or of the group, and of those
// above (gaps §13.6).
func TestWikiPages(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	web := e.group("web", acme)
	site := e.make("/projects", map[string]any{"name": "Site", "namespace_id": web})
	flag := map[string]any{"wiki_page_events": true}
	e.hook(acme, "/acme", flag)
	e.hook(web, "/silent", nil)
	e.make(fmt.Sprintf("/projects/%d/hooks", site), map[string]any{
		"url": e.url + "/site", "wiki_page_events": true, "push_events": true,
	})
	project, group := fmt.Sprintf("/projects/%d/wikis", site), fmt.Sprintf("/groups/%d/wikis", web)
	require.Empty(t, e.requests())

	e.as("POST", project, map[string]any{"title": "docs/set up", "content": "---\na: 1\n---\nText"})
	got := e.requests()
	require.Len(t, got, 2)
	require.ElementsMatch(t, []string{"/acme", "/site"}, []string{got[0].path, got[1].path})
	require.Equal(t, []string{"Wiki Page Hook"}, got[0].header["X-Gitlab-Event"])
	body, base := got[0].body, e.Server.Server.URL()
	require.Equal(t, "wiki_page", body["object_kind"])
	require.Equal(t, "acme/web/site", body["project"].(map[string]any)["path_with_namespace"])
	require.Equal(t, "root", body["user"].(map[string]any)["username"])
	require.Equal(t, map[string]any{
		"web_url": base + "/acme/web/site/-/wikis/home", "git_ssh_url": "git@127.0.0.1:acme/web/site.wiki.git",
		"git_http_url": base + "/acme/web/site.wiki.git", "path_with_namespace": "acme/web/site.wiki",
		"default_branch": "main",
	}, body["wiki"])
	page := body["object_attributes"].(map[string]any)
	version := page["version_id"].(string)
	require.Regexp(t, regexp.MustCompile(`^[0-9a-f]{40}$`), version)
	require.Equal(t, map[string]any{
		"title": "set up", "content": "Text", "format": "markdown", "message": "root created page: set up",
		"slug": "docs/set-up", "url": base + "/acme/web/site/-/wikis/docs/set-up", "action": "create",
		"diff_url": base + "/acme/web/site/-/wikis/docs/set-up/diff?version_id=" + version, "version_id": version,
	}, page)

	actions := func() (list []string) {
		for _, r := range e.requests() {
			page := r.body["object_attributes"].(map[string]any)
			list = append(list, fmt.Sprint(r.path, " ", page["action"], " ", page["slug"]))
		}
		return list
	}
	e.as("PUT", project+"/docs%2Fset-up", map[string]any{"title": "run"})
	require.ElementsMatch(t, []string{"/acme update docs/run", "/site update docs/run"}, actions())
	e.as("DELETE", project+"/docs%2Frun", nil)
	require.ElementsMatch(t, []string{"/acme delete docs/run", "/site delete docs/run"}, actions())
	require.Equal(t, 404, e.Do(t, e.RootToken, "DELETE", project+"/docs%2Frun", nil).Status)
	require.Empty(t, actions(), "an event of a request that was refused")

	e.as("POST", group, map[string]any{"title": "home", "content": "x", "format": "org"})
	got = e.requests()
	require.Len(t, got, 1)
	require.Equal(t, "/acme", got[0].path)
	require.NotContains(t, got[0].body, "project")
	require.Equal(t, base+"/groups/acme/web/-/wikis/home", got[0].body["wiki"].(map[string]any)["web_url"])
	require.Equal(t, "acme/web.wiki", got[0].body["wiki"].(map[string]any)["path_with_namespace"])
}
