package server_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// A user who does something more often than a setting allows gets 429 with the time to wait, and
// others do not.
func TestRateLimits(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	alice, bob := s.User(t, "alice"), s.User(t, "bob")
	var g, p servertest.Made
	s.Do(t, alice.Token, "POST", "/groups",
		map[string]any{"name": "acme", "path": "acme", "visibility": "public"}).Into(t, &g)
	s.Do(t, alice.Token, "POST", "/projects",
		map[string]any{"name": "web", "namespace_id": g.ID, "visibility": "public"}).Into(t, &p)
	group, project := fmt.Sprintf("/groups/%d", g.ID), fmt.Sprintf("/projects/%d", p.ID)
	s.Do(t, s.RootToken, "POST", project+"/issues", map[string]any{"title": "One"})
	const limit = 2
	for _, tt := range []struct {
		setting      string
		method, path string
		body         any
		anonymous    bool
	}{
		{"issues_create_limit", "POST", project + "/issues", map[string]any{"title": "x"}, false},
		{"issues_create_limit", "POST", group + "/epics", map[string]any{"title": "x"}, false},
		{"notes_create_limit", "POST", project + "/issues/1/notes", map[string]any{"body": "x"}, false},
		{"notes_create_limit", "POST", project + "/issues/1/discussions", map[string]any{"body": "x"}, false},
		{"search_rate_limit", "GET", "/issues?search=x", nil, false},
		{"search_rate_limit", "GET", group + "/issues?search=x", nil, false},
		{"search_rate_limit", "GET", project + "/issues?search=x", nil, false},
		{"search_rate_limit_unauthenticated", "GET", project + "/issues?search=x", nil, true},
	} {
		name := tt.setting + ": " + tt.path
		token, other := alice.Token, bob.Token
		if tt.anonymous {
			token, other = "", bob.Token
		}
		set := func(n int) {
			r := s.Do(t, s.RootToken, "PUT", "/application/settings", map[string]any{tt.setting: n})
			require.Equal(t, 200, r.Status, "%s", r.Body)
			require.NoError(t, s.Store.Exec(t.Context(), `delete from rate_limits`, nil))
		}
		set(limit)
		for range limit {
			require.Less(t, s.Do(t, token, tt.method, tt.path, tt.body).Status, 300, name)
		}
		r := s.Do(t, token, tt.method, tt.path, tt.body)
		require.Equal(t, 429, r.Status, name)
		require.Equal(t, "60", r.Header.Get("Retry-After"), name)
		require.JSONEq(t,
			`{"message":{"error":"This endpoint has been requested too many times. Try again later."}}`,
			string(r.Body), name)
		require.NotEqual(t, 429, s.Do(t, other, tt.method, tt.path, tt.body).Status, name)

		require.NoError(t, s.Store.Exec(t.Context(),
			`update rate_limits set since = since - interval '1 minute'`, nil))
		require.Less(t, s.Do(t, token, tt.method, tt.path, tt.body).Status, 300, "%s: a minute later", name)

		set(0)
		for range limit + 1 {
			require.Less(t, s.Do(t, token, tt.method, tt.path, tt.body).Status, 300, "%s: 0 is no limit", name)
		}
		set(300)
	}
	require.Equal(t, 200, s.Do(t, "", "GET", project+"/issues", nil).Status, "lists without a search are not counted")
}
