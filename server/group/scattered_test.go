package group_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/tree"
)

// forest makes forty groups at random, projects in them, and grants of a user from every source:
// memberships and shares of groups and projects, some of them expired or of minimal access.
func (w world) forest(random *rand.Rand, name string) (user int64) {
	w.t.Helper()
	user = w.User(name).ID
	groups, projects := []tree.Group{}, []tree.Project{}
	for i := range 40 {
		var parent *tree.Group
		if i > 4 {
			parent = &groups[random.IntN(i)]
		}
		groups = append(groups, w.Group(fmt.Sprint(name, i), parent, 0))
	}
	for i := range 20 {
		projects = append(projects, w.Project(fmt.Sprint(name, "p", i), groups[random.IntN(40)].ID, 0))
	}
	exec := func(sql string, args ...any) {
		w.t.Helper()
		_, err := w.DB().Exec(w.t.Context(), sql, args...)
		require.NoError(w.t, err)
	}
	const until = `case when $1::int % 5 = 0 then current_date when $1 % 3 = 0 then current_date + 1 end`
	for i := range 6 {
		level, g, p := []int{5, 10, 30, 50}[random.IntN(4)], groups[random.IntN(40)].ID, projects[random.IntN(20)].ID
		exec(`insert into members (user_id, namespace_id, access_level, expires_at)
			values ($2, $3, $4, `+until+`) on conflict do nothing`, i, user, g, level)
		exec(`insert into members (user_id, project_id, access_level, expires_at)
			values ($2, $3, $4, `+until+`) on conflict do nothing`, i+1, user, p, level)
		guest, host := groups[random.IntN(40)].ID, groups[random.IntN(40)].ID
		if guest != host {
			exec(`insert into shares (namespace_id, group_id, group_access, expires_at)
				values ($2, $3, $4, `+until+`) on conflict do nothing`, i+2, host, guest, max(level, 10))
		}
		exec(`insert into shares (project_id, group_id, group_access, expires_at)
			values ($2, $3, $4, `+until+`) on conflict do nothing`, i+3, p, guest, max(level, 10))
	}
	return user
}

// ids returns the ids that a query of one column finds, in order.
func (w world) ids(sql string, user int64) []int64 {
	w.t.Helper()
	rows, err := w.DB().Query(w.t.Context(), sql, pgx.NamedArgs{"user": user})
	require.NoError(w.t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	require.NoError(w.t, err)
	return found
}

// A page that is found by an index, a page that is found in the order of the list, and the count
// are of the same rows.
func TestScatteredFormsAgree(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	found := map[string]int{}
	for seed := range uint64(12) {
		user := w.forest(rand.New(rand.NewPCG(seed, 16)), fmt.Sprint("s", seed, "-"))
		for name, c := range map[string]struct {
			db.Scattered
			id, from string
		}{
			"owned":      {tree.OwnNamespaces, "n.id", `namespaces n`},
			"mine":       {tree.MyNamespaces, "n.id", `namespaces n`},
			"maintained": {tree.NamespacesWith(db.Maintainer), "n.id", `namespaces n`},
			"my projects": {
				tree.ProjectsWith(db.Guest), "p.id", `projects p join namespaces n on n.id = p.namespace_id`,
			},
			"own projects": {
				tree.ProjectsWith(db.Owner), "p.id", `projects p join namespaces n on n.id = p.namespace_id`,
			},
		} {
			for _, also := range []string{"true", c.id + " % 3 = 0 or n.visibility = 7"} {
				ids := w.ids(
					fmt.Sprintf(`select %s from %s where (%s) and (%s) order by 1`, c.id, c.from, c.Find, also), user,
				)
				require.Equal(t, ids, w.ids(fmt.Sprintf(
					`select %s from %s where (%s) and (%s) order by 1`, c.id, c.from, c.Walk, also), user), name)
				if c.Count != nil {
					require.Equal(t, []int64{int64(len(ids))}, w.ids(
						`select count(*) from (`+c.Count("("+also+")")+`) counted`, user), "%s, seed %d", name, seed)
				}
				found[name] += len(ids)
			}
		}
	}
	for name, n := range found {
		require.Greater(t, n, 20, name)
	}
}
