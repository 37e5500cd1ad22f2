package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

func TestPush(t *testing.T) {
	backends(t, func(t *testing.T, reopen func(string) Backend) {
		b := reopen(testKey)
		reloaded(t, b)
		other := opened(t, 3)
		l, _ := stored(t, other)
		text, err := Encode(l)
		require.NoError(t, err)
		l, err = Decode("pulled", text)
		require.NoError(t, err)
		push := func(force bool) error {
			_, err := Push(t.Context(), b, "me", l, force)
			return err
		}
		require.NoError(t, push(false))
		moved := reloaded(t, reopen(testKey))
		require.Equal(t, l.Lineage, moved.Lineage, "digests go by it")
		require.Equal(t, l.Entries, moved.Entries)

		reloaded(t, b)
		require.NoError(t, b.Append(t.Context(), delta(7), delta(8)))
		l.Serial = 0
		require.ErrorContains(t, push(false), "its serial 0 is lower")
		l.Serial, l.Host = 100, "https://other.example"
		require.ErrorContains(t, push(false), "belongs to https://other.example")
		l.Lineage = "another"
		require.ErrorContains(t, push(false), "a different ledger")
		require.NoError(t, push(true))
		now, err := reopen(testKey).Load(t.Context())
		require.NoError(t, err)
		require.Equal(t, "another", now.Lineage)
		require.Len(t, now.Entries, 3)
		require.NoError(t, b.Append(t.Context(), delta(9)), "it goes on from there")
	})
	_, err := Decode("x", []byte(`{"hew_ledger":1,"lineage":"a"}`+"\n"+`{"serial":1,"ad`))
	require.ErrorContains(t, err, "ends in the middle of a line")
}

// TestPushOverDamage replaces a damaged ledger, which needs force and returns the damage. A
// Terraform state is never replaced.
func TestPushOverDamage(t *testing.T) {
	path, server, url := filepath.Join(t.TempDir(), "ledger.json"), newStates(t), servertest.URL(t)
	row, err := Postgres(PostgresConfig{URL: url, Key: testKey})
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		b    Backend
		harm func(*testing.T)
	}{
		{"file", File(path, testKey), func(t *testing.T) {
			require.NoError(t,
				os.WriteFile(path, []byte("oops\n{}\n"), 0o600))
		}},
		{"http", impatient(t, server, true),
			func(*testing.T) { server.stored = []byte(`{"version":1001,"serial":70,"lineage":"a"}`) }},
		{"http without a lock", impatient(t, server, false), func(*testing.T) { server.stored = []byte("<html>") }},
		{"postgres", row, func(t *testing.T) {
			conn, err := pgx.Connect(t.Context(), url)
			require.NoError(t, err)
			_, err = conn.Exec(t.Context(), `update hew.entries set entry = '{"kin": 1}'`)
			require.NoError(t, errors.Join(err, conn.Close(t.Context())))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			reloaded(t, c.b)
			require.NoError(t, c.b.Append(t.Context(), delta(1), delta(2)))
			l, _ := stored(t, opened(t, 3))
			c.harm(t)
			var damage *DamageError
			_, err := Push(t.Context(), c.b, "me", l, false)
			require.ErrorAs(t, err, &damage)
			require.ErrorContains(t, err, "add -force")
			require.ErrorAs(t, c.b.Append(t.Context(), delta(4)), &damage, "nothing is added to it")
			over, err := Push(t.Context(), c.b, "me", l, true)
			require.NoError(t, err)
			require.Equal(t, damage.What, over.What)
			require.Equal(t, l.Entries, reloaded(t, c.b).Entries)
			require.NoError(t, c.b.Append(t.Context(), delta(9)), "it goes on from there")
		})
	}
	server.stored = []byte(`{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"a"}`)
	_, err = Push(t.Context(), impatient(t, server, true), "me", newLedger(), true)
	require.ErrorContains(t, err, "holds a Terraform state")
}
