package provider

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/ledger"
)

const deployTokenConfig = `resource "project_deploy_token" "ci" {
  project    = "acme/api"
  name       = "ci"
  scopes     = ["read_repository"]
  expires_at = "2099-01-02"
}
resource "project_hook" "ci" {
  project = "acme/api"
  url     = "https://h.example/${project_deploy_token.ci.username}"
  token   = project_deploy_token.ci.token
}`

// The token and its username go on to where they are needed. A token that was revoked or has
// expired is created again, and another day makes another token.
func TestDeployTokens(t *testing.T) {
	t.Parallel()
	tokens, hooks := "", ""
	h := serve(t, script{
		"GET /user": {status: 200, body: root}, "GET /projects/{id}": {status: 200, body: apiHas},
		"GET /projects/7/deploy_tokens": {do: func(w http.ResponseWriter, r *http.Request) {
			require.Equal(t, "true", r.URL.Query().Get("active"))
			reply(w, 200, "["+tokens+"]")
		}},
		"GET /projects/7/hooks": {do: func(w http.ResponseWriter, _ *http.Request) { reply(w, 200, "["+hooks+"]") }},
		"POST /projects/7/deploy_tokens": {do: func(w http.ResponseWriter, _ *http.Request) {
			tokens = `{"id":3,"name":"ci","username":"gitlab+deploy-token-3","scopes":["read_repository"],` +
				`"expires_at":"2099-01-02T00:00:00.000Z","revoked":false,"expired":false}`
			reply(w, 201, strings.TrimSuffix(tokens, "}")+`,"token":"gldt-shown-once"}`)
		}},
		"POST /projects/7/hooks": {do: func(w http.ResponseWriter, _ *http.Request) {
			hooks = `{"id":4,"url":"https://h.example/gitlab+deploy-token-3"}`
			reply(w, 201, hooks)
		}},
	})
	back := ledger.Memory()
	require.Equal(t, []string{
		"+ project_deploy_token.ci project name scopes expires_at", "+ project_hook.ci project url token",
	}, h.run(t, back, true, deployTokenConfig))
	require.Equal(t, []string{
		`POST /projects/7/deploy_tokens {"expires_at":"2099-01-02","name":"ci","scopes":["read_repository"]}`,
		`POST /projects/7/hooks {"token":"gldt-shown-once","url":"https://h.example/gitlab+deploy-token-3"}`,
	}, h.wrote())
	require.Equal(t, []string{"project_deploy_token.ci", "project_hook.ci"}, h.run(t, back, false, deployTokenConfig),
		"the second plan is empty")

	was := tokens
	for _, gone := range []string{"revoked", "expired"} {
		tokens = strings.Replace(was, `"`+gone+`":false`, `"`+gone+`":true`, 1)
		require.Equal(t, "+ project_deploy_token.ci project name scopes expires_at",
			h.run(t, back, false, deployTokenConfig)[0], gone)
	}
	tokens = was
	require.Equal(t, []string{"± project_deploy_token.ci expires_at", "~ project_hook.ci url token"},
		h.run(t, back, false, strings.Replace(deployTokenConfig, "2099", "2098", 1)), "a token cannot be changed")
	require.Equal(t, []string{"± project_deploy_token.ci expires_at", "~ project_hook.ci url token"},
		h.run(t, back, false, strings.Replace(deployTokenConfig, `  expires_at = "2099-01-02"`+"\n", "", 1)),
		"without a day it never expires")
}

func TestDeployTokensAreCheckedOffline(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, the(groupDeployToken).Attr("scopes").Accepts.Check(sets("api")),
		`"api" is not a token scope; use any of read_repository`)
	for _, name := range []string{"", "a b", "ä"} {
		err := the(projectDeployToken).Attr("username").Accepts.Check(valueOf(name))
		require.ErrorContains(t, err, "only letters", name)
	}
	require.NoError(t, the(projectDeployToken).Attr("username").Accepts.Check(valueOf("docs.reader+x_1-y")))
	require.ErrorContains(t, the(groupDeployToken).Attr("expires_at").Accepts.Check(valueOf("2020-01-01")),
		"in the past")
}
