package api_test

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
)

// keys returns the keys that sign tokens of jobs, by their ids, at an address of the host.
func (y yard) keys(path string) map[string]*rsa.PublicKey {
	y.t.Helper()
	answer, err := http.Get(strings.TrimSuffix(y.URL, "/api/v4") + path)
	require.NoError(y.t, err)
	defer answer.Body.Close()
	require.Equal(y.t, 200, answer.StatusCode)
	text, err := io.ReadAll(answer.Body)
	require.NoError(y.t, err)
	var set struct {
		Keys []struct{ Kid, Kty, Alg, E, N string }
	}
	require.NoError(y.t, json.Unmarshal(text, &set))
	keys := map[string]*rsa.PublicKey{}
	for _, k := range set.Keys {
		e, n := decoded(y.t, k.E), decoded(y.t, k.N)
		keys[k.Kid] = &rsa.PublicKey{E: int(new(big.Int).SetBytes(e).Int64()), N: new(big.Int).SetBytes(n)}
	}
	return keys
}

func decoded(t *testing.T, text string) []byte {
	t.Helper()
	content, err := base64.RawURLEncoding.DecodeString(text)
	require.NoError(t, err)
	return content
}

// A job gets tokens that others check by the keys of the host, and that say what the job is
// whatever variables its pipeline was started with.
func TestIDTokens(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": `
a:
  script: a
  environment: production
  id_tokens:
    ONE: {aud: "https://$WHO.example.com"}
    TWO: {aud: [x, y]}
`})
	w := y.at(p)
	y.Drain(t)
	w.take()
	y.ok("POST", p+"/pipeline", map[string]any{"ref": "main", "variables": []map[string]any{
		{"key": "WHO", "value": "vault"}, {"key": "CI_CONFIG_REF_URI", "value": "forged"},
		{"key": "CI_PROJECT_PATH", "value": "forged"},
	}})
	job := w.take()
	for name, audience := range map[string]any{"ONE": "https://vault.example.com", "TWO": []any{"x", "y"}} {
		parts := strings.Split(job.variable(name), ".")
		require.Len(t, parts, 3)
		var header struct{ Alg, Kid string }
		require.NoError(t, json.Unmarshal(decoded(t, parts[0]), &header))
		require.Equal(t, "RS256", header.Alg)
		key := y.keys("/oauth/discovery/keys")[header.Kid]
		require.NotNil(t, key)
		sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
		require.NoError(t, rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], decoded(t, parts[2])))
		var claims map[string]any
		require.NoError(t, json.Unmarshal(decoded(t, parts[1]), &claims))
		base := strings.TrimSuffix(y.URL, "/api/v4")
		for claim, want := range map[string]any{
			"aud": audience, "iss": base, "sub": "project_path:alice/site:ref_type:branch:ref:main",
			"project_path": "alice/site", "ref_protected": "true", "ref_path": "refs/heads/main", "user_login": "alice",
			"environment": "production", "deployment_tier": "production", "pipeline_source": "api",
		} {
			require.Equal(t, want, claims[claim], claim)
		}
		require.Contains(t, claims["ci_config_ref_uri"], "alice/site//.gitlab-ci.yml@refs/heads/main")
		require.InDelta(t, time.Now().Unix()+int64(job.RunnerInfo.Timeout), claims["exp"], 60)
	}
	for _, v := range job.Variables {
		if v.Key == "ONE" {
			require.True(t, v.Masked)
		}
	}
	sealed, err := db.Values[[]byte](t.Context(), y.Store, `select sealed from token_keys`, nil)
	require.NoError(t, err)
	require.Len(t, sealed, 1)
	answer, err := http.Get(strings.TrimSuffix(y.URL, "/api/v4") + "/.well-known/openid-configuration")
	require.NoError(t, err)
	defer answer.Body.Close()
	var found struct {
		Issuer string
		Keys   string `json:"jwks_uri"`
	}
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&found))
	require.Equal(t, found.Issuer+"/oauth/discovery/keys", found.Keys)
}

// The address of an environment can have variables that the job reports.
func TestReportedURL(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": `
deploy:
  script: d
  environment: {name: review, url: "https://$REPORTED.example.com"}
  artifacts: {reports: {dotenv: out.env}}
`})
	w := y.at(p)
	y.Drain(t)
	job := w.take()
	plan := fmt.Sprintf("/jobs/%d/artifacts/authorize?artifact_type=terraform&filesize=6000000", job.ID)
	require.Equal(t, 413, w.send("POST", plan, job.Token, "", nil, nil).StatusCode,
		"reports of this type have a limit of their own")
	require.Equal(t, 201, w.upload(job, "artifact_type=dotenv&artifact_format=gzip", "out.env.gz",
		zipped(t, "REPORTED=here\n")).StatusCode)
	require.Equal(t, 200, w.put(job, map[string]any{"state": "success"}).StatusCode)
	var list []struct {
		URL *string `json:"external_url"`
	}
	y.ok("GET", p+"/environments", nil).Into(t, &list)
	require.Len(t, list, 1)
	require.NotNil(t, list[0].URL)
	require.Equal(t, "https://here.example.com", *list[0].URL)
}
