package ci_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/tree"
)

// crowded stores 5,000 pipelines of two jobs in the project of a story, beside 20,000 of others.
// The runner that it returns has run a third of them.
func crowded(t *testing.T) (story, int64) {
	s := newStory(t, build("a", 1))
	ctx := t.Context()
	r, err := ci.CreateRunner(ctx, s.st, container(s), func(*ci.Runner) error { return nil })
	require.NoError(t, err)
	for _, sql := range []string{
		`insert into projects (namespace_id, name, path, full_path, settings)
		 select p.namespace_id, 'p' || i, 'p' || i, 'many/' || @at || 'p' || i, p.settings
		 from projects p, generate_series(1, 50) i where p.id = @site`,
		`insert into pipelines (project_id, iid, status, source, ref, commit_oid, user_id, updated_at, name, yaml_errors)
		 select p.id, 1000000 + i, case when i % 50 = 0 then 'failed' else 'success' end,
		        case when i % 100 = 1 then 'schedule' else 'push' end, 'branch-' || i % 300,
		        decode(lpad(to_hex(i % 1000 + 7), 40, '0'), 'hex'), case when i % 20 = 0 then @user::bigint end,
		        now() - i * interval '1 minute', case when i % 500 = 0 then 'nightly' end, case when i % 400 = 0 then 'bad' end
		 from projects p, generate_series(1, 5000) i
		 where p.id = @site or p.full_path like 'many/' || @at || '%' and i <= 400`,
		`insert into jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, starts, runner_id)
		 select l.project_id, l.id, 'build', 'j' || k, 'test', 1,
		        case when l.iid % 100 = 0 then 'failed' else 'success' end, 'on_success',
		        case when l.iid % 3 = 0 then @runner::bigint end
		 from pipelines l, generate_series(1, 2) k where l.iid > 1000000`,
	} {
		require.NoError(t, s.st.Exec(ctx, sql, pgx.NamedArgs{
			"site": s.p.ProjectID, "user": s.by.ID, "at": fmt.Sprint(s.p.ProjectID), "runner": r.ID,
		}), sql)
	}
	_, err = s.st.DB().Exec(ctx, `vacuum analyze`)
	require.NoError(t, err)
	return s, r.ID
}

// TestPlans: lists of pipelines and jobs find their rows through an index, however many there are.
// Postgres counts the rows that a transaction reads without one.
func TestPlans(t *testing.T) {
	t.Parallel()
	s, runner := crowded(t)
	page := db.Page{Limit: 20, Order: "id", Desc: true}
	commit := object.ID{19: 50}
	pipelines := func(f ci.PipelineFilter, order string) func(context.Context, *db.Store) (int, error) {
		return func(ctx context.Context, tx *db.Store) (int, error) {
			by := page
			by.Order = order
			list, _, err := ci.ListPipelines(ctx, tx, s.p.ProjectID, f, by)
			return len(list), err
		}
	}
	jobs := func(which ...db.Condition) func(context.Context, *db.Store) (int, error) {
		return func(ctx context.Context, tx *db.Store) (int, error) {
			list, _, err := ci.ListJobs(ctx, tx, s.p.ProjectID, page, append(which, ci.OfKind(ci.Build))...)
			return len(list), err
		}
	}
	ofRunner := func(f ci.RunnerJobFilter) func(context.Context, *db.Store) (int, error) {
		return func(ctx context.Context, tx *db.Store) (int, error) {
			f.RunnerID = runner
			list, _, err := ci.RunnerJobs(ctx, tx, f, page)
			return len(list), err
		}
	}
	after := page
	after.ByKey, after.After = true, db.Position{ID: s.p.ID + 3000}
	for name, list := range map[string]func(context.Context, *db.Store) (int, error){
		"pipelines":                     pipelines(ci.PipelineFilter{}, "id"),
		"pipelines by update":           pipelines(ci.PipelineFilter{}, "updated_at"),
		"pipelines by status":           pipelines(ci.PipelineFilter{}, "status"),
		"pipelines by ref":              pipelines(ci.PipelineFilter{}, "ref"),
		"pipelines by user":             pipelines(ci.PipelineFilter{}, "user_id"),
		"pipelines of a ref":            pipelines(ci.PipelineFilter{Ref: "branch-7"}, "id"),
		"pipelines of a commit":         pipelines(ci.PipelineFilter{Commit: &commit}, "id"),
		"pipelines that failed":         pipelines(ci.PipelineFilter{Status: "failed"}, "id"),
		"pipelines of schedules":        pipelines(ci.PipelineFilter{Source: ci.BySchedule}, "id"),
		"pipelines of a user":           pipelines(ci.PipelineFilter{Username: s.by.Username}, "id"),
		"pipelines with a name":         pipelines(ci.PipelineFilter{Name: "nightly"}, "id"),
		"pipelines with errors":         pipelines(ci.PipelineFilter{Invalid: new(true)}, "id"),
		"pipelines changed":             pipelines(ci.PipelineFilter{UpdatedAfter: new(time.Now().Add(-time.Hour))}, "id"),
		"jobs":                          jobs(),
		"jobs that failed":              jobs(ci.InStates([]string{"failed"})),
		"jobs in two states":            jobs(ci.InStates([]string{"failed", "canceled"})),
		"jobs of a pipeline":            jobs(ci.OfPipeline(s.p.ID, false)),
		"jobs of a runner":              ofRunner(ci.RunnerJobFilter{For: tree.Viewer{All: true}}),
		"jobs of a runner for a member": ofRunner(ci.RunnerJobFilter{For: tree.Viewer{UserID: s.by.ID}}),
		"failed jobs of a runner":       ofRunner(ci.RunnerJobFilter{For: tree.Viewer{All: true}, Status: "failed"}),
		"jobs for a runner": func(ctx context.Context, tx *db.Store) (int, error) {
			r := ci.Runner{Type: ci.InstanceRunner, RunUntagged: true, Tags: []string{}}
			list, err := ci.Candidates(ctx, tx, r, 20)
			return len(list), err
		},
		"jobs by key": func(ctx context.Context, tx *db.Store) (int, error) {
			list, _, err := ci.ListJobs(ctx, tx, s.p.ProjectID, after, ci.OfKind(ci.Build))
			return len(list), err
		},
		"statuses of a commit": func(ctx context.Context, tx *db.Store) (int, error) {
			list, _, err := ci.ListStatuses(ctx, tx, s.p.ProjectID, commit, ci.StatusFilter{}, page)
			return len(list), err
		},
	} {
		var found int
		var read int64
		err := s.st.Tx(t.Context(), func(tx *db.Store) (err error) {
			const counter = `
				select sum(seq_tup_read)::bigint from pg_stat_xact_user_tables where relname in ('pipelines', 'jobs')`
			before, err := db.Value[int64](t.Context(), tx, counter, nil)
			if err != nil {
				return err
			}
			if found, err = list(t.Context(), tx); err != nil {
				return err
			}
			read, err = db.Value[int64](t.Context(), tx, counter, nil)
			read -= before
			return err
		})
		require.NoError(t, err, name)
		assert.NotZero(t, found, name)
		assert.Zero(t, read, "%s: rows were read without an index", name)
	}
}
