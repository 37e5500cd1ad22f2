package api_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/db"
	"hew/server/integration"
	"hew/server/integration/api"
	"hew/server/part"
	"hew/server/rest"
	"hew/server/secret"
	"hew/server/servertest"
	"hew/server/view"
)

// Twenty alerts in one request need as many statements as one, plus one insert for each, which are
// sent together.
func TestAlertsAreStoredTogether(t *testing.T) {
	t.Parallel()
	const many = 20
	s := servertest.Fresh(t)
	var project servertest.Made
	s.Do(t, s.RootToken, "POST", "/projects", map[string]any{"name": "web"}).Into(t, &project)
	digest := secret.Digest("the-key")
	_, err := integration.AlertIntegrations(s.Store, db.Container{ProjectID: &project.ID}).Create(t.Context(),
		integration.AlertIntegration{
			ProjectID: project.ID, Name: "tool", Endpoint: "00112233aabbccdd", Type: "http", Active: true,
			Digest: digest[:],
		})
	require.NoError(t, err)
	path := "/" + project.Path + "/alerts/notify/tool/00112233aabbccdd.json"

	counted := s.Counted(t)
	endpoint := api.Part(part.Host{Site: &view.Site{}}).Endpoints[0]
	route, ok := endpoint.Rewrite(path)
	require.True(t, ok)
	handler := rest.New(
		rest.Config{Lend: server.Lend(counted.Store), Begin: server.Begin, Log: slog.New(slog.DiscardHandler)},
		endpoint.Routes)
	report := func(name string, n int) map[string]int {
		body := alertBody(t, name, n)
		return counted.During(t, func() {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, route, strings.NewReader(body))
			r.Header.Set("Authorization", "Bearer the-key")
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			require.Equal(t, http.StatusOK, w.Code, w.Body)
		})
	}
	report("warm", 1) // what is remembered is read once
	one, all := report("one", 1), report("many", many)
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

// alertBody returns n alerts of a name in the metrics format.
func alertBody(t *testing.T, name string, n int) string {
	t.Helper()
	var list []map[string]any
	for i := range n {
		list = append(list, map[string]any{
			"startsAt": "2026-11-28T10:00:00Z", "labels": map[string]any{"alertname": fmt.Sprintf("%s %d", name, i)},
			"status": "firing",
		})
	}
	body, err := json.Marshal(metrics(list...))
	require.NoError(t, err)
	return string(body)
}
