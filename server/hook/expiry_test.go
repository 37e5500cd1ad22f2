package hook_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/hook"
	"hew/server/jobs"
)

// Each token that still works is sent to hooks once, a week before it expires.
func TestExpiringTokensAreTold(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	web := e.group("web", acme)
	site := e.make("/projects", map[string]any{"name": "site", "namespace_id": web})
	flag := map[string]any{"resource_access_token_events": true}
	e.hook(acme, "/acme", flag)
	e.hook(e.group("other", 0), "/other", flag)
	e.hook(web, "/silent", map[string]any{"member_events": false})
	e.make(fmt.Sprintf("/projects/%d/hooks", site),
		map[string]any{"url": e.url + "/site", "push_events": false, "resource_access_token_events": true})
	token := func(of, name string, days int) int64 {
		return e.make(of+"/access_tokens", map[string]any{
			"name": name, "scopes": []string{"api"}, "expires_at": db.Today().Add(days).String(),
		})
	}
	group, project := fmt.Sprintf("/groups/%d", web), fmt.Sprintf("/projects/%d", site)
	token(group, "later", 8)
	revoked := token(group, "revoked", 8)
	e.as("DELETE", fmt.Sprintf("%s/access_tokens/%d", group, revoked), nil)
	_, err := e.Store.DB().Exec(t.Context(), `update personal_access_tokens set expires_at = current_date + 3
		where id = $1`, revoked)
	require.NoError(t, err)
	require.Empty(t, e.take())
	e.User(t, "ann") // has a token of her own, which no hook is about
	inGroup, inProject := token(group, "deploy", 7), token(project, "build", 1)

	run := func() []received {
		require.NoError(t, jobs.Enqueue(t.Context(), e.Store, hook.ExpiryJob{}, hook.ExpiryJob{}))
		return e.requests()
	}
	got := map[string]received{}
	for _, r := range run() {
		got[fmt.Sprint(r.path, " ", r.body["object_attributes"].(map[string]any)["name"])] = r
	}
	require.Len(t, got, 3, "%v", got)
	r := got["/acme deploy"]
	require.Equal(t, []string{"Resource Access Token Hook"}, r.header["X-Gitlab-Event"])
	attributes := r.body["object_attributes"].(map[string]any)
	require.NotEmpty(t, attributes["created_at"])
	require.NotZero(t, attributes["user_id"])
	delete(attributes, "created_at")
	delete(attributes, "user_id")
	require.Equal(t, map[string]any{
		"object_kind": "access_token", "event_name": "expiring_access_token",
		"group": map[string]any{
			"group_name": "web", "group_path": "web", "full_path": "acme/web", "group_id": float64(web),
		},
		"object_attributes": map[string]any{
			"id": float64(inGroup), "name": "deploy", "expires_at": db.Today().Add(7).String(),
		},
	}, r.body)
	for _, path := range []string{"/acme build", "/site build"} {
		r := got[path]
		require.Equal(t, "acme/web/site", r.body["project"].(map[string]any)["path_with_namespace"])
		require.EqualValues(t, inProject, r.body["object_attributes"].(map[string]any)["id"])
		require.NotContains(t, r.body, "group")
	}
	require.Empty(t, run(), "once is enough")
}
