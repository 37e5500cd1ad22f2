package api_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// project is a project in a group, and a server that asks an engine.
type project struct {
	*servertest.Server
	engine *engine
	id     int64
	path   string // of its routes
}

func newProject(t *testing.T) project {
	p := project{Server: servertest.Fresh(t), engine: newEngine(t)}
	setUp(t, p.Server, p.engine.URL+"/")
	var g, made servertest.Made
	p.Do(t, p.RootToken, "POST", "/groups", map[string]any{"name": "Acme", "path": "acme"}).Into(t, &g)
	p.Do(t, p.RootToken, "POST", "/projects", map[string]any{"name": "site", "namespace_id": g.ID}).Into(t, &made)
	p.id = made.ID
	p.path = fmt.Sprintf("/projects/%d/product_analytics/", p.id)
	return p
}

// count is a query.
var count = map[string]any{"query": map[string]any{"measures": []string{"TrackedEvents.count"}}}

// The engine gets the query and a token of the project, and its answer is passed on as it is.
func TestQueryReachesEngine(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.engine.says(0, `{"queryType":"regularQuery","results":[{"data":[{"TrackedEvents.count":"1"}]}]}`)
	r := p.Do(t, p.RootToken, "POST", p.path+"request/load", count)
	require.Equal(t, http.StatusOK, r.Status, string(r.Body))
	require.JSONEq(t, `{"queryType":"regularQuery","results":[{"data":[{"TrackedEvents.count":"1"}]}]}`, string(r.Body))
	require.Equal(t, 200, p.Do(t, p.RootToken, "POST", p.path+"request/dry-run", map[string]any{
		"query": map[string]any{}, "queryType": "regularQuery",
	}).Status)
	require.Equal(t, 200, p.Do(t, p.RootToken, "GET", p.path+"request/meta", nil).Status)
	require.Equal(t, 200, p.Do(t, p.RootToken, "POST", p.path+"request/meta", nil).Status)

	got := p.engine.says(0, "")
	require.Len(t, got, 4)
	require.Equal(t, "POST /cubejs-api/v1/load", got[0].Method+" "+got[0].Path)
	require.Equal(t, map[string]any{
		"query": map[string]any{"measures": []any{"TrackedEvents.count"}}, "queryType": "multi",
	}, got[0].Body)
	require.Equal(t, "POST /cubejs-api/v1/dry-run", got[1].Method+" "+got[1].Path)
	require.Equal(t, map[string]any{"query": map[string]any{}, "queryType": "regularQuery"}, got[1].Body)
	require.Equal(t, "GET /cubejs-api/v1/meta", got[2].Method+" "+got[2].Path)
	require.Equal(t, "GET /cubejs-api/v1/meta", got[3].Method+" "+got[3].Path)

	claims := verify(t, got[0].Token)
	require.Equal(t, fmt.Sprint("gitlab_project_", p.id), claims["appId"])
	require.Equal(t, "127.0.0.1", claims["iss"])
	require.Contains(t, claims, "gitlabToken")
	require.Nil(t, claims["gitlabToken"])
	require.InDelta(t, time.Now().Unix(), claims["iat"], 60)
	require.InDelta(t, 180, claims["exp"].(float64)-claims["iat"].(float64), 0)
}

// verify checks the signature of a token, and returns what it says.
func verify(t *testing.T, token string) (claims map[string]any) {
	parts := strings.Split(token, ".")
	require.Len(t, parts, 3)
	mac := hmac.New(sha256.New, []byte(engineKey))
	mac.Write([]byte(parts[0] + "." + parts[1]))
	require.Equal(t, base64.RawURLEncoding.EncodeToString(mac.Sum(nil)), parts[2])
	body, err := base64.RawURLEncoding.DecodeString(parts[1])
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(body, &claims))
	return claims
}

// With include_token the answer has the token, and that of a maintainer one by which the engine
// reads the funnels for a day.
func TestIncludeToken(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	dev := p.User(t, "dev")
	p.Do(t, p.RootToken, "POST", fmt.Sprintf("/projects/%d/members", p.id),
		map[string]any{"user_id": dev.ID, "access_level": 30})
	ask := func(token string) map[string]any {
		var answer struct {
			Token string `json:"cubeJsToken"`
		}
		p.Do(t, token, "POST", p.path+"request/load", map[string]any{"query": count["query"], "include_token": true}).
			Into(t, &answer)
		got := p.engine.says(0, "")
		require.Equal(t, got[0].Token, answer.Token)
		return verify(t, answer.Token)
	}
	require.Nil(t, ask(dev.Token)["gitlabToken"], "a developer creates no tokens of the project")
	given, ok := ask(p.RootToken)["gitlabToken"].(string)
	require.True(t, ok)
	require.Equal(t, 200, p.Do(t, given, "GET", p.path+"funnels", nil).Status)
	require.Equal(t, 403, p.Do(t, given, "POST", p.path+"request/load", count).Status, "the token reads")
	require.Equal(t, given, ask(p.RootToken)["gitlabToken"], "there is one token for all requests")
	tokens := fmt.Sprintf("/projects/%d/access_tokens", p.id)
	var list []servertest.Made
	p.Do(t, p.RootToken, "GET", tokens+"?state=active", nil).Into(t, &list)
	require.Len(t, list, 1)
	p.Do(t, p.RootToken, "DELETE", fmt.Sprint(tokens, "/", list[0].ID), nil)
	next := ask(p.RootToken)["gitlabToken"]
	require.NotEqual(t, given, next)
	require.NoError(t, p.Store.Exec(t.Context(),
		`update personal_access_tokens set expires_at = current_date where name = 'Product analytics'`, nil))
	require.NotEqual(t, next, ask(p.RootToken)["gitlabToken"])
	p.Do(t, p.RootToken, "GET", tokens+"?state=active", nil).Into(t, &list)
	require.Len(t, list, 1, "the others are revoked")

	p.engine.says(200, `{"error":"Continue wait"}`)
	r := p.Do(t, dev.Token, "POST", p.path+"request/load", map[string]any{"query": count["query"], "include_token": true})
	require.JSONEq(t, `{"error":"Continue wait"}`, string(r.Body))
}

// The answers of the engine, good and bad, and what becomes of them (transfer.md §7).
func TestEngineAnswers(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	const noObject = `{"message":"502 Bad Gateway - The analytics engine did not answer with a JSON object"}`
	for _, tt := range []struct {
		name         string
		status       int
		answer, want string
		code         int
	}{
		{"at work", 200, `{"error":"Continue wait"}`, `{"error":"Continue wait"}`, 200},
		{"no table", 500, `{"error":"Error: Code: 60. DB::Exception: Table x does not exist. (UNKNOWN_TABLE)"}`,
			`{"message":"404 Clickhouse Database Not Found"}`, 404},
		{"no database", 400, `{"error":"Error: Code: 81. DB::Exception: Database x does not exist"}`,
			`{"message":"404 Clickhouse Database Not Found"}`, 404},
		{"refused", 400, `{"error":"Error: \"X.y\" not found"}`,
			`{"message":"400 Bad request - Error: \"X.y\" not found"}`, 400},
		{"wrong key", 403, `{"error":"Invalid token"}`, `{"message":"400 Bad request - Invalid token"}`, 400},
		{"odd error", 500, `{"error":{"a":1}}`, `{"message":"400 Bad request - {\"a\":1}"}`, 400},
		{"no error", 500, `{"stack":"x"}`,
			strings.Replace(noObject, "did not answer with a JSON object", "answered with HTTP status 500", 1), 502},
		{"away", 302, `{}`,
			`{"message":"502 Bad Gateway - The analytics engine answered with HTTP status 302"}`, 502},
		{"a page", 200, `<html>`, noObject, 502},
		{"brotli", 200, `br:x`, strings.Replace(noObject, "did not answer with a JSON object",
			`answered in the encoding \"br\", which was not asked for`, 1), 502},
		{"half", 200, `{"results":[`, noObject, 502},
		{"a list", 200, `[]`, noObject, 502},
		{"null", 200, `null`, noObject, 502},
		{"long", 200, `{"x":"` + strings.Repeat("x", 33<<20) + `"}`,
			`{"message":"502 Bad Gateway - The answer of the analytics engine has more than 32 MiB: ask for less"}`,
			502},
	} {
		p.engine.says(tt.status, tt.answer)
		r := p.Do(t, p.RootToken, "POST", p.path+"request/load", count)
		require.Equal(t, tt.code, r.Status, "%s: %.300s", tt.name, r.Body)
		require.JSONEq(t, tt.want, string(r.Body), tt.name)
	}
	p.engine.Close()
	r := p.Do(t, p.RootToken, "POST", p.path+"request/load", count)
	require.Equal(t, 502, r.Status)
	require.JSONEq(t, `{"message":"502 Bad Gateway - The analytics engine cannot be reached"}`, string(r.Body))
}

// Engines in the local network are for instances that allow them, as all other hosts.
func TestEngineIsGuarded(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.Do(t, p.RootToken, "PUT", "/application/settings",
		map[string]any{"allow_local_requests_from_web_hooks_and_services": false})
	require.Equal(t, 502, p.Do(t, p.RootToken, "POST", p.path+"request/load", count).Status)
	require.Empty(t, p.engine.says(0, ""))
}
