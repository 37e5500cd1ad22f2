package servertest

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/db"
)

func TestMain(m *testing.M) { Main(m) }

// An emptied server is like a new one: the same rows in every table, the same next ids, root's
// token and the default settings.
func TestRecycledIsLikeNew(t *testing.T) {
	t.Parallel()
	ctx := context.WithoutCancel(t.Context())
	fresh := FreshWith(t, server.Config{})
	s, err := launch(ctx, server.Config{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.stop()) })
	want := stateOf(t, fresh.Store)
	require.NotEmpty(t, want)
	for range 3 {
		var settings struct {
			Signup bool `json:"signup_enabled"`
		}
		s.Do(t, s.RootToken, "PUT", "/application/settings", map[string]any{"signup_enabled": false}).Into(t, &settings)
		require.False(t, settings.Signup)
		alice := s.User(t, "alice")
		for _, path := range []string{"one", "two", "three"} {
			var made Made
			s.Do(t, alice.Token, "POST", "/groups", map[string]any{"name": path, "path": path}).Into(t, &made)
			s.Do(t, alice.Token, "POST", "/projects",
				map[string]any{"path": path, "namespace_id": made.ID, "topics": path}).Into(t, &made)
		}
		require.NotEqual(t, want, stateOf(t, s.Store))

		require.NoError(t, s.recycle(ctx))
		require.Equal(t, want, stateOf(t, s.Store))
		s.Do(t, s.RootToken, "GET", "/application/settings", nil).Into(t, &settings)
		require.True(t, settings.Signup, "the cache of settings was dropped")
		require.Equal(t, 401, s.Do(t, alice.Token, "GET", "/user", nil).Status, "the cache of callers was dropped")
		require.NoError(t, errors.Join(s.Auth.Settle(ctx), s.recycle(ctx))) // the requests above
	}
}

// stateOf returns the number of rows of every table, whether the sealing key is known, and the last
// value of every sequence. River counts its jobs by itself, processes keep their numbers, and
// root's token is used.
func stateOf(t *testing.T, s *db.Store) map[string]int64 {
	t.Helper()
	rows, err := s.DB().Query(t.Context(), `
		select table_name::text, (xpath('/row/n/text()', query_to_xml(
			format('select count(*) as n from %I', table_name), false, true, '')))[1]::text::bigint
		from information_schema.tables where table_schema = 'public' and table_name not like 'river%'
		union all
		select 'digests of the sealing key', count(sealing_key_digest) from application_settings
		union all
		select sequencename, coalesce(last_value, 0) from pg_sequences
		where schemaname = 'public' and sequencename !~ '^(river|process_numbers)'`)
	require.NoError(t, err)
	state := map[string]int64{}
	var name string
	var n int64
	_, err = pgx.ForEachRow(rows, []any{&name, &n}, func() error { state[name] = n; return nil })
	require.NoError(t, err)
	return state
}
