package db_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/group"
	"hew/server/people"
)

// An internal error names the operation and the table.
func TestOperation(t *testing.T) {
	t.Parallel()
	for sql, operation := range map[string]string{
		`select u.* from users u join namespaces n on n.owner_id = u.id`:     "select from users",
		`select p.* from projects p where p.id = @id for no key update of p`: "select from projects",
		`with changed as (insert into members (id) select 1 from x on conflict do update set a = 1) select *
			from changed`: "insert into members",
		`update users set state = @to where id in (select id from users)`: "update users",
		`delete from stars where user_id = @user`:                         "delete from stars",
		`select pg_advisory_xact_lock(1)`:                                 "query",
	} {
		require.Equal(t, operation, db.Operation(sql))
	}
}

// An error of Postgres about an invalid statement names the statement.
func TestErrorsNameTheOperation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, _, err := people.Users(t.Context(), w.Store, people.UserFilter{}, db.Page{Limit: -1})
	require.ErrorContains(t, err, "select from users: ERROR: LIMIT must not be negative")
}

// A position is one of the order that the page has: by name, or by id alone; up or down.
func TestKeysetByName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 5 {
		w.Group(fmt.Sprint("top", i+1), nil, 0)
	}
	all := db.Private
	names := func(p db.Page) (names []string) {
		groups, total, err := group.Groups(t.Context(), w.Store, group.GroupFilter{Open: &all, TopLevel: true}, p)
		require.NoError(t, err)
		require.Equal(t, -1, total)
		for _, g := range groups {
			names = append(names, g.Name)
		}
		return names
	}
	page := db.Page{Limit: 2, ByKey: true, Order: "name"}
	require.Equal(t, []string{"top1", "top2"}, names(page))
	page.After = db.Position{Name: "top2", ID: 1 << 40}
	require.Equal(t, []string{"top3", "top4"}, names(page))
	page.Desc, page.After = true, db.Position{Name: "top3", ID: 1}
	require.Equal(t, []string{"top2", "top1"}, names(page))
}
