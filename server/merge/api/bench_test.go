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

// queue is a hewd with 300,000 merge requests: 100,000 in one project, the others spread over 1,000
// projects of 100 groups. The reader is a member of one group in ten and of the large project.
type queue struct {
	*servertest.Server
	reader servertest.Persona
	big    int64 // the project with 100,000 merge requests
	group  int64 // one with ten projects, which the reader is a member of
}

const (
	requestsInAll = 300_000
	requestsInBig = 100_000
	otherGroups   = 100
)

// bulk are the statements that fill the queue.
var bulk = []string{
	`insert into members (user_id, project_id, access_level) values (@reader, @big, 30)`,
	`insert into namespaces (id, kind, name, path, full_name, full_path, traversal_ids, visibility, settings)
	 select @team::bigint + i, 'group', 'g' || i, 'g' || i, 'g' || i, 'g' || i, array[@team::bigint + i], 0, t.settings
	 from generate_series(1, @groups::int) i, namespaces t where t.id = @team`,
	`select setval(pg_get_serial_sequence('namespaces', 'id'), @team::bigint + @groups)`,
	`insert into members (user_id, namespace_id, access_level)
	 select @reader, @team::bigint + i, 20 from generate_series(1, @groups::int, 10) i`,
	`insert into projects (id, namespace_id, name, path, full_path, visibility, settings)
	 select @big::bigint + i, @team::bigint + 1 + i % @groups, 'p' || i, 'p' || i, 'g' || 1 + i % @groups || '/p' || i, 0,
	        p.settings
	 from generate_series(1, @groups::int * 10) i, projects p where p.id = @big`,
	`insert into labels (project_id, name, color) select @big, 'label' || i, '#ff0000' from generate_series(1, 20) i`,
	`insert into milestones (project_id, iid, title, due_date)
	 select @big, i, 'v' || i, current_date + i from generate_series(1, 10) i`,
	`insert into users (username, name, email)
	 select 'u' || i, 'u' || i, 'u' || i || '@example.com' from generate_series(1, 1000) i`,
	`drop index if exists merge_requests_search_trgm`,
	`insert into merge_requests (project_id, source_project_id, iid, author_id, title, description, state, draft,
	     source_branch, target_branch, head_oid, merge_commit_oid, merged_oid, merged_by_id, merged_at, milestone_id,
	     created_at, updated_at, upvotes)
	 select p, p, i, u - i * 7919 % 1000, 'Change ' || md5(i::text), 'The words of ' || md5((i * 3)::text),
	        case when i % 20 = 0 then 'opened' when i % 20 = 1 then 'closed' else 'merged' end, i % 40 = 0,
	        'topic-' || i, case when i % 50 = 3 then 'release-' || i % 7 else 'main' end,
	        substring(sha256(int8send(i)) for 20),
	        case when i % 20 > 1 then substring(sha256(int8send(-i)) for 20) end,
	        case when i % 20 > 1 then substring(sha256(int8send(-i)) for 20) end,
	        case when i % 20 > 1 then u - i * 7 % 1000 end,
	        case when i % 20 > 1 then now() - i * interval '0.9 second' end,
	        case when p = @big and i % 4 = 0 then m + i % 10 end,
	        now() - i * interval '1 second', now() - (i * 7919) % @all * interval '1 second', i % 7
	 from (select i, case when i <= @own then @big::bigint else @big::bigint + 1 + i % (@groups * 10) end as p, u, m
	       from generate_series(1, @all::bigint) i, (select max(id) as u from users) u,
	            (select min(id) as m from milestones) m) i`,
	`insert into merge_request_labels (merge_request_id, label_id)
	 select r.id, (select min(id) from labels) + (r.iid * 31) % 20 from merge_requests r
	 where r.project_id = @big and r.iid % 3 > 0`,
	`insert into merge_request_assignees (merge_request_id, user_id)
	 select id, author_id from merge_requests where id % 2 = 0`,
	`insert into merge_request_reviewers (merge_request_id, user_id)
	 select id, (select max(id) from users) - iid * 13 % 1000 from merge_requests where id % 3 > 0`,
	`insert into merge_request_approvals (merge_request_id, user_id)
	 select merge_request_id, user_id from merge_request_reviewers where merge_request_id % 2 = 0`,
	`create index merge_requests_search_trgm on merge_requests
	     using gin (title gin_trgm_ops, (coalesce(description, '')) gin_trgm_ops)`,
	`vacuum analyze`,
}

func newQueue(b *testing.B) *queue {
	s := servertest.Fresh(b)
	w := &queue{Server: s, reader: s.User(b, "reader")}
	team, err := group.InsertGroup(b.Context(), s.Store, tree.NewGroup("Team", "team", nil), 0)
	require.NoError(b, err)
	big, err := project.InsertProject(b.Context(), s.Store, tree.NewProject("Big", "big", team.ID), 0)
	require.NoError(b, err)
	w.big, w.group = big.ID, team.ID+1
	for _, sql := range bulk {
		_, err := s.Store.DB().Exec(b.Context(), sql, pgx.NamedArgs{
			"team": team.ID, "big": big.ID, "reader": w.reader.ID, "groups": otherGroups, "all": requestsInAll,
			"own": requestsInBig,
		})
		require.NoError(b, err, sql)
	}
	return w
}

// requestLists are the lists that are measured; $big is the project with 100,000 merge requests and
// $group one of the reader's groups.
var requestLists = []struct {
	path string
	bar  float64 // milliseconds of Postgres; 0: none
}{
	{"/projects/$big/merge_requests", 20},
	{"/projects/$big/merge_requests?page=1000", 20},
	{"/projects/$big/merge_requests?state=opened", 20},
	{"/projects/$big/merge_requests?state=merged&order_by=updated_at", 20},
	{"/projects/$big/merge_requests?order_by=merged_at", 20},
	{"/projects/$big/merge_requests?order_by=title&sort=asc", 20},
	{"/projects/$big/merge_requests?wip=yes", 20},
	{"/projects/$big/merge_requests?labels=label3", 20},
	{"/projects/$big/merge_requests?milestone=v3", 20},
	{"/projects/$big/merge_requests?author_username=u5", 20},
	{"/projects/$big/merge_requests?assignee_username=u5", 20},
	{"/projects/$big/merge_requests?reviewer_username=u5", 20},
	{"/projects/$big/merge_requests?approved_by_usernames=u5", 20},
	{"/projects/$big/merge_requests?source_branch=topic-5", 20},
	{"/projects/$big/merge_requests?target_branch=release-3", 20},
	{"/projects/$big/merge_requests?target_branch=main", 20},
	{"/projects/$big/merge_requests?search=c4ca4238", 20},
	{"/projects/$big/merge_requests?search=change", 20},
	{"/projects/$big/merge_requests?labels=None", 0},
	{"/projects/$big/merge_requests?reviewer_id=None&state=opened", 0},
	{"/projects/$big/merge_requests?approved_by_ids=Any", 0},
	{"/merge_requests?scope=all", 20},
	{"/merge_requests?scope=all&state=opened&order_by=updated_at", 20},
	{"/merge_requests?scope=all&page=1000", 0},
	{"/merge_requests?scope=reviews_for_me", 20},
	{"/merge_requests?scope=assigned_to_me", 20},
	{"/merge_requests?scope=all&search=c4ca4238", 40},
	{"/groups/$group/merge_requests", 20},
	{"/groups/$group/merge_requests?state=opened&order_by=updated_at", 20},
}

// BenchmarkMergeRequests measures what lists of merge requests cost Postgres, planning included,
// for a member and for an administrator, and holds them to the bars of lists of issues.
func BenchmarkMergeRequests(b *testing.B) {
	w := newQueue(b)
	places := strings.NewReplacer("$big", fmt.Sprint(w.big), "$group", fmt.Sprint(w.group))
	for _, l := range requestLists {
		for _, who := range []struct{ name, token string }{{"member", w.reader.Token}, {"root", w.RootToken}} {
			b.Run(strings.TrimPrefix(l.path, "/")+" as "+who.name, func(b *testing.B) {
				w.HoldToBar(b, who.token, places.Replace(l.path), l.bar)
			})
		}
	}
}
