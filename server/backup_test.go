package server_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/backup"
	"hew/server/db"
	"hew/server/git/gittest"
	"hew/server/group"
	"hew/server/part"
	"hew/server/project"
	"hew/server/servertest"
	"hew/server/tree"
	"hew/server/view"
)

// TestBackup restores a database with three of everything: all rows are the same, and a server on
// it has the same repositories and goes on.
func TestBackup(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	alice := s.User(t, "alice")
	furnish(t, s, alice.ID)
	pool := s.Store.DB().(*pgxpool.Pool)
	address := func(base string) string {
		return strings.Replace(base, "://", "://any:"+alice.Token+"@", 1) + "/code/play.git"
	}
	git := gittest.ClientIn(t, ".").Git
	was := filepath.Join(t.TempDir(), "was")
	git("clone", "-q", "--mirror", address(s.Server.URL()), was)
	s.Drain(t)

	var file bytes.Buffer
	written, err := backup.Write(t.Context(), &file, pool, "1.2.3", nil)
	require.NoError(t, err)
	require.Positive(t, written.Rows)
	c := server.Config{Listen: "127.0.0.1:0", DatabaseURL: emptyDatabase(t), SecretKey: servertest.SecretKey,
		CacheDir: t.TempDir()}

	other := c
	other.SecretKey = "another key that is long enough"
	_, err = server.Restore(t.Context(), other, bytes.NewReader(file.Bytes()), nil)
	require.ErrorIs(t, err, backup.ErrOtherKey)
	restored, err := server.Restore(t.Context(), c, bytes.NewReader(file.Bytes()), nil)
	require.NoError(t, err)
	require.Equal(t, written, restored)
	_, err = server.Restore(t.Context(), c, bytes.NewReader(file.Bytes()), nil)
	require.ErrorContains(t, err, "the database is not empty")

	// The jobs of the first server may go on: the rows of a backup of the second are compared.
	second := connect(t, c.DatabaseURL)
	file.Reset()
	_, err = backup.Write(t.Context(), &file, second, "1.2.3", nil)
	require.NoError(t, err)
	third := emptyDatabase(t)
	_, err = server.Restore(t.Context(), server.Config{DatabaseURL: third, SecretKey: servertest.SecretKey}, &file, nil)
	require.NoError(t, err)
	want, got := contents(t, second), contents(t, connect(t, third))
	for table, rows := range want {
		require.Equal(t, rows, got[table], table)
	}
	require.Len(t, got, len(want))

	again, err := server.Open(t.Context(), c)
	require.NoError(t, err)
	served := make(chan error, 1)
	serving, stop := context.WithCancel(t.Context())
	go func() { served <- again.Serve(serving) }()
	is := filepath.Join(t.TempDir(), "is")
	git("clone", "-q", "--mirror", address(again.URL()), is)
	git("-C", is, "fsck", "--strict")
	require.Equal(t, git("-C", was, "show-ref"), git("-C", is, "show-ref"))
	work := filepath.Join(t.TempDir(), "work")
	git("clone", "-q", address(again.URL()), work)
	git("-C", work, "commit", "-q", "--allow-empty", "-m", "After the restore")
	git("-C", work, "push", "-q", "origin", "HEAD:refs/heads/after")
	stop()
	require.NoError(t, <-served)
	require.NoError(t, again.Close())
}

// A file that was cut or changed anywhere restores nothing.
func TestDamagedBackup(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	var file bytes.Buffer
	_, err := backup.Write(t.Context(), &file, s.Store.DB().(*pgxpool.Pool), "1.2.3", nil)
	require.NoError(t, err)
	text := file.Bytes()
	at := bytes.Index(text, []byte("root"))
	require.Positive(t, at)
	changed := bytes.Clone(text)
	changed[at] = 'b'
	newer := bytes.Replace(bytes.Clone(text), []byte(`0001_`), []byte(`9999_`), 1)
	for name, tt := range map[string]struct {
		file []byte
		want string
	}{
		"empty":          {nil, "it ends early"},
		"no archive":     {bytes.Repeat([]byte("hew "), 1000), "it is not an archive of hewd backup"},
		"cut":            {text[:len(text)/2], "it ends early"},
		"without end":    {text[:bytes.Index(text, []byte("end.json"))], "it ends early"},
		"changed":        {changed, "its rows were changed"},
		"of a newer one": {newer, "use a newer hewd"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := emptyDatabase(t)
			_, err := server.Restore(t.Context(), server.Config{DatabaseURL: url, SecretKey: servertest.SecretKey},
				bytes.NewReader(tt.file), nil)
			require.ErrorContains(t, err, tt.want)
			if tt.want == "use a newer hewd" { // it has not touched the database
				_, err := server.Restore(t.Context(), server.Config{DatabaseURL: url, SecretKey: servertest.SecretKey},
					bytes.NewReader(text), nil)
				require.NoError(t, err)
				return
			}
			conn, err := pgx.Connect(t.Context(), url)
			require.NoError(t, err)
			defer conn.Close(context.WithoutCancel(t.Context()))
			var users bool
			require.NoError(t, conn.QueryRow(t.Context(), `select to_regclass('users') is not null`).Scan(&users))
			if users {
				err := server.Migrate(t.Context(), server.Config{DatabaseURL: url, SecretKey: servertest.SecretKey})
				require.ErrorContains(t, err, "a restore of this database did not finish")
				var n int
				require.NoError(t, conn.QueryRow(t.Context(), `select count(*) from users`).Scan(&n))
				require.Zero(t, n)
			}
		})
	}
}

// furnish stores three of everything that each part keeps, in a group and a project of its own.
func furnish(t *testing.T, s *servertest.Server, owner int64) {
	ctx := t.Context()
	var at part.Place
	var err error
	at.Owner, err = tree.FindUser(ctx, s.Store, owner)
	require.NoError(t, err)
	at.Guests, err = group.InsertGroup(ctx, s.Store, tree.NewGroup("Guests", "guests", nil), owner)
	require.NoError(t, err)
	for _, p := range server.Parts(part.Host{Site: &view.Site{}}) {
		if p.Specimen == nil {
			continue
		}
		at.Group, err = group.InsertGroup(ctx, s.Store, tree.NewGroup(p.Name, p.Name, nil), owner)
		require.NoError(t, err)
		at.Project, err = project.InsertProject(ctx, s.Store, tree.NewProject("Play", "play", at.Group.ID), owner)
		require.NoError(t, err)
		at.Second, err = project.InsertProject(ctx, s.Store, tree.NewProject("Second", "second", at.Group.ID), owner)
		require.NoError(t, err)
		for _, in := range []db.Container{{}, at.Group.Container(), at.Project.Container()} {
			at.Container = in
			_, err := p.Specimen(ctx, s.Store, at, 3)
			require.NoError(t, err, "%s in the %s", p.Name, in.Kind())
		}
	}
}

// emptyDatabase returns the URL of a database without tables.
func emptyDatabase(t *testing.T) string {
	url := servertest.URL(t)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	_, err = conn.Exec(t.Context(), `drop schema public cascade; create schema public`)
	require.NoError(t, err)
	return url
}

func connect(t *testing.T, url string) *pgxpool.Pool {
	pool, err := pgxpool.New(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// contents returns, of each table, how many rows it has and a digest of them, without the ids of
// transactions.
func contents(t *testing.T, q *pgxpool.Pool) map[string]string {
	rows, err := q.Query(t.Context(), `
		select relname::text from pg_class
		where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'
			and relname not in ('schema_migrations', 'river_migration')`)
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	result := map[string]string{}
	for _, name := range names {
		rows, err := q.Query(t.Context(), fmt.Sprintf(`
			select count(*) || ' ' || coalesce(md5(string_agg(line, ' ' order by line)), '')
			from (select (to_jsonb(t) - 'written_by')::text as line from %s t) l`, pgx.Identifier{name}.Sanitize()))
		require.NoError(t, err)
		result[name], err = pgx.CollectExactlyOneRow(rows, pgx.RowTo[string])
		require.NoError(t, err)
	}
	return result
}
