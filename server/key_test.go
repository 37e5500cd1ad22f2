package server_test

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/db"
	"hew/server/group"
	"hew/server/seal"
	"hew/server/servertest"
	"hew/server/tree"
)

// TestLostKeyFile: the key file is created for a database without secrets, and for no other one.
func TestLostKeyFile(t *testing.T) {
	t.Parallel()
	c := server.Config{
		Listen: "127.0.0.1:0", DatabaseURL: servertest.URL(t), DataDir: t.TempDir(), RootToken: "t-key",
	}
	file := seal.KeyFile(c.DataDir)
	s, err := server.Open(t.Context(), c)
	require.NoError(t, err)
	require.FileExists(t, file)
	require.NoError(t, s.Close())
	require.NoError(t, os.Remove(file))

	s, err = server.Open(t.Context(), c)
	require.NoError(t, err, "nothing is sealed yet")
	_, err = group.InsertGroup(t.Context(), s.Store, tree.NewGroup("Acme", "acme", nil), 1)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	kept, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.Remove(file))

	for range 2 {
		_, err = server.Open(t.Context(), c)
		require.EqualError(t, err, "the key file "+file+" is missing, and this database has secrets that were sealed "+
			"under it: restore the file from a backup, or set HEWD_SECRET_KEY to the key")
		require.NoFileExists(t, file)
	}
	require.NoError(t, os.WriteFile(file, kept, 0o600))
	s, err = server.Open(t.Context(), c)
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

// TestWrongKey: another key is refused whatever is sealed, and accepted where nothing is.
func TestWrongKey(t *testing.T) {
	t.Parallel()
	c := server.Config{
		Listen: "127.0.0.1:0", DatabaseURL: servertest.URL(t), DataDir: t.TempDir(), RootToken: "t-key",
	}
	open := func(key string) (*server.Server, error) {
		c.SecretKey = key
		return server.Open(t.Context(), c)
	}
	for _, key := range []string{"the first key of this test", "the second key of this test"} {
		s, err := open(key)
		require.NoError(t, err, "nothing is sealed yet")
		require.NoError(t, s.Close())
	}
	s, err := open("the second key of this test")
	require.NoError(t, err)
	require.NoError(t, s.Store.Exec(t.Context(), `
		insert into variables (key, sealed) values ('TOKEN', @sealed)`,
		pgx.NamedArgs{"sealed": s.Store.Seal.Seal("variables.sealed", 1, []byte("hush"))}))
	require.NoError(t, s.Close())
	_, err = open("the first key of this test")
	require.ErrorContains(t, err, "sealed under another key; give it by HEWD_SECRET_KEY")
	s, err = open("the second key of this test")
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

// TestSealedColumns: a column that holds bytes is sealed, unless it is a digest, a commit or the
// content of a file, or of a table of blobs or repositories, which hold nothing else; one of JSON
// is if its name is one of these.
func TestSealedColumns(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	type column struct {
		Table string `db:"table_name"`
		Name  string `db:"column_name"`
	}
	columns, err := db.Many[column](t.Context(), s.Store, `
		select table_name::text, column_name::text from information_schema.columns
		where table_schema = 'public' and table_name !~ '^river_'
		and table_name not in (
		      'blobs', 'blob_chunks', 'commits', 'loose_objects', 'packs', 'refs') and (
		      data_type = 'bytea' and column_name !~ '(digest|oid|md5|sha1|sha256)$' and column_name <> 'content'
		   or data_type = 'jsonb' and column_name in ('secrets', 'custom_headers', 'url_variables'))
		order by 1, 2`, nil)
	require.NoError(t, err)
	var found [][2]string
	for _, c := range columns {
		found = append(found, [2]string{c.Table, c.Name})
	}
	require.Equal(t, found, server.SealedColumns)
}
