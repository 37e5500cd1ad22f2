package client

import (
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// A01: what is in a renamed project is found where that went.
func TestRenamedProjectIsFollowed(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.EscapedPath()
		if path == "/git/api/v4/projects/team.one%2Fold.app/hooks" {
			w.Header().Set("Location", "/git/api/v4/projects/team.one%2Fnew.app/hooks")
			reply(w, 301, `{"message":"This resource has been moved permanently to /x"}`)
			return
		}
		if path != "/git/api/v4/projects/team.one%2Fnew.app/hooks" || r.Header.Get("PRIVATE-TOKEN") != secret {
			reply(w, 404, ``)
			return
		}
		(&pager{rows: 250}).ServeHTTP(w, r)
	})
	c := open(t, Config{BaseURL: s.URL + "/git", MaxWidth: 1})
	path := To("projects/{project}/hooks", "team.one/old.app")

	var ids []int
	reply, err := c.Get(t.Context(), path, url.Values{"per_page": {"3"}}, &ids)
	require.NoError(t, err)
	require.Equal(t, "projects/team.one%2Fnew.app/hooks", reply.Moved)
	require.Equal(t, []int{1, 2, 3}, ids, "the query went along")

	l, err := c.List(t.Context(), path, nil)
	require.NoError(t, err)
	require.Equal(t, reply.Moved, l.Moved)
	rows := 0
	for _, err := range Items[int](l) {
		require.NoError(t, err)
		rows++
	}
	require.Equal(t, 250, rows)
	require.Equal(t, 2+2+2, c.Stats().Total(), "only the first page takes the detour")

	_, err = c.Put(t.Context(), path, nil, nil)
	require.ErrorContains(t, err,
		"301 This resource has been moved permanently to /x; it moved to /projects/team.one%2Fnew.app/hooks")
}

// A01: however the host writes where a project went, its id, its path with dots
// as they are or encoded, alone or with host and query, the redirect resolves.
func TestRedirectsInEverySpelling(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 307, 308} {
		for _, target := range []string{
			"/git/api/v4/projects/42", "{host}/git/api/v4/projects/42", "{host}/git/api/v4/projects/42?statistics=true",
			"/git/api/v4/projects/team.two%2Fnew.app", "/git/api/v4/projects/team%2Etwo%2Fnew%2Eapp",
			"/git/api/v4/projects/team.two%2fnew.app",
			"team.two%2Fnew.app", "../projects/42",
		} {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				switch path := r.URL.Path; {
				case path == "/git/api/v4/projects/team.one/old.app":
					w.Header().Set("Location", strings.ReplaceAll(target, "{host}", "http://"+r.Host))
					w.WriteHeader(status)
				case path == "/git/api/v4/projects/42", path == "/git/api/v4/projects/team.two/new.app":
					reply(w, 200, `{"id":42,"q":"`+r.URL.Query().Get("statistics")+`"}`)
				default:
					reply(w, 404, `{"error":"404 Not Found"}`)
				}
			})
			c := open(t, Config{BaseURL: s.URL + "/git"})
			var got struct {
				ID int
				Q  string
			}
			reply, err := c.Get(t.Context(), To("projects/{p}", "team.one/old.app"), url.Values{"statistics": {"true"}},
				&got)
			require.NoError(t, err, "%d %s", status, target)
			require.Equal(t, 42, got.ID, target)
			require.Equal(t, "true", got.Q, target)
			require.NotEmpty(t, reply.Moved, target)
		}
	}
}

func TestTokenStaysWithItsHost(t *testing.T) {
	t.Parallel()
	other := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was sent on", r.Header.Get("PRIVATE-TOKEN"))
	})
	for name, test := range map[string]struct{ location, want string }{
		"another port": {other.URL + "/api/v4/user",
			"must not receive the token; if that is the host, set HEW_URL to it"},
		"another host": {"http://evil.example.com/api/v4/user", "redirects to http://evil.example.com, which"},
		"the login": {"/users/sign_in?token=hunter2",
			"redirects to /users/sign_in, which is not its API; check HEW_URL"},
		"circles":       {"/api/v4/user", "the redirects form a loop"},
		"a secret host": {"http://joe:hunter2@evil.example.com/", "redirects to http://evil.example.com, which"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", test.location)
				w.WriteHeader(http.StatusFound)
			})
			c := open(t, Config{BaseURL: s.URL, URLFrom: "HEW_URL"})
			_, err := c.Get(t.Context(), To("user"), nil, nil)
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), "hunter2")
			require.Zero(t, c.Stats().Retries)
			require.Zero(t, c.Stats().InFlight)
		})
	}
}

// TestWritesAreNotRedirected: whatever the status, neither the token nor a body follows a write to
// another address, and a read follows to the same host only.
func TestWritesAreNotRedirected(t *testing.T) {
	t.Parallel()
	other := serve(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was sent on", r.Method) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			var requests atomic.Int32
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				w.Header().Set("Location", other.URL+"/api/v4/users")
				w.WriteHeader(status)
			})
			c := open(t, Config{BaseURL: s.URL})
			var body any
			if method != "GET" {
				body = map[string]string{"password": "hunter2"}
			}
			_, err := c.do(t.Context(), method, To("users"), nil, body, nil)
			require.Error(t, err, "%d %s", status, method)
			require.NotContains(t, err.Error(), secret)
			require.EqualValues(t, 1, requests.Load(), "%d %s", status, method)
		}
	}
}
