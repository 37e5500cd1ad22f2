package server_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// TestThrottles checks that each kind of requests is limited as its settings say: for one user, and
// for one address without signing in; that a kind without a limit of its own falls under that of
// the API; and what the answer tells of the limit (gaps §1.1, §1.6).
func TestThrottles(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	alice, bob := s.User(t, "alice"), s.User(t, "bob")
	var p servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "web", "visibility": "public",
		"initialize_with_readme": true}).Into(t, &p)
	project := fmt.Sprintf("/projects/%d", p.ID)
	files, packages := project+"/repository/files/README.md?ref=main", project+"/packages"
	site := strings.TrimSuffix(s.URL, "/api/v4")
	const most = 2
	for _, tt := range []struct {
		setting, token, path string
		other                string // a token that is not limited yet
		free                 string // a path that is not limited
	}{
		{"throttle_authenticated_api", alice.Token, project, bob.Token, "/jobs/request"},
		{"throttle_authenticated_api", alice.Token, packages, bob.Token, "/jobs/request"},
		{"throttle_unauthenticated_api", "", project, bob.Token, "/jobs/request"},
		{"throttle_unauthenticated_api", "wrong", project, bob.Token, "/jobs/request"},
		{"throttle_authenticated_packages_api", alice.Token, packages, bob.Token, project},
		{"throttle_unauthenticated_packages_api", "", packages, alice.Token, project},
		{"throttle_authenticated_files_api", alice.Token, files, bob.Token, project},
		{"throttle_unauthenticated_files_api", "", files, alice.Token, project},
	} {
		name := fmt.Sprintf("%s: %s with %q", tt.setting, tt.path, tt.token)
		set := func(on bool) {
			r := s.Do(t, s.RootToken, "PUT", "/application/settings", map[string]any{
				tt.setting + "_enabled": on, tt.setting + "_requests_per_period": most,
				tt.setting + "_period_in_seconds": 120, "rate_limiting_response_text": "Come back later"})
			require.Equal(t, 200, r.Status, "%s", r.Body)
			require.NoError(t, s.Store.Exec(t.Context(), `delete from rate_limits`, nil))
		}
		set(true)
		for n := range most {
			r := s.Do(t, tt.token, "GET", tt.path, nil)
			require.NotEqual(t, http.StatusTooManyRequests, r.Status, name)
			require.Equal(t, tt.setting, r.Header.Get("RateLimit-Name"), name)
			require.Equal(t, "1", r.Header.Get("RateLimit-Limit"), "%s: a minute", name)
			require.Equal(t, strconv.Itoa(n+1), r.Header.Get("RateLimit-Observed"), name)
			require.Equal(t, strconv.Itoa(most-n-1), r.Header.Get("RateLimit-Remaining"), name)
			require.Empty(t, r.Header.Get("Retry-After"), name)
		}
		r := s.Do(t, tt.token, "GET", tt.path, nil)
		require.Equal(t, http.StatusTooManyRequests, r.Status, name)
		require.Equal(t, "Come back later", string(r.Body), name)
		require.Equal(t, "text/plain; charset=utf-8", r.Header.Get("Content-Type"), name)
		wait, err := strconv.Atoi(r.Header.Get("Retry-After"))
		require.NoError(t, err, name)
		require.InDelta(t, 90, wait, 30, name)
		reset, err := http.ParseTime(r.Header.Get("RateLimit-ResetTime"))
		require.NoError(t, err, name)
		require.WithinDuration(t, time.Now().Add(2*time.Minute), reset, time.Minute, name)
		require.NotEqual(t, http.StatusTooManyRequests, s.Do(t, tt.other, "GET", tt.path, nil).Status, name)
		for _, spelled := range []string{"//api/v4%s", "/api//v4%s", "/%%61pi/v4%s", "/api/v4%s/"} {
			r, err := http.NewRequestWithContext(t.Context(), "GET",
				site+fmt.Sprintf(spelled, tt.path), nil)
			require.NoError(t, err)
			if r.Header.Set("PRIVATE-TOKEN", tt.token); tt.token == "" {
				r.Header.Del("PRIVATE-TOKEN")
			}
			answer, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			require.Equal(t, http.StatusTooManyRequests, answer.StatusCode, "%s: spelled %s", name, spelled)
		}
		r = s.Do(t, tt.token, "GET", tt.free, nil)
		require.NotEqual(t, http.StatusTooManyRequests, r.Status, "%s: %s", name, tt.free)
		require.Empty(t, r.Header.Get("RateLimit-Name"), name)

		set(false)
		require.NotEqual(t, http.StatusTooManyRequests, s.Do(t, tt.token, "GET", tt.path, nil).Status, name)
	}
	const lfs = "throttle_authenticated_git_lfs"
	s.Do(t, s.RootToken, "PUT", "/application/settings",
		map[string]any{lfs + "_enabled": true, lfs + "_requests_per_period": most})
	for n := range most + 1 {
		r, err := http.NewRequestWithContext(t.Context(), "GET", site+"/alice/web.git/info/lfs/locks", nil)
		require.NoError(t, err)
		r.SetBasicAuth("alice", alice.Token)
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, n == most, answer.StatusCode == http.StatusTooManyRequests)
		require.Equal(t, lfs, answer.Header.Get("RateLimit-Name"))
	}
}
