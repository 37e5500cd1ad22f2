package group_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/tree"
)

// grow makes a tree with SQL alone: groups at the top, each with ten below it, each of those with
// projects.
func (w world) grow(groups, projects int) {
	w.t.Helper()
	_, err := w.DB().Exec(w.t.Context(), fmt.Sprintf(`
		with tops as (
		    insert into namespaces (kind, name, path, full_name, full_path, traversal_ids)
		    select 'group', 'Top ' || i, 'top' || i, 'Top ' || i, 'top' || i, '{}'::bigint[]
		    from generate_series(1, %[1]d) i returning *),
		subs as (
		    insert into namespaces (kind, parent_id, name, path, full_name, full_path, traversal_ids)
		    select 'group', t.id, 'Sub ' || i, 'sub' || i, t.name || ' / Sub ' || i, t.path || '/sub' || i, '{}'
		    from tops t, generate_series(1, 10) i returning *),
		things as (
		    insert into projects (namespace_id, name, path, full_path)
		    select s.id, 'p' || i, 'p' || i, s.full_path || '/p' || i from subs s,
		      generate_series(1, %[2]d) i returning *)
		insert into routes (key, namespace_id, project_id)
		select full_path, id, null::bigint from tops union all select full_path, id, null from subs
		union all select full_path, null, id from things`,
		groups, projects))
	require.NoError(w.t, err)
	_, err = w.DB().Exec(w.t.Context(), `
		update namespaces set traversal_ids = case when parent_id is null then array[id] else array[parent_id, id] end
		where kind = 'group'`)
	require.NoError(w.t, err)
	_, err = w.DB().Exec(w.t.Context(), `vacuum analyze`)
	require.NoError(w.t, err)
}

// plan is how Postgres would read a list.
func (w world) plan(f group.GroupFilter, p db.Page) string {
	w.t.Helper()
	sql, args := group.GroupsQuery(f, p)
	rows, err := w.DB().Query(w.t.Context(), "explain "+sql, args)
	require.NoError(w.t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(w.t, err)
	return strings.Join(lines, "\n")
}

// Among many groups, the lists that people ask for are read through an index.
func TestGroupListsUseIndexes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.grow(600, 0)
	alice := w.User("alice")
	mine := w.Group("mine", nil, alice.ID)
	all, public := db.Private, db.Public
	byName := db.Page{Limit: 20, Order: "name"}
	for _, c := range []struct {
		name   string
		filter group.GroupFilter
		page   db.Page
		index  string
	}{
		{"all by name", group.GroupFilter{Open: &all}, byName, "namespaces_name"},
		{
			"next by key", group.GroupFilter{Open: &public},
			db.Page{Limit: 20, Order: "name", ByKey: true, After: db.Position{Name: "Top 7", ID: 1}}, "namespaces_name",
		},
		{"my own", group.GroupFilter{UserID: alice.ID}, db.Page{Limit: 20, Order: "id"}, "namespaces_traversal_ids"},
		{"owned", group.GroupFilter{UserID: alice.ID, Owned: true}, byName, "namespaces_pkey"},
		{"subgroups", group.GroupFilter{Open: &all, Parent: mine.ID}, byName, "Index Cond: (parent_id = "},
		{"descendants", group.GroupFilter{Open: &all, Root: mine.ID}, db.Page{Limit: 20, Order: "id"},
			"namespaces_traversal_ids"},
	} {
		plan := w.plan(c.filter, c.page)
		require.Contains(t, plan, c.index, c.name)
		require.NotContains(t, plan, "Seq Scan on namespaces", c.name+"\n"+plan)
	}
}

// A big tree is renamed, moved and removed by a few statements, whatever its size.
func TestBigTree(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	w.grow(2, 200)
	root, err := tree.GroupFor(ctx, w.Store, "top1", 0)
	require.NoError(t, err)
	other, err := tree.GroupFor(ctx, w.Store, "top2", 0)
	require.NoError(t, err)

	root.Path, root.ParentID = "moved", &other.ID
	g, err := group.MoveGroup(ctx, w.Store, root.Group)
	require.NoError(t, err)
	require.Equal(t, "top2/moved", g.FullPath)
	p, err := tree.ProjectFor(ctx, w.Store, "top1/sub10/p200", 0)
	require.NoError(t, err)
	require.Equal(t, "top2/moved/sub10/p200", p.FullPath)
	require.True(t, p.Former)

	require.NoError(t, tree.RemoveGroup(ctx, w.Store, other.ID))
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(tree.RemoveGroup(ctx, w.Store, other.ID)))
	for _, table := range []string{"projects", "routes"} {
		require.Equal(t, []string{"0"}, w.texts(`select count(*)::text from `+table), table)
	}
}

// Groups stand twenty deep and no deeper, by creation or by transfer.
func TestDepth(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	deep := w.Group("g1", nil, 0)
	for i := 2; i <= 19; i++ {
		deep = w.Group(fmt.Sprintf("g%d", i), &deep, 0)
	}
	pair := w.Group("pair", nil, 0)
	w.Group("below", &pair, 0)
	tooDeep := func(err error) {
		t.Helper()
		f, ok := fault.From(err)
		require.True(t, ok, "%v", err)
		require.Equal(t, []string{"has too deep level of nesting"}, f.Fields["parent_id"])
	}
	pair.ParentID = &deep.ID
	_, err := group.MoveGroup(ctx, w.Store, pair)
	tooDeep(err)
	last := w.Group("g20", &deep, 0)
	_, err = group.InsertGroup(ctx, w.Store, tree.NewGroup("g21", "g21", &last.ID), 0)
	tooDeep(err)
}

// EnsureOwner adds an owner only to a group without one, and raises the level of an existing
// member.
func TestEnsureOwner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice, bob := w.User("alice"), w.User("bob")
	acme := w.Group("acme", nil, alice.ID)
	web := w.Group("web", &acme, 0)
	level := func(u tree.User, g tree.Group) int {
		m, err := group.FindMember(ctx, w.Store, tree.InGroup(g), u.ID)
		if fault.CodeOf(err) == fault.CodeNotFound {
			return 0
		}
		require.NoError(t, err)
		return m.AccessLevel
	}
	made, err := group.EnsureOwner(ctx, w.Store, web, bob.ID)
	require.NoError(t, err)
	require.False(t, made)
	require.Zero(t, level(bob, web), "alice owns it from above")

	free := w.Group("free", nil, 0)
	w.Member(group.Member{UserID: bob.ID, NamespaceID: &free.ID, AccessLevel: 10})
	made, err = group.EnsureOwner(ctx, w.Store, free, bob.ID)
	require.NoError(t, err)
	require.True(t, made)
	require.Equal(t, 50, level(bob, free))
}

// The token of a group is kept sealed, and is the group's own.
func TestRunnersTokenOfGroups(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one, two := w.Group("one", nil, 0), w.Group("two", nil, 0)
	token, err := tree.GroupRegistrationToken(w.Store, one)
	require.NoError(t, err)
	require.Regexp(t, `^GR1348941[A-Z2-7]{20}$`, token)
	require.NotContains(t, string(one.RunnersToken), token)
	two.RunnersToken = one.RunnersToken
	_, err = tree.GroupRegistrationToken(w.Store, two)
	require.Error(t, err, "a sealed token that was copied to another row")
}

// A free path is offered in the place of a taken one.
func TestPathTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, path := range []string{"acme", "acme1", "acme3"} {
		w.Group(path, nil, 0)
	}
	taken, next, err := group.PathTaken(context.Background(), w.Store, "Acme")
	require.NoError(t, err)
	require.True(t, taken)
	require.Equal(t, 2, next)
	taken, _, err = group.PathTaken(context.Background(), w.Store, "acme2")
	require.NoError(t, err)
	require.False(t, taken)
}
