package server_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/group"
	"hew/server/project"
	"hew/server/servertest"
	"hew/server/tree"
)

// estate is a hewd with very many groups, and a bare handler on the same database. Of the groups a
// reader sees 10,000 by membership, half of them through shares; all others are internal, spread
// among them by name. Every tenth group has a project, and so has each of the visible ones: the
// reader is a member of 10,000 among 109,000.
type estate struct {
	*servertest.Server
	addr, bare string // host:port of the two
	reader     servertest.Persona
	group      int64 // one that the reader sees, below another, without a project
	project    int64 // in the next one
}

const (
	visible = 10_000
	tops    = 100 // of the visible ones, without a parent
)

func newEstate(b *testing.B, rows int) *estate {
	s := servertest.Fresh(b)
	e := &estate{Server: s, addr: strings.TrimPrefix(s.Server.URL(), "http://"), reader: s.User(b, "reader")}
	ctx, db := b.Context(), s.Store.DB()
	team, err := group.InsertGroup(ctx, s.Store, tree.NewGroup("Team", "team", nil), 0) // the first of the visible ones
	require.NoError(b, err)
	_, err = group.AddMember(ctx, s.Store, group.Member{UserID: e.reader.ID, NamespaceID: &team.ID, AccessLevel: 30})
	require.NoError(b, err)
	run := func(sql string) {
		b.Helper()
		_, err := db.Exec(ctx, sql,
			pgx.NamedArgs{"team": team.ID, "reader": e.reader.ID, "n": rows, "visible": visible, "tops": tops})
		require.NoError(b, err)
	}
	run(`drop index if exists namespaces_search_trgm`) // nothing is searched for, and it takes most of the time to fill
	run(`
		insert into namespaces (id, kind, parent_id, name, path, full_name, full_path, traversal_ids, visibility,
			settings)
		select @team + i, 'group', made.parent, made.name, 'g' || i, made.name,
			coalesce('g' || parent - @team || '/', '') || 'g' || i,
		       array_remove(array[parent, @team + i], null), case when i < @visible then 0 else 10 end, t.settings
		from (select i, case when i > @tops and i < @visible then @team + 1 + i % @tops end as parent,
		             'Group ' || to_char(i::bigint * 7919 % 1000003, 'fm0000000') as name
		      from generate_series(1, @n::int - 1) i) made, namespaces t
		where t.id = @team`)
	run(`select setval(pg_get_serial_sequence('namespaces', 'id'), @team::bigint + @n)`)
	run(`
		insert into members (user_id, namespace_id, access_level)
		select @reader::bigint, @team::bigint + i, 30 from generate_series(1, @tops::int, 2) i`)
	run(`
		insert into shares (namespace_id, group_id, group_access)
		select @team::bigint + i, @team, 30 from generate_series(2, @tops::int, 2) i`)
	_, err = project.InsertProject(ctx, s.Store, tree.NewProject("First", "first", team.ID), 0)
	require.NoError(b, err)
	run(`
		insert into projects (namespace_id, name, path, full_path, visibility, settings, created_at)
		select n.id, 'Project', 'project', n.full_path || '/project', 0, p.settings,
			now() - n.id::bigint * 7919 % 1000003 * interval '1 second'
		from namespaces n, projects p
		where p.full_path = 'team/first' and n.id > @team and (n.id < @team::bigint + @visible or n.id % 10 = 0)
			and n.id <> @team::bigint + @tops + 2`)
	_, err = db.Exec(ctx, `vacuum analyze`)
	require.NoError(b, err)

	e.group = team.ID + tops + 2
	require.NoError(b, db.(*pgxpool.Pool).QueryRow(ctx, `select id from projects where namespace_id = $1`, e.group+1).
		Scan(&e.project))
	_, err = db.Exec(ctx, `create extension pg_stat_statements`)
	require.NoError(b, err)
	handler, bare := serveBare(b, db.(*pgxpool.Pool), s.Server.URL())
	handler.learn = func(path string) []byte { return e.answer(b, e.addr, path).Body }
	handler.users.Store(sha256.Sum256([]byte(e.reader.Token)), e.reader.ID)
	e.bare = bare
	return e
}

// keysetPage walks by key to a page of twenty, as a client does (though in larger steps), and
// returns its path.
func (e *estate) keysetPage(b *testing.B, page int) string {
	b.Helper()
	const first, step = "/groups?all_available=true&pagination=keyset&per_page=", 5
	path := first + fmt.Sprint(20*step)
	for range (page - 1) / step {
		link := e.Do(b, e.reader.Token, "GET", path, nil).Header.Get("Link")
		next, _, ok := strings.Cut(strings.TrimPrefix(link, "<"), ">")
		require.True(b, ok, "no page after %s", path)
		path = strings.TrimPrefix(next, e.URL)
	}
	return strings.ReplaceAll(path, fmt.Sprintf("per_page=%d", 20*step), "per_page=20")
}

// requireCaps asks for lists and holds all counts that hewd has asked of Postgres since its start
// to their cap.
func (e *estate) requireCaps(b *testing.B) {
	b.Helper()
	for _, path := range []string{
		"/groups", "/groups?all_available=true", "/groups?owned=true", "/groups?min_access_level=10", "/projects",
		"/users",
		"/namespaces", "/groups/%d/projects", "/groups/%d/subgroups", "/groups/%d/descendant_groups",
		"/groups/%d/members",
		"/groups/%d/members/all",
	} {
		if strings.Contains(path, "%d") {
			path = fmt.Sprintf(path, e.group)
		}
		require.Equal(b, 200, e.Do(b, e.reader.Token, "GET", path, nil).Status, path)
	}
	counts := 0
	for _, conn := range e.Store.DB().(*pgxpool.Pool).AcquireAllIdle(b.Context()) {
		rows, err := conn.Query(b.Context(), `select statement from pg_prepared_statements
			where statement ~* '^\s*select count\('`)
		require.NoError(b, err)
		statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
		conn.Release()
		require.NoError(b, err)
		for _, sql := range statements {
			require.Contains(b, sql, fmt.Sprintf("limit %d) counted", db.MaxCount+1), "a list counts without end")
		}
		counts += len(statements)
	}
	require.NotZero(b, counts)
}

// requirePlanned holds the ten statements that took the longest in all to having been executed for
// longer than they were planned, after some thousand requests that a warm server gets.
func (e *estate) requirePlanned(b *testing.B) {
	b.Helper()
	paths := []string{
		fmt.Sprintf("/groups/%d", e.group), fmt.Sprintf("/projects/%d", e.project), "/groups?per_page=20",
		"/projects?membership=true&per_page=20", fmt.Sprintf("/groups/%d/projects", e.group),
		fmt.Sprintf("/groups/%d/members/all", e.group),
	}
	ask := func(times int) {
		for range times {
			for _, path := range paths {
				e.answer(b, e.addr, path)
			}
		}
	}
	ask(50) // each connection plans once
	_, err := e.Store.DB().Exec(b.Context(), `select pg_stat_statements_reset()`)
	require.NoError(b, err)
	ask(1000 / len(paths))
	rows, err := e.Store.DB().Query(b.Context(), `
		select calls, total_plan_time as planning, total_exec_time as execution, query from pg_stat_statements
		where calls >= 100 order by total_plan_time + total_exec_time desc limit 10`)
	require.NoError(b, err)
	type statement struct {
		Calls               int
		Planning, Execution float64 // milliseconds
		Query               string
	}
	hottest, err := pgx.CollectRows(rows, pgx.RowToStructByName[statement])
	require.NoError(b, err)
	require.Len(b, hottest, 10)
	for _, s := range hottest {
		require.LessOrEqual(
			b, s.Planning, s.Execution, "planned for longer than executed, %d times: %s", s.Calls, s.Query,
		)
	}
}
