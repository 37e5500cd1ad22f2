package store_test

import (
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/server/auth"
	"hew/server/seal"
	"hew/server/servertest"
	"hew/server/store"
)

// moved is where the rows of a table are now whose name has changed, as a query of one object a row.
var moved = map[string]string{
	"project_hooks": `select to_jsonb(h) from hooks h`,
	// One row a setting has become one row for all.
	"settings": `select jsonb_build_object('key', s.key, 'value', s.value) from application_settings, jsonb_each(settings) s`,
}

// dropped are columns that went, and why nothing is lost with them.
var dropped = map[string]string{
	"project_hooks": `alert_status`, // nothing was delivered yet, so that all were executable
}

// A database that was filled when there was one migration has everything after all of them, and its secrets open.
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
	require.NoError(t, store.Migrate(t.Context(), pool))

	for table, rows := range before {
		now := moved[table]
		if now == "" {
			now = `select to_jsonb(t) from ` + table + ` t`
		}
		for _, row := range rows {
			kept := texts(t, st, `select 'kept' from (`+now+`) now (row) where now.row @> '`+strings.ReplaceAll(row, "'", "''")+`'`)
			require.Len(t, kept, 1, "%s lost %s", table, row)
		}
		require.Len(t, texts(t, st, `select '' from (`+now+`) now`), len(rows), "%s has more than it had", table)
	}
}

// What was there goes on as it was, read by the program of today.
func TestMigratedRowsWork(t *testing.T) {
	t.Parallel()
	st, pool := first(t)
	ctx := t.Context()
	require.NoError(t, store.Migrate(ctx, pool))
	require.NoError(t, st.CheckKey(ctx))
	require.NoError(t, st.IndexRegistrations(ctx))

	for token, want := range map[string]int64{"GR1348941group": 12, "GR1348941project": 21} {
		c, err := st.Registered(ctx, token)
		require.NoError(t, err)
		require.Equal(t, want, c.ID())
	}
	hook, err := st.HookByID(ctx, 31)
	require.NoError(t, err)
	require.Equal(t, "executable", hook.AlertStatus)
	opened := map[string]func() (string, error){
		"https://ci:pass@ci.example.com/{branch}": func() (string, error) { return st.HookURL(hook) },
		"hush":        func() (string, error) { return st.HookToken(hook) },
		"main":        func() (string, error) { return st.HookValue(hook, hook.URLVariables[0]) },
		"open sesame": func() (string, error) { return st.HookValue(hook, hook.CustomHeaders[0]) },
		"GR1348941group": func() (string, error) {
			g, err := st.Group(ctx, 12)
			require.NoError(t, err)
			return st.RunnersToken(g)
		},
		"GR1348941project": func() (string, error) {
			p, err := st.Project(ctx, 21)
			require.NoError(t, err)
			return st.ProjectRunnersToken(p)
		},
	}
	for want, open := range opened {
		got, err := open()
		require.NoError(t, err, want)
		require.Equal(t, want, got)
	}

	digest := auth.Digest("the token of alice")
	alice, token, err := st.Principal(ctx, digest[:])
	require.NoError(t, err)
	require.Equal(t, "alice", alice.Username)
	require.Nil(t, token.AccessLevel, "it is a person's")
	for _, ref := range []string{"acme/web/api", "ACME/web/api", "acme/web/server"} {
		p, err := st.ProjectFor(ctx, ref, alice.ID)
		require.NoError(t, err, ref)
		require.Equal(t, 40, p.Level, ref)
	}
	settings, err := st.Settings(ctx)
	require.NoError(t, err)
	require.Equal(t, 7, settings.DefaultProjectsLimit)
	require.Equal(t, "internal", settings.DefaultGroupVisibility)
	require.Equal(t, []string{"public"}, settings.RestrictedVisibilities)
	require.True(t, settings.AllowLocalHooks)

	fresh, err := st.NewHook(ctx, hook.Container)
	require.NoError(t, err)
	require.Greater(t, fresh.ID, int64(100), "ids go on where they were")
}

// first is a database that was filled when there was one migration, and a store over it with the key of that time.
func first(t *testing.T) (*store.Store, *pgxpool.Pool) {
	t.Helper()
	box, err := seal.New([]byte("the key of an old installation"))
	require.NoError(t, err)
	st, pool, err := store.Open(t.Context(), servertest.URL(t), box)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	_, err = pool.Exec(t.Context(), `drop schema public cascade; create schema public`)
	require.NoError(t, err)
	require.NoError(t, store.MigrateFirst(t.Context(), pool))
	filled, err := os.ReadFile("testdata/first.sql")
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), string(filled))
	require.NoError(t, err)
	return st, pool
}
