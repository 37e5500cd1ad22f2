package provider

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/ledger"
)

const tokenConfig = `resource "project_access_token" "ci" {
  project = "acme/api"
  name    = "ci"
  scopes  = ["api", "read_repository"]
}
resource "project_hook" "ci" {
  project = "acme/api"
  url     = "https://h.example/"
  token   = project_access_token.ci.token
}`

// The token is in the creating answer alone. It goes on to where it is needed, and
// into no file; once it is good no longer it is gone.
func TestAccessTokens(t *testing.T) {
	t.Parallel()
	tokens, hooks := "", ""
	h := serve(t, script{
		"GET /user": {status: 200, body: root}, "GET /projects/{id}": {status: 200, body: apiHas},
		"GET /projects/7/access_tokens": {do: func(w http.ResponseWriter, r *http.Request) {
			require.Equal(t, "active", r.URL.Query().Get("state"))
			reply(w, 200, "["+tokens+"]")
		}},
		"GET /projects/7/hooks": {do: func(w http.ResponseWriter, _ *http.Request) { reply(w, 200, "["+hooks+"]") }},
		"POST /projects/7/access_tokens": {do: func(w http.ResponseWriter, _ *http.Request) {
			tokens = `{"id":3,"name":"ci","scopes":["read_repository","api"],"access_level":40,"active":true,"revoked":false}`
			reply(w, 201, strings.TrimSuffix(tokens, "}")+`,"token":"glpat-shown-once"}`)
		}},
		"POST /projects/7/hooks": {do: func(w http.ResponseWriter, _ *http.Request) {
			hooks = `{"id":4,"url":"https://h.example/"}`
			reply(w, 201, hooks)
		}},
	})
	back := ledger.Memory()
	require.Equal(t, []string{"+ project_access_token.ci project name scopes", "+ project_hook.ci project url token"},
		h.run(t, back, true, tokenConfig))
	require.Equal(t, []string{
		`POST /projects/7/access_tokens {"name":"ci","scopes":["api","read_repository"]}`,
		`POST /projects/7/hooks {"token":"glpat-shown-once","url":"https://h.example/"}`,
	}, h.wrote())
	require.Equal(t, []string{"project_access_token.ci", "project_hook.ci"}, h.run(t, back, false, tokenConfig),
		"the second plan is empty")

	for _, was := range []string{`"active":true,"revoked":false`, `"active":false,"revoked":false`,
		`"active":false,"revoked":true`} {
		tokens = `{"id":3,"name":"ci","scopes":["read_repository","api"],"access_level":40,` + was + `}`
		want := "+ project_access_token.ci project name scopes"
		if strings.Contains(was, "true,") {
			want = "project_access_token.ci"
		}
		require.Equal(t, want, h.run(t, back, false, tokenConfig)[0], was)
	}
	tokens = strings.Replace(tokens, `"active":false,"revoked":true`, `"active":true,"revoked":false`, 1)
	tokens = strings.Replace(tokens, "40", "30", 1)
	require.Equal(t, []string{"± project_access_token.ci access_level", "~ project_hook.ci token"},
		h.run(t, back, false, strings.Replace(tokenConfig, "name    =", "access_level = 40\n  name =", 1)),
		"a token cannot be changed")
}

func TestAccessTokensAreCheckedOffline(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, the(projectAccessToken).Attr("scopes").Accepts.Check(sets("api", "apy")),
		`"apy" is not a token scope`)
	require.ErrorContains(t, the(projectAccessToken).Attr("scopes").Accepts.Check(sets()),
		"must have at least one scope")
	require.ErrorContains(t, the(groupAccessToken).Attr("expires_at").Accepts.Check(valueOf("2020-01-01")),
		"in the past")
	require.ErrorContains(t, the(groupAccessToken).Attr("expires_at").Accepts.Check(valueOf("")), "must not be empty")
	require.NoError(t, the(groupAccessToken).Attr("scopes").Accepts.Check(sets("read_api")))
}
