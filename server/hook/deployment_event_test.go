package hook_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/status"
	"hew/server/event"
)

// Hooks are told of deployments that begin or are over, with the payload that testdata/payload
// shows (gaps §13.6).
func TestDeploymentsAreTold(t *testing.T) {
	t.Parallel()
	w := newWorks(t)
	w.hook(w.group, "/acme", map[string]any{"deployment_events": true, "push_events_branch_filter": "other"})
	root := int64(1)
	p := w.pipeline(ci.Pipeline{Status: status.Running, Source: ci.ByPush, Ref: "main", UserID: &root},
		ci.Job{Name: "deploy", Stage: "deploy", Status: status.Running, Starts: status.OnSuccess})
	jobs, err := ci.JobDetails(t.Context(), w.Store, p.ID)
	require.NoError(t, err)
	environment := w.id(`insert into environments (project_id, name, slug, tier, external_url)
		values (@project, 'production', 'production', 'production', 'https://example.com')`)
	id := w.id(`insert into deployments (project_id, iid, environment_id, job_id, user_id, commit_oid, ref)
		values (@project, 1, @environment, @job, 1, @commit, 'main')`,
		"environment", environment, "job", jobs[0].ID, "commit", w.head)
	for _, tt := range []struct {
		to   string
		told bool
	}{
		{"created", false}, {"blocked", false}, {"running", true}, {"failed", true}, {"canceled", true},
		{"skipped", false}, {"success", true},
	} {
		require.NoError(t, w.Store.Exec(t.Context(), `update deployments set status = @to where id = @id`,
			pgx.NamedArgs{"to": tt.to, "id": id}))
		require.NoError(t, event.Emit(t.Context(), w.Store, ci.Deployed{ProjectID: w.project, ID: id}))
		got := w.requests()
		if !tt.told {
			require.Empty(t, got, tt.to)
			continue
		}
		require.Len(t, got, 1, tt.to)
		require.Equal(t, tt.to, fmt.Sprint(got[0].body["status"]))
		if tt.to == "success" {
			golden(t, "deployment", got[0])
		}
	}
}
