package api_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/hook"
	"hew/server/rest"
	"hew/server/servertest"
	"hew/server/setting"
)

// Addresses of the own network are for instances that allow them.
func TestLocalHooks(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	var p servertest.Made
	s.Do(t, s.RootToken, "POST", "/projects", map[string]any{"name": "local"}).Into(t, &p)
	create := func() int {
		return s.Do(t, s.RootToken, "POST", fmt.Sprintf("/projects/%d/hooks", p.ID),
			map[string]any{"url": "http://127.0.0.1:9"}).Status
	}
	require.Equal(t, http.StatusUnprocessableEntity, create())
	require.NoError(t, setting.Set(t.Context(), s.Store, "allow_local_requests_from_web_hooks_and_services", true))
	require.Equal(t, http.StatusCreated, create())
}

// The secrets of a hook are in no table, no answer and no line of the log.
func TestHookSecretsStaySecret(t *testing.T) {
	t.Parallel()
	const secret = "5w0rdfi5h" // of nine bytes: its base64 needs no padding
	s := servertest.Fresh(t)
	var log bytes.Buffer
	handler := rest.New(rest.Config{
		Auth: s.Auth.Authenticate, Lend: server.Lend(s.Store), Begin: server.Begin, User: server.UserID,
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}, server.Sum(s.Parts).Routes)
	var answers strings.Builder
	send := func(method, path, body string) int {
		r := httptest.NewRequestWithContext(t.Context(), method, "/api/v4"+path, strings.NewReader(body))
		r.Header.Set("Private-Token", s.RootToken)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		answers.WriteString(w.Body.String())
		return w.Code
	}
	var p servertest.Made
	s.Do(t, s.RootToken, "POST", "/projects", map[string]any{"name": "safe"}).Into(t, &p)
	hooks := fmt.Sprintf("/projects/%d/hooks", p.ID)
	var h servertest.Made
	s.Do(t, s.RootToken, "POST", hooks, map[string]any{"url": "https://ci.example.com"}).Into(t, &h)
	ho := fmt.Sprintf("%s/%d", hooks, h.ID)

	require.Equal(t, 201, send("POST", hooks+"?token="+secret,
		`{"url":"https://ci.example.com","url_variables":[{"key":"k","value":"`+secret+`"}]}`))
	require.Equal(
		t, 200, send("PUT", ho, `{"token":"`+secret+`","custom_headers":[{"key":"X-Key","value":"`+secret+`"}]}`),
	)
	require.Equal(t, 204, send("PUT", ho+"/url_variables/k", `{"value":"`+secret+`"}`))
	require.Equal(t, 422, send("PUT", ho, `{"url":"ftp://x","token":"`+secret+`"}`))
	require.Equal(t, 422, send("PUT", ho, `{"custom_headers":[{"key":"no good","value":"`+secret+`"}]}`))
	require.Equal(t, 201, send("POST", hooks, `{"url":"https://user:`+secret+`@ci.example.com/"}`))
	require.Equal(t, 201, send("POST", hooks, `{"url":"https://`+secret+`@ci.example.com/"}`))
	require.Equal(t, 200, send("GET", ho, ``))
	require.Equal(t, 200, send("GET", hooks+"?private_token="+s.RootToken, ``))

	require.NotContains(t, answers.String(), secret)
	require.NotContains(t, log.String(), secret)
	require.NotContains(t, log.String(), s.RootToken)
	dump := s.Dump(t)
	require.Contains(t, dump, "https://ci.example.com")
	require.Contains(t, dump, "https://user:*****@ci.example.com/")
	require.NotContains(t, dump, secret)
	require.NotContains(t, dump, fmt.Sprintf("%x", secret))
	require.NotContains(t, dump, base64.StdEncoding.EncodeToString([]byte(secret)))

	kept, err := hook.FindHook(t.Context(), s.Store, h.ID)
	require.NoError(t, err)
	token, err := hook.PlainToken(s.Store, kept)
	require.NoError(t, err)
	require.Equal(t, secret, token, "it is there for deliveries")
	require.Len(t, kept.CustomHeaders, 1)
	header, err := hook.PlainValue(s.Store, kept, kept.CustomHeaders[0])
	require.NoError(t, err)
	require.Equal(t, secret, header)
}

// The address as it is shown is the one there is, with the password that is not shown; anywhere
// else the mask is none.
func TestHookURLComesBack(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	var p, h servertest.Made
	s.Do(t, s.RootToken, "POST", "/projects", map[string]any{"name": "masked"}).Into(t, &p)
	hooks := fmt.Sprintf("/projects/%d/hooks", p.ID)
	const clear, shown, moved = "https://ci:pw@ci.example.com/", "https://ci:*****@ci.example.com/",
		"https://ci:pw2@ci.example.com/"
	s.Do(t, s.RootToken, "POST", hooks, map[string]any{"url": clear, "token": "t"}).Into(t, &h)
	for _, tt := range []struct {
		url           string
		status        int
		holds, answer string
		token         string
	}{
		{shown, 200, clear, shown, "t"},
		{clear, 200, clear, shown, "t"},
		{shown + "new", 422, clear, "Invalid url given", "t"},
		{moved, 200, moved, shown, ""},
		{"https://ci.example.com/", 200, "https://ci.example.com/", "https://ci.example.com/", ""},
	} {
		r := s.Do(t, s.RootToken, "PUT", fmt.Sprintf("%s/%d", hooks, h.ID), map[string]any{"url": tt.url})
		require.Equal(t, tt.status, r.Status, tt.url)
		require.Contains(t, string(r.Body), tt.answer)
		kept, err := hook.FindHook(t.Context(), s.Store, h.ID)
		require.NoError(t, err)
		url, err := hook.PlainURL(s.Store, kept)
		require.NoError(t, err)
		require.Equal(t, tt.holds, url, tt.url)
		token, err := hook.PlainToken(s.Store, kept)
		require.NoError(t, err)
		require.Equal(t, tt.token, token, tt.url)
	}
	r := s.Do(t, s.RootToken, "POST", hooks, map[string]any{"url": shown})
	require.Equal(t, 422, r.Status, "a mask that was copied would be a hook that cannot sign in")
	long := "https://a:b@example.com/" + strings.Repeat("x", 2048-24)
	require.Equal(t, 201, s.Do(t, s.RootToken, "POST", hooks, map[string]any{"url": long}).Status)
	require.Equal(t, 422, s.Do(t, s.RootToken, "POST", hooks, map[string]any{"url": long + "x"}).Status)
}
