package db_test

import (
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/ci"
	"hew/server/db"
	"hew/server/hook"
	"hew/server/people"
	"hew/server/seal"
	"hew/server/secret"
	"hew/server/servertest"
	"hew/server/setting"
	"hew/server/tree"
)

// moved is where the rows of a table are now whose name has changed, as a query of one object a
// row.
var moved = map[string]string{
	"project_hooks": `select to_jsonb(h) from hooks h`,
	// One row a setting has become one row for all.
	"settings": `select jsonb_build_object('key', s.key, 'value', s.value) from application_settings,
		jsonb_each(settings) s`,
}

// dropped are columns that went, and why nothing is lost with them.
var dropped = map[string]string{
	"project_hooks": `alert_status`,      // nothing was delivered yet, so that all were executable
	"projects":      `open_issues_count`, // open_issue_counts says it
}

// A database that was filled when there was one migration has everything after all of them, and its
// secrets open.
func TestMigrateWhatIsThere(t *testing.T) {
	t.Parallel()
	st, pool := first(t)
	before := map[string][]string{}
	for _, table := range texts(t, st, `
		select table_name::text from information_schema.tables
		where table_schema = 'public' and table_name <> 'schema_migrations'`) {
		before[table] = texts(t, st, `select (to_jsonb(t) - '`+dropped[table]+`')::text from `+table+` t`)
		require.NotEmpty(t, before[table], "fill table %s", table)
	}
	require.NoError(t, db.Migrate(t.Context(), pool))

	for table, rows := range before {
		now := moved[table]
		if now == "" {
			now = `select to_jsonb(t) from ` + table + ` t`
		}
		for _, row := range rows {
			kept := texts(t, st, `select 'kept' from (`+now+`) now (row)
				where now.row @> '`+strings.ReplaceAll(row, "'", "''")+`'`)
			require.Len(t, kept, 1, "%s lost %s", table, row)
		}
		require.Len(t, texts(t, st, `select '' from (`+now+`) now`), len(rows), "%s has more than it had", table)
	}
}

// Rows from before a migration keep their values for the current program.
func TestMigratedRowsWork(t *testing.T) {
	t.Parallel()
	st, pool := first(t)
	ctx := t.Context()
	require.NoError(t, db.Migrate(ctx, pool))
	require.NoError(t, server.CheckKey(ctx, st))
	require.NoError(t, tree.IndexRegistrations(ctx, st))

	for token, want := range map[string]int64{"GR1348941group": 12, "GR1348941project": 21} {
		c, err := ci.FindRegistration(ctx, st, token)
		require.NoError(t, err)
		require.Equal(t, want, c.ID())
	}
	h, err := hook.FindHook(ctx, st, 31)
	require.NoError(t, err)
	require.Equal(t, "executable", h.AlertStatus)
	opened := map[string]func() (string, error){
		"https://ci:pass@ci.example.com/{branch}": func() (string, error) { return hook.PlainURL(st, h) },
		"hush":        func() (string, error) { return hook.PlainToken(st, h) },
		"main":        func() (string, error) { return hook.PlainValue(st, h, h.URLVariables[0]) },
		"open sesame": func() (string, error) { return hook.PlainValue(st, h, h.CustomHeaders[0]) },
		"GR1348941group": func() (string, error) {
			g, err := tree.FindGroup(ctx, st, 12)
			require.NoError(t, err)
			return tree.GroupRegistrationToken(st, g)
		},
		"GR1348941project": func() (string, error) {
			p, err := tree.FindProject(ctx, st, 21)
			require.NoError(t, err)
			return tree.ProjectRegistrationToken(st, p)
		},
	}
	for want, open := range opened {
		got, err := open()
		require.NoError(t, err, want)
		require.Equal(t, want, got)
	}

	digest := secret.Digest("the token of alice")
	alice, token, err := people.FindTokenOwner(ctx, st, digest[:])
	require.NoError(t, err)
	require.Equal(t, "alice", alice.Username)
	require.Nil(t, token.AccessLevel, "it is a person's")
	for _, ref := range []string{"acme/web/api", "ACME/web/api", "acme/web/server"} {
		p, err := tree.ProjectFor(ctx, st, ref, alice.ID)
		require.NoError(t, err, ref)
		require.Equal(t, 40, p.Level, ref)
	}
	settings, err := setting.Read(ctx, st)
	require.NoError(t, err)
	require.Equal(t, 7, settings.DefaultProjectsLimit)
	require.Equal(t, "internal", settings.DefaultGroupVisibility)
	require.Equal(t, []string{"public"}, settings.RestrictedVisibilities)
	require.True(t, settings.AllowLocalHooks)

	fresh, err := hook.NewHook(ctx, st, h.Container)
	require.NoError(t, err)
	require.Greater(t, fresh.ID, int64(100), "ids go on where they were")
}

// first is a database that was filled when there was one migration, and a store over it with the
// key of that time.
func first(t *testing.T) (*db.Store, *pgxpool.Pool) {
	t.Helper()
	box, err := seal.New([]byte("the key of an old installation"))
	require.NoError(t, err)
	st, pool, err := db.Open(t.Context(), db.Config{URL: servertest.URL(t), Box: box})
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	_, err = pool.Exec(t.Context(), `drop schema public cascade; create schema public`)
	require.NoError(t, err)
	require.NoError(t, db.MigrateFirst(t.Context(), pool))
	filled, err := os.ReadFile("testdata/first.sql")
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), string(filled))
	require.NoError(t, err)
	return st, pool
}
