package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/forge/forgetest"
	"hew/server/setting"
)

// Why an import is refused at once, by the words of the public service.
func TestRefusedGitHub(t *testing.T) {
	t.Parallel()
	sc, h := newScene(t), forgetest.NewGitHub(t)
	dave := sc.s.User(t, "dave")
	var group struct{ ID int64 }
	sc.s.Do(t, dave.Token, "POST", "/groups", map[string]any{"name": "g", "path": "theirs", "visibility": "public"}).
		Into(t, &group)
	sc.s.Do(t, dave.Token, "POST", fmt.Sprintf("/groups/%d/members", group.ID),
		map[string]any{"user_id": sc.user.ID, "access_level": 30})
	sc.s.Do(t, dave.Token, "POST", "/groups", map[string]any{"name": "h", "path": "hidden"})
	sc.s.Do(t, sc.user.Token, "POST", "/groups",
		map[string]any{"name": "c", "path": "closed", "project_creation_level": "noone"})
	sc.s.Do(t, sc.user.Token, "POST", "/projects", map[string]any{"name": "taken"})
	const missing = `{"errors":"Namespace or group to import repository into does not exist."}`
	const refused = `{"errors":"You are not allowed to import projects in this namespace."}`
	for _, tt := range []struct {
		more   map[string]any
		fault  *forgetest.Fault
		status int
		body   string
	}{
		{map[string]any{"personal_access_token": "wrong"}, nil, 401, `{"error":"Access denied to your GitHub account."}`},
		{map[string]any{"repo_id": 7}, nil, 422, `{"errors":"Import failed due to a GitHub error: Not Found (HTTP 404)"}`},
		{nil, &forgetest.Fault{Status: 502, Body: "<html>"}, 422,
			`{"errors":"Import failed due to a GitHub error: the host gives no reason (HTTP 502)"}`},
		{nil, &forgetest.Fault{Status: 200, Body: "{}"}, 422,
			`{"errors":"Import failed due to a GitHub error: the answer is not a repository"}`},
		{nil, &forgetest.Fault{Status: 403, Header: map[string]string{"Retry-After": "9"}}, 429,
			`{"error":"Too Many Requests"}`},
		{nil, &forgetest.Fault{Status: 302, Header: map[string]string{"Location": "http://127.0.0.2/"}}, 422,
			fmt.Sprintf(`{"errors":"Import failed due to a GitHub error: %s leads to 127.0.0.2, which is another host"}`,
				h.URL[len("http://"):])},
		{map[string]any{"target_namespace": "nowhere"}, nil, 422, missing},
		{map[string]any{"target_namespace": "hidden"}, nil, 422, missing},
		{map[string]any{"target_namespace": "theirs"}, nil, 422, refused},
		{map[string]any{"target_namespace": "dave"}, nil, 422, refused},
		{map[string]any{"target_namespace": "closed"}, nil, 422, refused},
		{map[string]any{"target_namespace": ""}, nil, 400, `{"error":"target_namespace is empty"}`},
		{map[string]any{"new_name": "taken"}, nil, 422, `{"errors":"Name has already been taken"}`},
		{map[string]any{"new_name": "-odd-"}, nil, 422, `{"errors":"Name can contain only letters`},
		{map[string]any{"pagination_limit": 101}, nil, 400, `{"error":"pagination_limit does not have a valid value"}`},
		{map[string]any{"timeout_strategy": "hopeful"}, nil, 400,
			`{"error":"timeout_strategy does not have a valid value"}`},
	} {
		h.Set(func() { h.Fault = func(*http.Request) *forgetest.Fault { return tt.fault } })
		reply := sc.s.Do(t, sc.user.Token, "POST", "/import/github", gitHubParams(h, tt.more))
		require.Equal(t, tt.status, reply.Status, "%v: %s", tt, reply.Body)
		require.Contains(t, string(reply.Body), tt.body[:len(tt.body)-1])
	}
	set := func(key string, value any) { require.NoError(t, setting.Set(t.Context(), sc.s.Store, key, value)) }
	h.Set(func() { h.Fault = nil })
	set("repository_size_limit", 1<<20)
	h.Set(func() { h.Values["/api/v3/repositories/42"].(map[string]any)["size"] = 2048 })
	reply := sc.s.Do(t, sc.user.Token, "POST", "/import/github", gitHubParams(h, nil))
	require.Equal(t, `422 {"errors":"\"site\" size (2 MiB) is larger than the limit of 1 MiB."}`,
		fmt.Sprint(reply.Status, " ", string(reply.Body)))
	set("import_sources", []string{"git"})
	reply = sc.s.Do(t, sc.user.Token, "POST", "/import/github", gitHubParams(h, nil))
	require.Equal(t, `403 {"errors":["Importing from github is disabled; an administrator can add it to import_sources"]}`,
		fmt.Sprint(reply.Status, " ", string(reply.Body)))
}

// Who may cancel an import, and until when.
func TestCancel(t *testing.T) {
	t.Parallel()
	sc, h := newScene(t), forgetest.NewGitHub(t)
	dave := sc.s.User(t, "dave")
	limited := func(r *http.Request) *forgetest.Fault {
		if r.URL.Path == "/api/v3/repositories/42" {
			return nil
		}
		return &forgetest.Fault{Status: 429, Header: map[string]string{"Retry-After": "3600"}}
	}
	cancel := func(token string, project any) string {
		reply := sc.s.Do(t, token, "POST", "/import/github/cancel", map[string]any{"project_id": project})
		return fmt.Sprint(reply.Status, " ", string(reply.Body))
	}
	h.Set(func() {
		h.Values["/api/v3/repositories/42"].(map[string]any)["clone_url"] = h.URL + "/acme/site.git"
		h.Fault = func(r *http.Request) *forgetest.Fault {
			if r.URL.Path == "/api/v3/repos/acme/site/labels" {
				return limited(r)
			}
			return nil
		}
	})
	var made record
	sc.s.Do(t, sc.user.Token, "POST", "/import/github", gitHubParams(h, nil)).Into(t, &made)
	sc.s.Drain(t)
	var r record
	sc.get(fmt.Sprintf("/projects/%d/import", made.ID), &r)
	require.Equal(t, "started", r.ImportStatus, "it waits for the host")
	require.Equal(t, `403 {"message":"Unauthorized access"}`, cancel(dave.Token, made.ID))
	require.Equal(t, `404 {"message":"404 Not found"}`, cancel(dave.Token, 99999))
	require.Contains(t, cancel(sc.user.Token, made.ID), `"import_status":"canceled"`)
	require.Equal(t, `400 {"message":"The import cannot be canceled because it is canceled"}`,
		cancel(sc.user.Token, made.ID))
	require.Equal(t, []string{"main"}, sc.texts(fmt.Sprintf("/projects/%d/repository/branches?search=main", made.ID), "name"))
}

// A group's bot imports into the group, where a public project stays public, and never into a
// namespace of its own.
func TestImportByGroupToken(t *testing.T) {
	t.Parallel()
	sc, h := newScene(t), forgetest.NewGitHub(t)
	var group struct{ ID int64 }
	sc.s.Do(t, sc.user.Token, "POST", "/groups", map[string]any{"name": "g", "path": "ours", "visibility": "public"}).
		Into(t, &group)
	var token struct{ Token string }
	sc.s.Do(t, sc.user.Token, "POST", fmt.Sprintf("/groups/%d/access_tokens", group.ID), map[string]any{
		"name": "bot", "scopes": []string{"api"}, "access_level": 40, "expires_at": "2027-06-01",
	}).Into(t, &token)
	reply := sc.s.Do(t, token.Token, "POST", "/import/github", gitHubParams(h, map[string]any{"target_namespace": "ours"}))
	require.Equal(t, 201, reply.Status, string(reply.Body))
	sc.s.Drain(t)
	var p struct{ Visibility string }
	sc.get("/projects/ours%2Fsite", &p)
	require.Equal(t, "public", p.Visibility)
	b := forgetest.NewBitbucketServer(t)
	reply = sc.s.Do(t, token.Token, "POST", "/import/forge_server", bitbucketParams(b, nil))
	require.Equal(t, `422 {"errors":"You are not allowed to import projects in this namespace."}`,
		fmt.Sprint(reply.Status, " ", string(reply.Body)))
}
