package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/servertest"
)

// The arguments of a runner have limits, and a deletion can require that it is unchanged since.
func TestRunnerBounds(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	made := struct{ ID int64 }{}
	s.Do(t, s.RootToken, "POST", "/user/runners", map[string]any{"runner_type": "instance_type"}).Into(t, &made)
	path := fmt.Sprintf("/runners/%d", made.ID)
	tags := strings.Split(strings.TrimSuffix(strings.Repeat("tag,", 51), ","), ",")
	for i := range tags {
		tags[i] += fmt.Sprint(i)
	}
	for name, tt := range map[string]struct {
		status int
		body   map[string]any
	}{
		"a note that fits":         {200, map[string]any{"maintenance_note": strings.Repeat("ä", 1024)}},
		"a note that does not":     {400, map[string]any{"maintenance_note": strings.Repeat("ä", 1025)}},
		"a description too long":   {400, map[string]any{"description": strings.Repeat("ä", 1025)}},
		"ten minutes":              {200, map[string]any{"maximum_timeout": 600}},
		"more than there is":       {400, map[string]any{"maximum_timeout": 1 << 40}},
		"fifty tags":               {200, map[string]any{"tag_list": tags[:50]}},
		"one more":                 {400, map[string]any{"tag_list": tags}},
		"a tag as long as may be":  {200, map[string]any{"tag_list": []string{strings.Repeat("t", 255)}}},
		"a tag that is too long":   {400, map[string]any{"tag_list": []string{strings.Repeat("t", 256)}}},
		"tags that are null":       {200, map[string]any{"tag_list": nil}},
		"a description that is no": {200, map[string]any{"description": nil}},
	} {
		r := s.Do(t, s.RootToken, "PUT", path, tt.body)
		require.Equal(t, tt.status, r.Status, "%s: %s", name, r.Body)
	}

	r, err := http.NewRequestWithContext(t.Context(), "DELETE", s.URL+path, nil)
	require.NoError(t, err)
	r.Header.Set("PRIVATE-TOKEN", s.RootToken)
	r.Header.Set("If-Unmodified-Since", "Sat, 01 Jan 2000 00:00:00 GMT")
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusPreconditionFailed, resp.StatusCode)
	require.Equal(t, 204, s.Do(t, s.RootToken, "DELETE", path, nil).Status)
}

// The status of a runner follows from when it was made and when it was heard of last, and lists go
// by the same (gaps §10.5).
func TestRunnerStatus(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	for _, tt := range []struct {
		want        string
		made, heard time.Duration // ago
		heardOf     bool
	}{
		{want: "never_contacted", made: 6 * 24 * time.Hour},
		{want: "stale", made: 8 * 24 * time.Hour},
		{want: "online", made: 8 * 24 * time.Hour, heardOf: true, heard: 119 * time.Minute},
		{want: "offline", made: 8 * 24 * time.Hour, heardOf: true, heard: 121 * time.Minute},
		{want: "offline", made: 6 * 24 * time.Hour, heardOf: true, heard: 6 * 24 * time.Hour},
		{want: "stale", made: 9 * 24 * time.Hour, heardOf: true, heard: 8 * 24 * time.Hour},
	} {
		made := struct{ ID int64 }{}
		s.Do(t, s.RootToken, "POST", "/user/runners",
			map[string]any{"runner_type": "instance_type", "description": tt.want}).Into(t, &made)
		if tt.heardOf {
			require.NoError(t, ci.RecordContact(t.Context(), s.Store, ci.RunnerManager{
				RunnerID: made.ID, SystemID: "s_1", ContactedAt: new(time.Now().Add(-tt.heard)),
			}))
		}
		for _, table := range []string{"runners", "runner_managers"} {
			column := map[string]string{"runners": "id", "runner_managers": "runner_id"}[table]
			_, err := s.Store.DB().Exec(t.Context(), `update `+table+` set created_at = $1
				where `+column+` = $2`, time.Now().Add(-tt.made), made.ID)
			require.NoError(t, err)
		}
		var shown struct {
			Status string
			Online bool
		}
		s.Do(t, s.RootToken, "GET", fmt.Sprintf("/runners/%d", made.ID), nil).Into(t, &shown)
		require.Equal(t, tt.want, shown.Status)
		require.Equal(t, tt.want == "online", shown.Online)
		if tt.heardOf {
			var managers []struct{ Status string }
			s.Do(t, s.RootToken, "GET", fmt.Sprintf("/runners/%d/managers", made.ID), nil).Into(t, &managers)
			require.Equal(t, tt.want, managers[0].Status)
		}
	}
	for want, n := range map[string]int{"never_contacted": 1, "online": 1, "offline": 2, "stale": 2} {
		var list []struct{ Description string }
		s.Do(t, s.RootToken, "GET", "/runners/all?status="+want, nil).Into(t, &list)
		require.Len(t, list, n, want)
		for _, r := range list {
			require.Equal(t, want, r.Description)
		}
	}
}

// A token that has had its time opens nothing.
func TestRunnerTokenExpires(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	made := struct{ Token string }{}
	s.Do(t, s.RootToken, "PUT", "/application/settings", map[string]any{"runner_token_expiration_interval": 3600})
	s.Do(t, s.RootToken, "POST", "/user/runners", map[string]any{"runner_type": "instance_type"}).Into(t, &made)
	require.Equal(t, 200, s.Do(t, "", "POST", "/runners/verify", map[string]any{"token": made.Token}).Status)
	_, err := s.Store.DB().Exec(
		t.Context(), `update runners set token_expires_at = token_expires_at - interval '2 hours'`,
	)
	require.NoError(t, err)
	require.Equal(t, 403, s.Do(t, "", "POST", "/runners/verify", map[string]any{"token": made.Token}).Status)
}
