package integration_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/git/object"
)

// pipeline stores a pipeline of a branch with a job, which comes to a state.
func (e *estate) pipeline(branch string, to status.Status) {
	e.t.Helper()
	ctx := e.t.Context()
	owner, err := db.One[struct {
		Project int64 `db:"project"`
		User    int64 `db:"user_id"`
	}](ctx, e.Store, "", `select p.id as project, p.creator_id as user_id from projects p where p.path = 'site'`, nil)
	require.NoError(e.t, err)
	iid, err := e.Store.NextIID(ctx, db.Container{ProjectID: &owner.Project}, "pipeline")
	require.NoError(e.t, err)
	id, err := e.Store.Insert(ctx, "pipelines", ci.Pipeline{
		ProjectID: owner.Project, IID: iid, Status: status.Pending, Source: ci.ByPush, Ref: branch, UserID: &owner.User,
		CancelOlder: "none", Commit: object.ID{1},
	})
	require.NoError(e.t, err)
	require.NoError(e.t, e.Store.Exec(ctx, `
		insert into jobs (project_id, pipeline_id, name, stage, stage_index, status, user_id)
		values (@project, @pipeline, 'unit', 'test', 0, 'pending', @user)`,
		pgx.NamedArgs{"project": owner.Project, "pipeline": id, "user": owner.User}))
	for _, next := range []status.Status{status.Running, to} {
		require.NoError(e.t, ci.InPipeline(ctx, e.Store, id, func(c *ci.Change) error {
			c.Set(c.Jobs[0], next)
			return nil
		}))
	}
	e.Drain(e.t)
}

// A pipeline is told once it is over, to the integrations that want it: by flag, by branch, only
// broken ones, or only those that come to something else than the one before.
func TestPipelinesAreSent(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	at := e.project + "/integrations/"
	for slug, more := range map[string]map[string]any{
		"pumble":        {},
		"webex-teams":   {"notify_only_broken_pipelines": true},
		"discord":       {"notify_only_when_pipeline_status_changes": true},
		"hangouts-chat": {"pipeline_events": false},
		"unify-circuit": {"branches_to_be_notified": "all"},
	} {
		more["webhook"] = e.service.url + "/" + slug
		e.as("PUT", at+slug, more)
	}
	for _, tt := range []struct {
		branch string
		to     status.Status
		want   []string
	}{
		{"main", status.Success, []string{"POST /discord", "POST /pumble", "POST /unify-circuit"}},
		{"main", status.Success, []string{"POST /pumble", "POST /unify-circuit"}},
		{"main", status.Failed, []string{"POST /discord", "POST /pumble", "POST /unify-circuit", "POST /webex-teams"}},
		{"main", status.Failed, []string{"POST /pumble", "POST /unify-circuit", "POST /webex-teams"}},
		{"side", status.Failed, []string{"POST /unify-circuit"}},
	} {
		e.pipeline(tt.branch, tt.to)
		require.ElementsMatch(t, tt.want, e.service.paths(), "%s %s", tt.branch, tt.to)
	}
}
