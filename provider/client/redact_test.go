package client

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOwnSecretsAreMaskedInAnswers: whatever a host answers, nothing has what the request was
// signed in with, wherever that came from.
func TestOwnSecretsAreMaskedInAnswers(t *testing.T) {
	t.Parallel()
	const token, password = "glpat-to/ken+s3cret", "pa55-s3cret"
	echo := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, sent, _ := r.BasicAuth()
		w.Header().Set("X-Request-Id", r.Header.Get("PRIVATE-TOKEN"))
		text, _ := json.Marshal([]string{r.Header.Get("PRIVATE-TOKEN"), sent, r.Header.Get("Authorization")})
		reply(w, 200, string(text))
	})
	env := func(name string) Config {
		return FromEnv(func(n string) (string, bool) {
			if n != name {
				return "", false
			}
			return token, true
		})
	}
	signed := base64.StdEncoding.EncodeToString([]byte("joe:" + password))
	for name, c := range map[string]Config{
		"HEW_TOKEN":                 env("HEW_TOKEN"),
		"GITLAB_TOKEN":              env("GITLAB_TOKEN"),
		"provider block or -var":    {Token: token, TokenFrom: "the provider block"},
		"with a line break":         {Token: token + "\n"},
		"credentials in the URL":    {},
		"both":                      env("HEW_TOKEN"),
		"both, by a read-only view": env("HEW_TOKEN"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.BaseURL = echo.URL
			if c.Token == "" || strings.HasPrefix(name, "both") {
				c.BaseURL = strings.Replace(echo.URL, "://", "://joe:"+password+"@", 1)
			}
			var log bytes.Buffer
			c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			client, err := New(c)
			require.NoError(t, err)
			if strings.Contains(name, "view") {
				client = client.ReadOnly()
			}
			var got []string
			answer, err := client.Get(t.Context(), To("user"), nil, &got)
			require.NoError(t, err)
			l, err := client.List(t.Context(), To("users"), nil)
			require.NoError(t, err)
			for row, err := range Items[string](l) {
				require.NoError(t, err)
				got = append(got, row)
			}
			require.Contains(t, got, masked, "the host was sent something")
			text := strings.Join(got, " ") + answer.RequestID + log.String()
			require.NotContains(t, text, "s3cret")
			require.NotContains(t, text, signed)
		})
	}
}
