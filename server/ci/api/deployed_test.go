package api_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Lists of merge requests can be narrowed to those that came to an environment: with its first
// deployment all that were merged, with each later one those merged since.
func TestDeployedMergeRequests(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{"README.md": "Hello"})
	land := func(branch string, squash bool) {
		t.Helper()
		y.commit(p, branch, "Change "+branch, map[string]string{branch: "1"})
		var r struct{ IID int64 }
		y.ok("POST", p+"/merge_requests",
			map[string]any{"source_branch": branch, "target_branch": "main", "title": branch}).Into(t, &r)
		y.Drain(t)
		y.ok("PUT", fmt.Sprintf("%s/merge_requests/%d/merge", p, r.IID), map[string]any{"squash": squash})
	}
	deploy := func(environment, state string) (id int64) {
		t.Helper()
		var head, made struct{ ID any }
		y.ok("GET", p+"/repository/commits/main", nil).Into(t, &head)
		y.ok("POST", p+"/deployments", map[string]any{
			"environment": environment, "sha": head.ID, "ref": "main", "tag": false, "status": state,
		}).Into(t, &made)
		y.Drain(t)
		return int64(made.ID.(float64))
	}
	list := func(query string) string {
		t.Helper()
		var found []struct{ Title string }
		y.ok("GET", p+"/merge_requests?sort=asc&"+query, nil).Into(t, &found)
		titles := ""
		for _, r := range found {
			titles += " " + r.Title
		}
		return strings.TrimSpace(titles)
	}
	land("one", false)
	deploy("production", "success")
	require.Equal(t, "one", list("environment=production"))
	between := time.Now()
	land("two", true)
	land("three", false)
	running := deploy("production", "running")
	require.Equal(t, "one", list("environment=production"), "the deployment is not over")
	y.ok("PUT", fmt.Sprintf("%s/deployments/%d", p, running), map[string]any{"status": "success"})
	y.Drain(t)
	deploy("staging", "failed")
	y.commit(p, "four", "Change", map[string]string{"four": "1"})
	y.ok("POST", p+"/merge_requests",
		map[string]any{"source_branch": "four", "target_branch": "main", "title": "four"})
	require.Equal(t, "one two three", list("environment=production"))
	require.Empty(t, list("environment=staging"))
	at := url.QueryEscape(between.UTC().Format(time.RFC3339Nano))
	require.Equal(t, "two three", list("deployed_after="+at))
	require.Equal(t, "one", list("deployed_before="+at))
	require.Empty(t, list("deployed_after="+at+"&environment=staging"))

	var r struct {
		At *time.Time `json:"first_deployed_to_production_at"`
	}
	y.ok("GET", p+"/merge_requests/1", nil).Into(t, &r)
	require.NotNil(t, r.At)
	r.At = nil
	y.ok("GET", p+"/merge_requests/4", nil).Into(t, &r)
	require.Nil(t, r.At)
}
