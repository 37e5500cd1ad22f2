package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// Lists that are narrowed by very many labels or assignees are answered, and show what has all of
// them.
func TestManyNames(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	owner := s.User(t, "owner")
	var acme, site servertest.Made
	s.Do(t, owner.Token, "POST", "/groups", map[string]any{"name": "acme", "path": "acme"}).Into(t, &acme)
	s.Do(t, owner.Token, "POST", "/projects",
		map[string]any{"name": "site", "path": "site", "namespace_id": acme.ID}).Into(t, &site)
	names := make([]string, 90)
	for n := range names {
		names[n] = fmt.Sprintf("l%d", n)
	}
	project, group := fmt.Sprintf("/projects/%d/issues", site.ID), fmt.Sprintf("/groups/%d", acme.ID)
	few := map[string]any{"title": "Few", "labels": strings.Join(names[:12], ",")}
	many := map[string]any{"title": "Many", "labels": strings.Join(names, ",")}
	for _, body := range []map[string]any{few, many} {
		for _, path := range []string{project, group + "/epics"} {
			require.Equal(t, 201, s.Do(t, owner.Token, "POST", path, body).Status)
		}
	}
	titles := func(path string) (titles []string) {
		reply := s.Do(t, owner.Token, "GET", path, nil)
		require.Equal(t, 200, reply.Status, "%s", reply.Body)
		var list []struct{ Title string }
		require.NoError(t, json.Unmarshal(reply.Body, &list))
		for _, i := range list {
			titles = append(titles, i.Title)
		}
		return titles
	}
	for _, path := range []string{project, group + "/issues", group + "/epics"} {
		require.ElementsMatch(t, []string{"Few", "Many"}, titles(path+"?labels="+strings.Join(names[:12], ",")))
		require.ElementsMatch(t, []string{"Few", "Many"}, titles(path+"?labels="+strings.Join(names[:12], ",")+",l0,l11"))
		require.Equal(t, []string{"Many"}, titles(path+"?labels="+strings.Join(names[:13], ",")))
		require.Equal(t, []string{"Many"}, titles(path+"?labels="+strings.Join(names, ",")))
		require.Empty(t, titles(path+"?labels="+strings.Join(names, ",")+",other"))
		none := strings.Split("a,b,c,d,e,f,g,h,i,j", ",")
		require.Equal(t, []string{"Few"}, titles(path+"?not[labels]="+strings.Join(none, ",")+",l12,other"))
		require.Empty(t, titles(path+"?not[labels]="+strings.Join(none, ",")+",l11,other"))
	}
	require.Empty(t, titles(project+"?assignee_username="+strings.Join(names, ",")))
}
