package server_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// A list reads a hundred things at once, so that none of them may be of any size.
func TestLimits(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.User(t, "limits")
	var g, p servertest.Made
	s.Do(t, user.Token, "POST", "/groups", map[string]any{"name": "limits-group", "path": "limits-group"}).Into(t, &g)
	s.Do(t, user.Token, "POST", "/projects", map[string]any{"name": "limits-project"}).Into(t, &p)
	group, project := fmt.Sprintf("/groups/%d", g.ID), fmt.Sprintf("/projects/%d", p.ID)

	long := strings.Repeat("x", 70_000)
	topics := make([]string, 9_000)
	variables := make([]map[string]string, 101)
	for i := range topics {
		topics[i] = fmt.Sprintf("topic-%d", i)
	}
	for i := range variables {
		variables[i] = map[string]string{"key": fmt.Sprintf("k%d", i), "value": "v"}
	}
	header := func(value string) []map[string]string { return []map[string]string{{"key": "X-Key", "value": value}} }
	hook := func(field string, value any) map[string]any {
		return map[string]any{"url": "https://example.com", field: value}
	}
	for _, tt := range []struct {
		method, path string
		body         map[string]any
		status       int
		says         string
	}{
		{"PUT", group, map[string]any{"ip_restriction_ranges": long}, 400, `"base":["has settings that are too long`},
		{"PUT", project, map[string]any{"issues_template": long}, 400, `"base":["has settings that are too long`},
		{"PUT", project, map[string]any{"topics": topics}, 400, `"base":["has settings that are too long`},
		{"PUT", project, map[string]any{"merge_commit_template": long[:501]}, 400,
			`"merge_commit_template":["is too long (maximum is 500`},
		{"PUT", project, map[string]any{"merge_commit_template": long[:500], "issues_template": long[:60_000]}, 200,
			""},
		{"POST", project + "/hooks", hook("url_variables", variables), 422, "be 100 at most"},
		{"POST", project + "/hooks", hook("url_variables", variables[:100]), 201, ""},
		{"POST", project + "/hooks", hook("custom_headers", header("a\x01b")), 422, "Custom headers validation failed"},
		{"POST", project + "/hooks", hook("custom_headers", header("a\tb")), 201, ""},
	} {
		r := s.Do(t, user.Token, tt.method, tt.path, tt.body)
		require.Equal(t, tt.status, r.Status, "%s %s %v", tt.method, tt.path, slices.Sorted(maps.Keys(tt.body)))
		require.Contains(t, string(r.Body), tt.says)
	}
	require.Equal(t, http.StatusOK, s.Do(t, user.Token, "GET", project+"/hooks", nil).Status)
}
