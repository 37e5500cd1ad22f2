package api_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/integration"
	"hew/server/rest"
	"hew/server/secret"
	"hew/server/tree"
)

// Twenty alerts in one request cost the statements of one, but for the one that each of them is stored with; and those go to
// the database together.
func TestAlertsAreStoredTogether(t *testing.T) {
	t.Parallel()
	const many = 20
	h := newHoard(t, 1)
	h.handler = rest.New(rest.Config{Begin: server.Begin(h.st), Log: slog.New(slog.DiscardHandler)}, (&server.API{}).Endpoints())
	project, err := tree.ProjectFor(t.Context(), h.st, h.values["projects/id"], 0)
	require.NoError(t, err)
	digest := secret.Digest("the-key")
	_, err = integration.AlertIntegrations(h.st, project.Container()).Create(t.Context(), integration.AlertIntegration{
		ProjectID: project.ID, Name: "tool", Endpoint: "00112233aabbccdd", Type: "http", Active: true, Digest: digest[:],
	})
	require.NoError(t, err)

	h.alert(t, project.FullPath, "warm", 1) // what is remembered is read once
	one, all := h.alert(t, project.FullPath, "one", 1), h.alert(t, project.FullPath, "many", many)
	require.NotEmpty(t, one)
	stored := 0
	for sql, n := range all {
		if strings.Contains(sql, "insert into alerts") {
			stored = n
			continue
		}
		require.Equal(t, one[sql], n, sql)
	}
	require.Equal(t, many, stored)
}

// alert sends n alerts of a name, and returns how often that made each statement be carried out.
func (h *hoard) alert(t *testing.T, project string, name string, n int) map[string]int {
	t.Helper()
	var list []map[string]any
	for i := range n {
		list = append(list, map[string]any{
			"startsAt": "2026-11-28T10:00:00Z", "labels": map[string]any{"alertname": fmt.Sprintf("%s %d", name, i)}, "status": "firing",
		})
	}
	body, err := json.Marshal(metrics(list...))
	require.NoError(t, err)
	before := h.executed(t)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost,
		fmt.Sprintf("/api/v4/projects/%s/alerts/notify/00112233aabbccdd", url.PathEscape(project)), strings.NewReader(string(body)))
	r.Header.Set("Authorization", "Bearer the-key")
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	after := h.executed(t)
	for sql, n := range before {
		if after[sql] -= n; after[sql] == 0 {
			delete(after, sql)
		}
	}
	return after
}
