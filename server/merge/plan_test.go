package merge_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/merge"
	"hew/server/servertest"
	"hew/server/tree"
	"hew/server/work"
)

var planned = flag.Int("planned", 25_000, "how many merge requests TestPlans has lists read")

// queue is a project with a fifth of the planned merge requests, whose owner alice is, in a group
// with the others.
type queue struct {
	servertest.World
	alice tree.User
	group db.Container
	site  tree.Project
}

func newQueue(t *testing.T) queue {
	w := servertest.NewWorld(t)
	alice := w.User("alice")
	g := w.Group("acme", nil, alice.ID)
	q := queue{w, alice, g.Container(), w.Project("site", g.ID, alice.ID)}
	for _, sql := range []string{
		`insert into users (username, name, email)
		 select 'u' || i, 'u', 'u' || i || '@example.com' from generate_series(1, 500) i`,
		`insert into projects (namespace_id, name, path, full_path, settings, visibility)
		 select p.namespace_id, 'p' || i, 'p' || i, 'acme/p' || i, p.settings, i % 3 * 10
		 from projects p, generate_series(1, 100) i where p.id = @site`,
		`insert into labels (project_id, name, color) select @site, 'label' || i, '#ff0000' from generate_series(1, 20) i`,
		`insert into milestones (project_id, iid, title, due_date, start_date)
		 select @site, i, 'v' || i, current_date + i, current_date - i from generate_series(1, 10) i`,
		`insert into issues (project_id, iid, title) select @site, i, 'Issue' from generate_series(1, 100) i`,
		`drop index if exists merge_requests_search_trgm`,
		`insert into merge_requests (project_id, source_project_id, iid, author_id, title, description, state, draft,
		     source_branch, target_branch, head_oid, merge_commit_oid, merged_oid, merged_by_id, merged_at, milestone_id,
		     created_at, updated_at)
		 select p, p, i, u - i % 500, 'Change ' || md5(i::text), 'The words of ' || md5((i * 3)::text),
		        case when i % 10 = 0 then 'opened' when i % 10 = 1 then 'closed' else 'merged' end, i % 50 = 0,
		        'topic-' || i, case when i % 200 = 3 then 'release-' || i % 7 else 'main' end,
		        substring(sha256(int8send(i)) for 20),
		        case when i % 10 > 1 then substring(sha256(int8send(-i)) for 20) end,
		        case when i % 10 > 1 then substring(sha256(int8send(-i)) for 20) end,
		        case when i % 10 > 1 then u - i * 7 % 500 end,
		        case when i % 10 > 1 then now() - i * interval '50 second' end,
		        case when p = @site and i % 3 = 0 then m + i / 15 % 10 end,
		        now() - i * interval '1 minute', now() - i * 7919 % @planned * interval '1 minute'
		 from (select i, case when i % 5 = 0 then @site else o + i % 100 end as p, u, m
		       from generate_series(1, @planned::int) i, (select max(id) as u from users) u,
		            (select min(id) as m from milestones) m, (select min(id) as o from projects where path ~ '^p\d+$') o) i`,
		`create index merge_requests_search_trgm on merge_requests
		     using gin (title gin_trgm_ops, (coalesce(description, '')) gin_trgm_ops)`,
		`insert into merge_request_labels (merge_request_id, label_id)
		 select r.id, l + iid / 5 % 20 from merge_requests r, (select min(id) as l from labels) l
		 where project_id = @site and iid / 5 % 3 > 0`,
		`insert into merge_request_assignees (merge_request_id, user_id)
		 select id, author_id from merge_requests where iid % 2 = 0`,
		`insert into merge_request_reviewers (merge_request_id, user_id)
		 select r.id, u - r.iid * 13 % 500 from merge_requests r, (select max(id) as u from users) u where iid % 3 > 0`,
		`insert into merge_request_approvals (merge_request_id, user_id)
		 select merge_request_id, user_id from merge_request_reviewers where merge_request_id % 2 = 0`,
		`insert into merge_request_rules (merge_request_id, rule_type, section, name, approvals_required, user_ids,
		     group_ids)
		 select r.id, case iid % 25 when 0 then 'code_owner' else 'regular' end, 'codeowners', '*', 1,
		        array[u - r.iid % 100], '{}'
		 from merge_requests r, (select max(id) as u from users) u where iid % 5 = 0`,
		`update merge_requests set rules_overridden = true where iid % 10 = 0 and iid % 25 > 0`,
		`insert into approval_rules (project_id, namespace_id, rule_type, name, approvals_required, user_ids,
		     group_ids, protected_branch_ids, applies_to_all_protected_branches)
		 select o + 11, null, 'regular', 'one', 1, array[u - 300], '{}'::bigint[], '{}'::bigint[], false
		 from (select max(id) as u from users) u, (select min(id) as o from projects where path ~ '^p\d+$') o`,
		`insert into merge_request_issues (merge_request_id, issue_id, closes)
		 select r.id, i + iid / 5 % 100, iid % 2 = 0 from merge_requests r, (select min(id) as i from issues) i
		 where project_id = @site and iid % 25 = 0`,
		`insert into award_emoji (merge_request_id, user_id, name)
		 select id, @alice, 'rocket' from merge_requests where iid % 100 = 0`,
	} {
		require.NoError(t, w.Store.Exec(t.Context(), sql, pgx.NamedArgs{
			"site": q.site.ID, "alice": alice.ID, "planned": *planned,
		}), sql)
	}
	_, err := w.Store.DB().Exec(t.Context(), `vacuum analyze`)
	require.NoError(t, err)
	return q
}

// lists are filters by what they are called.
type lists map[string]merge.Filter

// filters returns every filter of lists of merge requests.
func (w queue) filters(t *testing.T) lists {
	value := func(sql string) *int64 {
		id, err := db.Value[int64](t.Context(), w.Store, sql, nil)
		require.NoError(t, err)
		return &id
	}
	user, name, yes, recent := value(`select max(id) from users`), "u5", true, time.Now().Add(-24*time.Hour)
	issue := value(`select min(id) from issues`)
	criteria := func(c merge.Criteria) merge.Filter { return merge.Filter{Criteria: c} }
	common := func(c work.Criteria) merge.Filter { return criteria(merge.Criteria{Criteria: c}) }
	milestones := func(c work.MilestoneCriteria) merge.Filter { return criteria(merge.Criteria{MilestoneCriteria: c}) }
	in := func(m work.Choice[string]) merge.Filter { return milestones(work.MilestoneCriteria{Milestone: m}) }
	reacted := func(c work.Choice[string]) merge.Filter { return common(work.Criteria{Emoji: c}) }
	list := lists{
		"all": {}, "opened": {State: merge.Opened}, "merged": {State: merge.Merged}, "locked": {State: merge.Locked},
		"drafts": {Draft: &yes}, "by the caller": {CreatedBy: user}, "assigned": {AssignedTo: user},
		"to review": {ReviewedBy: user}, "merged by": {MergedBy: user}, "merged by a name": {MergedByName: name},
		"of an issue": {IssueID: issue}, "closing an issue": {IssueID: issue, Closes: &yes},
		"of a milestone": {MilestoneID: value(`select min(id) from milestones`)},
		"a word":         {Search: "c4ca4238"}, "a word of all": {Search: "change"},
		"created after":   {Times: work.Times{CreatedAfter: &recent}},
		"created before":  {Times: work.Times{CreatedBefore: &recent}},
		"updated after":   {Times: work.Times{UpdatedAfter: &recent}},
		"author":          common(work.Criteria{AuthorID: user}),
		"author name":     common(work.Criteria{Author: name}),
		"label":           common(work.Criteria{Labels: []string{"label3"}}),
		"no label":        common(work.Criteria{NoLabel: true}),
		"any label":       common(work.Criteria{AnyLabel: true}),
		"numbers":         common(work.Criteria{IIDs: []int{5, 10}}),
		"reaction":        reacted(work.Choice[string]{Value: new("rocket")}),
		"any reaction":    reacted(work.Choice[string]{Any: true}),
		"no reaction":     reacted(work.Choice[string]{None: true}),
		"milestone":       in(work.Choice[string]{Value: new("v1")}),
		"no milestone":    in(work.Choice[string]{None: true}),
		"any milestone":   in(work.Choice[string]{Any: true}),
		"upcoming":        milestones(work.MilestoneCriteria{Upcoming: true}),
		"source branch":   criteria(merge.Criteria{SourceBranch: "topic-15"}),
		"target branch":   criteria(merge.Criteria{TargetBranch: "main"}),
		"rare target":     criteria(merge.Criteria{TargetBranch: "release-3"}),
		"approved by two": criteria(merge.Criteria{ApprovedBy: []int64{*user, *user - 1}}),
		"any approver":    {Approvers: merge.ApproverChoice{Any: true}},
		"in own rules":    {Approvers: merge.ApproverChoice{IDs: []int64{*user - 50}}},
		"in their rules":  {Approvers: merge.ApproverChoice{IDs: []int64{*user - 300}}},
		"in no rules":     {Approvers: merge.ApproverChoice{IDs: []int64{*user - 400}}},
		"not by author":   {Not: merge.Criteria{Criteria: work.Criteria{AuthorID: user}}},
		"without label":   {Not: merge.Criteria{Criteria: work.Criteria{Labels: []string{"label3"}}}},
	}
	for kind, u := range map[string]work.UserCriteria{
		"": {ID: work.Choice[int64]{Value: user}}, " name": {Names: []string{name}},
		" none": {ID: work.Choice[int64]{None: true}}, " any": {ID: work.Choice[int64]{Any: true}},
	} {
		list["assignee"+kind] = criteria(merge.Criteria{Assigned: u})
		list["reviewer"+kind] = criteria(merge.Criteria{Reviewed: u})
		list["approver"+kind] = criteria(merge.Criteria{Approved: u})
	}
	return list
}

// TestPlans: by every filter and in every order, a list of merge requests of a project, a group or
// the instance reads few more rows than it has or can be counted; that of a project, by an index.
func TestPlans(t *testing.T) {
	t.Parallel()
	w := newQueue(t)
	filters := w.filters(t)
	commit, err := db.Value[[]byte](t.Context(), w.Store,
		`select merge_commit_oid from merge_requests where state = 'merged' limit 1`, nil)
	require.NoError(t, err)
	for place, in := range map[string]db.Container{"project": w.site.Container(), "group": w.group, "instance": {}} {
		for _, order := range []string{"created_at", "updated_at", "title", "merged_at"} {
			for name, f := range filters {
				if name == "opened" && order == "merged_at" {
					continue // what is not merged comes last
				}
				if name == "any approver" && place != "project" {
					continue // a fifth of all have one: Postgres reads all
				}
				f.In, f.Viewer = in, work.Viewer{UserID: w.alice.ID, All: true}
				w.reads(t, fmt.Sprintf("%s of the %s by %s", name, place, order), f, order)
			}
		}
	}
	w.reads(t, "of a commit", merge.Filter{In: w.site.Container(), Commit: commit}, "created_at")
}

// reads checks what a list reads: Postgres counts the rows that a transaction reads.
func (w queue) reads(t *testing.T, label string, f merge.Filter, order string) {
	const counter = `select seq_tup_read, idx_tup_fetch from pg_stat_xact_user_tables where relname = 'merge_requests'`
	type rows struct {
		Scanned int `db:"seq_tup_read"` // without an index
		Fetched int `db:"idx_tup_fetch"`
	}
	var before, after rows
	var total int
	err := w.Store.Tx(t.Context(), func(tx *db.Store) (err error) {
		if before, err = db.One[rows](t.Context(), tx, "", counter, nil); err != nil {
			return err
		}
		if _, total, err = merge.List(t.Context(), tx, f, db.Page{Limit: 20, Order: order, Desc: true}); err != nil {
			return err
		}
		after, err = db.One[rows](t.Context(), tx, "", counter, nil)
		return err
	})
	require.NoError(t, err, label)
	scanned := after.Scanned - before.Scanned
	if f.In.ProjectID != nil {
		assert.Zero(t, scanned, "%s: rows were read without an index", label)
	}
	assert.LessOrEqual(t, scanned+after.Fetched-before.Fetched, 4*total+100, "%s, of %d", label, total)
}
