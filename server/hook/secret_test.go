package hook_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Secrets belong to one host. If the URL of a hook, or a variable in it, changes the host, the
// secrets are cleared unless the request has them: the user who changes the host must not obtain
// them.
func TestSecretsStayWithTheirHost(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	port := e.url[strings.LastIndex(e.url, ":"):]
	pair := func(key, value string) map[string]any { return map[string]any{"key": key, "value": value} }
	list := func(pairs ...any) []any { return pairs }
	type body = map[string]any
	for name, c := range map[string]struct {
		method, path string // below the hook
		body         any
		token, key   string // what is sent from then on
		at           string
	}{
		"nothing is said": {"PUT", "", body{"name": "x"}, "hush", "hidden", "/in?k=secret"},
		"the same host": {
			"PUT", "", body{"url_variables": list(pair("host", "127.0.0.1"))}, "hush", "hidden", "/in?k=secret",
		},
		"another part": {
			"PUT", "", body{"url_variables": list(pair("where", "out"))}, "hush", "hidden", "/out?k=secret",
		},
		"another part, by itself": {
			"PUT", "/url_variables/where", body{"value": "out"}, "hush", "hidden", "/out?k=secret",
		},
		"a variable more": {"PUT", "/url_variables/more", body{"value": "x"}, "hush", "hidden", "/in?k=secret"},
		"a header more":   {"PUT", "/custom_headers/More", body{"value": "x"}, "hush", "hidden", "/in?k=secret"},
		"a part less":     {"DELETE", "/url_variables/secret", nil, "hush", "hidden", "/in?k={secret}"},
		"another host": {
			"PUT", "", body{"url_variables": list(pair("host", "localhost"))}, "", "", "/{where}?k={secret}",
		},
		"by itself": {"PUT", "/url_variables/host", body{"value": "localhost"}, "", "", "/{where}?k={secret}"},
		"through a part": {"PUT", "", body{"url_variables": list(pair("host", "localhost"+port+"/x?"))}, "", "",
			"/x?" + port + "/{where}?k={secret}"},
		"with the rest": {
			"PUT", "",
			body{"token": "new", "custom_headers": list(pair("X-Key", "known")),
				"url_variables": list(pair("host", "localhost"), pair("where", "in"))},
			"new", "known", "/in?k={secret}",
		},
		"with another header": {"PUT", "",
			body{"custom_headers": list(pair("Other", "x")), "url_variables": list(pair("host", "localhost"))}, "", "",
			"/{where}?k={secret}"},
		"another url": {
			"PUT", "", body{"url": "http://localhost" + port + "/{where}?k={secret}"}, "", "", "/{where}?k={secret}",
		},
		"another url with another variable": {
			"PUT", "",
			body{"url": "http://localhost" + port + "/{where}?k={secret}", "url_variables": list(pair("where", "out")),
				"custom_headers": list(pair("Other", "x"))},
			"", "", "/out?k={secret}",
		},
		"the same url": {
			"PUT", "", body{"url": "http://{host}" + port + "/{where}?k={secret}"}, "hush", "hidden", "/in?k=secret",
		},
	} {
		hook := e.hook(acme, "", body{
			"url": "http://{host}" + port + "/{where}?k={secret}", "token": "hush", "member_events": true,
			"custom_headers": list(pair("X-Key", "hidden")),
			"url_variables":  list(pair("host", "127.0.0.1"), pair("where", "in"), pair("secret", "secret")),
		})
		one := fmt.Sprintf("/groups/%d/hooks/%d", acme, hook)
		e.as(c.method, one+c.path, c.body)
		e.as("PUT", fmt.Sprintf("/groups/%d/members/1", acme), body{"access_level": 50})
		got := e.requests()
		require.Len(t, got, 1, name)
		path := strings.NewReplacer("%7B", "{", "%7D", "}").Replace(got[0].path)
		require.Equal(t, []string{c.token, c.key, c.at},
			[]string{got[0].header.Get("X-Gitlab-Token"), got[0].header.Get("X-Key"), path}, name)
		e.as("DELETE", one, nil)
	}
}

// A password in the url is a secret of that host as well, and can only be left out of another url.
func TestPasswordsStayWithTheirHost(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	acme := e.group("acme", 0)
	url := "https://ann:passw0rd@{host}/"
	hook := e.hook(acme, "",
		map[string]any{"url": url, "url_variables": []any{map[string]any{"key": "host", "value": "a.example.com"}}})
	one := fmt.Sprintf("/groups/%d/hooks/%d", acme, hook)
	other := []any{map[string]any{"key": "host", "value": "b.example.com"}}
	for _, body := range []map[string]any{
		{"url_variables": other},
		{"url_variables": other, "url": "https://ann:*****@{host}/"},
	} {
		r := e.Do(t, e.RootToken, "PUT", one, body)
		require.Equal(t, 422, r.Status)
		require.Contains(t, string(r.Body), "must be given with its password")
	}
	require.Equal(
		t, 422, e.Do(t, e.RootToken, "PUT", one+"/url_variables/host", map[string]any{"value": "b.example.com"}).Status,
	)
	require.Equal(t, 422, e.Do(t, e.RootToken, "DELETE", one+"/url_variables/host", nil).Status)
	e.as("PUT", one, map[string]any{"url_variables": other, "url": url})
}
