package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// If several requests create a rule at once, one succeeds and the others learn that it exists.
func TestPushRuleIsMadeOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.User(t, "push-rules")
	var g servertest.Made
	s.Do(t, user.Token, "POST", "/groups", map[string]any{"name": "push-rules", "path": "push-rules-group"}).Into(t, &g)
	status := make([]int, 4)
	var all sync.WaitGroup
	for i := range status {
		all.Go(func() {
			status[i] = s.Do(t, user.Token, "POST", fmt.Sprintf("/groups/%d/push_rule", g.ID),
				map[string]any{"member_check": true}).Status
		})
	}
	all.Wait()
	slices.Sort(status)
	require.Equal(t, []int{201, 422, 422, 422}, status)
}

// The expressions are bounded in signs, and the deletion heeds what the client has seen.
func TestPushRuleBounds(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.User(t, "push-bounds")
	var p servertest.Made
	s.Do(t, user.Token, "POST", "/projects", map[string]any{"name": "push-bounds"}).Into(t, &p)
	path := fmt.Sprintf("/projects/%d/push_rule", p.ID)
	require.Equal(
		t, 400, s.Do(t, user.Token, "POST", path, map[string]any{"file_name_regex": strings.Repeat("ä", 512)}).Status,
	)
	require.Equal(t, 400, s.Do(t, user.Token, "POST", path, map[string]any{"file_name_regex": "a{1001}"}).Status)
	require.Equal(t, 400, s.Do(t, user.Token, "POST", path, map[string]any{"max_file_size": 1 << 40}).Status)
	require.Equal(
		t, 201, s.Do(t, user.Token, "POST", path, map[string]any{"file_name_regex": strings.Repeat("ä", 511)}).Status,
	)

	r, err := http.NewRequestWithContext(t.Context(), "DELETE", s.URL+path, nil)
	require.NoError(t, err)
	r.Header.Set("PRIVATE-TOKEN", user.Token)
	r.Header.Set("If-Unmodified-Since", "Sat, 01 Jan 2000 00:00:00 GMT")
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusPreconditionFailed, resp.StatusCode)
	require.Equal(t, 204, s.Do(t, user.Token, "DELETE", path, nil).Status)
}
