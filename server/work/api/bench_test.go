package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/group"
	"hew/server/project"
	"hew/server/servertest"
	"hew/server/tree"
)

// backlog is a hewd with 1,000,000 issues: 100,000 in one project, the others spread over 9,000
// projects of 900 groups. The reader is a member of one group in a hundred and of the large
// project.
type backlog struct {
	*servertest.Server
	reader servertest.Persona
	big    int64 // the project with 100,000 issues
	group  int64 // one with ten projects, which the reader is a member of
}

const (
	issuesInAll = 1_000_000
	issuesInBig = 100_000
	otherGroups = 900
)

func newBacklog(b *testing.B) *backlog {
	s := servertest.Fresh(b)
	w := &backlog{Server: s, reader: s.User(b, "reader")}
	ctx := b.Context()
	team, err := group.InsertGroup(ctx, s.Store, tree.NewGroup("Team", "team", nil), 0)
	require.NoError(b, err)
	big, err := project.InsertProject(ctx, s.Store, tree.NewProject("Big", "big", team.ID), 0)
	require.NoError(b, err)
	w.big = big.ID
	args := pgx.NamedArgs{
		"team": team.ID, "big": big.ID, "reader": w.reader.ID, "groups": otherGroups, "all": issuesInAll,
		"own": issuesInBig,
	}
	run := func(sql string) {
		b.Helper()
		_, err := s.Store.DB().Exec(ctx, sql, args)
		require.NoError(b, err)
	}
	run(`insert into members (user_id, project_id, access_level) values (@reader, @big, 30)`)
	run(`insert into namespaces (id, kind, name, path, full_name, full_path, traversal_ids, visibility, settings)
		select @team::bigint + i, 'group', 'g' || i, 'g' || i, 'g' || i, 'g' || i, array[@team::bigint + i], 0, t.settings
		from generate_series(1, @groups::int) i, namespaces t where t.id = @team`)
	run(`select setval(pg_get_serial_sequence('namespaces', 'id'), @team::bigint + @groups)`)
	run(`insert into members (user_id, namespace_id, access_level)
		select @reader, @team::bigint + i, 20 from generate_series(1, @groups::int, 100) i`)
	run(`insert into projects (id, namespace_id, name, path, full_path, visibility, settings)
		select @big::bigint + i, @team::bigint + 1 + i % @groups, 'p' || i, 'p' || i, 'g' || 1 + i % @groups || '/p' || i, 0, p.settings
		from generate_series(1, @groups::int * 10) i, projects p where p.id = @big`)
	run(`insert into labels (project_id, name, color) select @big, 'label' || i, '#ff0000' from generate_series(1, 20) i`)
	run(`insert into milestones (project_id, iid, title, due_date)
		select @big, i, 'v' || i, current_date + i from generate_series(1, 10) i`)
	run(`insert into users (username, name, email) select 'u' || i, 'u' || i, 'u' || i || '@example.com'
		from generate_series(1, 1000) i`)
	run(`drop index if exists issues_search_trgm`)
	run(`insert into issues (project_id, iid, author_id, title, description, state, type, confidential, milestone_id, weight,
			due_date, relative_position, created_at, updated_at, upvotes)
		select case when i <= @own then @big::bigint else @big::bigint + 1 + i % (@groups * 10) end,
			i,
			(select max(id) from users) - (i * 7919) % 1000, 'Issue ' || md5(i::text), 'The words of ' || md5((i * 3)::text),
			case when i % 3 = 0 then 'closed' else 'opened' end, 'issue', i % 20 = 0,
			case when i <= @own and i % 4 = 0 then (select min(id) from milestones) + i % 10 end, i % 9,
			case when i % 5 = 0 then current_date + (i % 60)::int end, i * 513 % 2000000000,
			now() - i * interval '1 second', now() - (i * 7919) % @all * interval '1 second', i % 7
		from generate_series(1, @all::bigint) i`)
	run(`insert into issue_labels (issue_id, label_id)
		select i.id, (select min(id) from labels) + (i.iid * 31) % 20 from issues i where i.project_id = @big`)
	run(`insert into issue_assignees (issue_id, user_id)
		select i.id, (select max(id) from users) - (i.iid * 13) % 1000 from issues i where i.id % 2 = 0`)
	run(`create index issues_search_trgm on issues using gin (title gin_trgm_ops, (coalesce(description, '')) gin_trgm_ops)`)
	run(`vacuum analyze`)
	w.group = team.ID + 1
	return w
}

// issueLists are the lists that are measured; $big is the project with 100,000 issues and $group
// one of the reader's groups.
var issueLists = []struct {
	path string
	bar  float64 // milliseconds of Postgres; 0: none
}{
	{"/projects/$big/issues", 20},
	{"/projects/$big/issues?page=1000", 20},
	{"/projects/$big/issues?state=opened", 20},
	{"/projects/$big/issues?labels=label3", 20},
	{"/projects/$big/issues?milestone=v3", 20},
	{"/projects/$big/issues?assignee_username=u5", 20},
	{"/projects/$big/issues?author_username=u5", 20},
	{"/projects/$big/issues?order_by=updated_at", 20},
	{"/projects/$big/issues?order_by=relative_position&sort=asc", 20},
	{"/projects/$big/issues?search=c4ca4238", 20},
	{"/projects/$big/issues?search=issue", 20},
	{"/projects/$big/issues?order_by=due_date", 20},
	{"/projects/$big/issues?order_by=due_date&sort=asc", 20},
	{"/projects/$big/issues?order_by=popularity", 20},
	{"/projects/$big/issues?order_by=priority", 0},
	{"/projects/$big/issues?labels=None", 0},
	{"/issues?scope=all", 20},
	{"/issues?scope=all&order_by=updated_at", 20},
	{"/issues?scope=all&page=1000", 0},
	{"/issues?scope=assigned_to_me", 20},
	{"/issues?scope=all&search=c4ca4238", 40},
	{"/groups/$group/issues", 20},
	{"/projects/$big/issues_statistics", 0},
	{"/issues_statistics?scope=all", 0},
}

// BenchmarkIssues measures what lists of issues cost Postgres, planning included, for a member and
// for an administrator, and holds those that are used most to their bars.
func BenchmarkIssues(b *testing.B) {
	w := newBacklog(b)
	places := strings.NewReplacer("$big", fmt.Sprint(w.big), "$group", fmt.Sprint(w.group))
	for _, l := range issueLists {
		for _, who := range []struct{ name, token string }{{"member", w.reader.Token}, {"root", w.RootToken}} {
			b.Run(strings.TrimPrefix(l.path, "/")+" as "+who.name, func(b *testing.B) {
				w.HoldToBar(b, who.token, places.Replace(l.path), l.bar)
			})
		}
	}
}
