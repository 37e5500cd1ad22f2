package work_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/work"
)

// TestPlans: the ten filters that are used most find issues through an index, in a project of 3,000
// issues among 30,000 others. Postgres counts the rows that a transaction reads without one.
func TestPlans(t *testing.T) {
	t.Parallel()
	w := newBoard(t)
	ctx := t.Context()
	bug := w.label(t, w.site.Container(), "bug")
	m, err := work.CreateMilestone(ctx, w.Store, w.site.Container(), w.alice, func(m *work.Milestone) error {
		m.Title = "v1"
		return nil
	})
	require.NoError(t, err)
	for _, sql := range []string{
		`insert into users (username, name, email) select 'u' || i, 'u', 'u' || i || '@example.com' from generate_series(1, 500) i`,
		`insert into projects (namespace_id, name, path, full_path, settings)
		 select p.namespace_id, 'p' || i, 'p' || i, 'acme/p' || i, p.settings from projects p, generate_series(1, 100) i
		 where p.id = @site`,
		`insert into issues (project_id, iid, author_id, title, description, state, created_at, updated_at, relative_position)
		 select p.id, i, (select max(id) from users) - i % 500, 'Issue ' || md5(p.id * 10000 + i || ''), 'Text', 'opened',
		        now() - i * interval '1 minute', now() - i * interval '1 hour', i * 513
		 from projects p, generate_series(1, 300) i where p.id not in (@site, @docs)`,
		`insert into issues (project_id, iid, author_id, title, description, state, created_at, updated_at, relative_position,
		     milestone_id)
		 select @site, i, (select max(id) from users) - i % 500, 'Issue ' || md5(i || ''), 'Text',
		        case when i % 3 = 0 then 'closed' else 'opened' end, now() - i * interval '1 minute',
		        now() - i * interval '1 hour', i * 513, case when i % 10 = 0 then @milestone::bigint end
		 from generate_series(1, 3000) i`,
		`insert into issue_labels (issue_id, label_id) select id, @label from issues where project_id = @site and iid % 10 = 1`,
		`insert into issue_assignees (issue_id, user_id) select id, author_id from issues where iid % 5 = 0`,
	} {
		require.NoError(t, w.Store.Exec(ctx, sql, pgx.NamedArgs{
			"site": w.site.ID, "docs": w.docs.ID, "label": bug.ID, "milestone": m.ID,
		}), sql)
	}
	_, err = w.Store.DB().Exec(ctx, `vacuum analyze`)
	require.NoError(t, err)
	author, err := db.Value[int64](ctx, w.Store, `select max(id) from users`, nil)
	require.NoError(t, err)

	all := work.Viewer{UserID: w.alice.ID, All: true}
	criteria := func(c work.IssueCriteria) work.IssueFilter { return work.IssueFilter{IssueCriteria: c} }
	common := func(c work.Criteria) work.IssueFilter { return criteria(work.IssueCriteria{Criteria: c}) }
	inMilestone := work.MilestoneCriteria{Milestone: work.Choice[string]{Value: &m.Title}}
	page := db.Page{Limit: 20, Order: "created_at", Desc: true}
	for name, f := range map[string]work.IssueFilter{
		"of the project": {},
		"opened":         {State: work.Opened},
		"by label":       common(work.Criteria{Labels: []string{"bug"}}),
		"by author":      common(work.Criteria{AuthorID: &author}),
		"by number":      common(work.Criteria{IIDs: []int{5, 7}}),
		"by assignee":    criteria(work.IssueCriteria{AssigneeID: work.Choice[int64]{Value: &author}}),
		"by milestone":   criteria(work.IssueCriteria{MilestoneCriteria: inMilestone}),
		"by a word":      {Search: "c4ca4238"},
		"of the caller":  {CreatedBy: &author},
		"assigned":       {AssignedTo: &author},
	} {
		f.Viewer = all
		if f.CreatedBy == nil && f.AssignedTo == nil {
			f.In, f.Level = w.site.Container(), policy.Owner
		}
		var list []work.Issue
		var read int64
		err := w.Store.Tx(ctx, func(tx *db.Store) (err error) {
			const counter = `select seq_tup_read from pg_stat_xact_user_tables where relname = 'issues'`
			before, err := db.Value[int64](ctx, tx, counter, nil)
			if err != nil {
				return err
			}
			if list, _, err = work.ListIssues(ctx, tx, f, page); err != nil {
				return err
			}
			read, err = db.Value[int64](ctx, tx, counter, nil)
			read -= before
			return err
		})
		require.NoError(t, err, name)
		require.NotEmpty(t, list, name)
		assert.Zero(t, read, "%s: rows were read without an index", name)
	}
}
