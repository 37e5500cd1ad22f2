package code_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/exec"
	"hew/server/git/gittest"
	"hew/server/tree"
)

// explained is a pool that keeps how Postgres plans the queries that it is asked for, for any
// arguments, as hewd's connections have it.
type explained struct {
	*pgxpool.Pool
	t     *testing.T
	plans []string
}

// Query implements db.DB.
func (e *explained) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	e.plans = append(e.plans, e.plan(ctx, sql, args))
	return e.Pool.Query(ctx, sql, args...)
}

// Begin implements db.DB.
func (e *explained) Begin(ctx context.Context) (pgx.Tx, error) {
	tx, err := e.Pool.Begin(ctx)
	return explainedTx{tx, e}, err
}

// SendBatch implements db.DB.
func (e *explained) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	for _, q := range b.QueuedQueries {
		e.plans = append(e.plans, e.plan(ctx, q.SQL, q.Arguments))
	}
	return e.Pool.SendBatch(ctx, b)
}

type explainedTx struct {
	pgx.Tx
	e *explained
}

// Query implements db.DB.
func (x explainedTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	x.e.plans = append(x.e.plans, x.e.plan(ctx, sql, args))
	return x.Tx.Query(ctx, sql, args...)
}

func (e *explained) plan(ctx context.Context, sql string, args []any) string {
	conn, err := e.Acquire(ctx)
	require.NoError(e.t, err)
	defer conn.Release()
	var values []any
	if len(args) > 0 {
		sql, values, err = args[0].(pgx.QueryRewriter).RewriteQuery(ctx, conn.Conn(), sql, nil)
		require.NoError(e.t, err)
	}
	_, err = conn.Exec(ctx, "prepare explained as "+sql)
	require.NoError(e.t, err)
	execute := "execute explained"
	if len(values) > 0 {
		execute += "(" + strings.Repeat("null, ", len(values)-1) + "null)"
	}
	rows, err := conn.Query(ctx, "explain (costs off) "+execute, pgx.QueryExecModeSimpleProtocol)
	require.NoError(e.t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(e.t, err)
	_, err = conn.Exec(ctx, "deallocate explained")
	require.NoError(e.t, err)
	return strings.Join(lines, "\n")
}

// crowd adds repositories of others with n rows of each kind, and as many branches of the scene's
// own.
func (s scene) crowd(repositories, n int) {
	s.t.Helper()
	for _, sql := range []string{
		`insert into projects (namespace_id, name, path, full_path)
		 select p.namespace_id, 'other ' || i, 'other-' || i, p.full_path || '-' || i
		 from projects p, generate_series(1, @repositories) i where p.id = @project`,
		`insert into repositories (project_id) select id from projects where id <> @project`,
		`insert into refs (repository_id, name, oid)
		 select r.id, 'refs/heads/b' || i, t.oid from repositories r, generate_series(1, @n) i,
		        lateral (select oid from refs where name = 'refs/heads/main' limit 1) t`,
		`insert into loose_objects (repository_id, oid, kind, size, body)
		 select r.id, substring(sha256(int8send(i)) for 20), 3, 1, '\x00' from repositories r, generate_series(1, @n) i
		 where r.project_id <> @project`,
		`insert into commits (repository_id, oid, tree, parents, author_name, author_email, authored_at, authored_zone,
		     committer_name, committer_email, committed_at, committed_zone, message)
		 select r.id, substring(sha256(int8send(i)) for 20), c.tree, c.parents, c.author_name, c.author_email, c.authored_at,
		     c.authored_zone, c.committer_name, c.committer_email, c.committed_at, c.committed_zone, c.message
		 from repositories r, generate_series(1, @n) i, lateral (select * from commits order by id limit 1) c
		 where r.project_id <> @project`,
		`insert into commit_paths (repository_id, path, commit_id, differs)
		 select c.repository_id, encode(substring(sha256(int8send(i)) for 16), 'hex')::uuid, c.id, 1
		 from commits c join repositories r on r.id = c.repository_id, generate_series(1, 3) i
		 where r.project_id <> @project`,
		`insert into packs (hash, objects, size, pack, index)
		 select substring(sha256(int8send(i)) for 20), 1, 1, p.pack, p.index
		 from generate_series(1, @repositories * 5) i, lateral (select * from packs limit 1) p`,
		`insert into repository_packs (repository_id, pack_id)
		 select r.id, p.id from (select id, row_number() over () as n from repositories where project_id <> @project) r
		      join (select id, row_number() over () as n from packs) p on p.n % @repositories = r.n % @repositories`,
	} {
		require.NoError(s.t, s.Store.Exec(s.t.Context(), sql, pgx.NamedArgs{
			"project": s.project.ID, "repositories": repositories, "n": n,
		}), sql)
	}
	_, err := s.DB().Exec(s.t.Context(), `vacuum analyze`)
	require.NoError(s.t, err)
}

// TestPlans: among many repositories, what is asked for most is read through an index.
func TestPlans(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	from := gittest.Large(t, gittest.Shape{Commits: 150, Files: 150})
	require.NotContains(t, s.push(from, "refs/heads/main"), "ng ")
	s.commit("main", "", "docs/later", "text")
	s.commit("main", "", "docs/last", "text")
	s.crowd(200, 120)

	git, err := exec.Find("")
	require.NoError(t, err)
	pool := &explained{Pool: s.DB().(*pgxpool.Pool), t: t}
	st := db.Over(pool, db.Config{Box: s.Store.Seal})
	p, err := tree.FindProject(t.Context(), s.Store, s.project.ID)
	require.NoError(t, err)
	for _, c := range []struct {
		name    string
		ask     func(g *code.Git) error
		indexes []string // that the plans of the queries use
	}{
		{"all refs, for a clone", func(g *code.Git) error {
			request := strings.NewReader("0014command=ls-refs\n0000")
			return code.Upload(t.Context(), st, code.SourceOf(p), 2, request, io.Discard)
		}, []string{"Index Cond: (repository_id = $1)"}},
		{"commits of a branch", func(g *code.Git) error {
			f := code.LogFilter{Limit: 20}
			if err := g.FromRange(t.Context(), "Commit", "main", &f); err != nil {
				return err
			}
			_, err := g.Log(t.Context(), f)
			return err
		}, []string{"refs_pkey", "commits_written_by", "commits_repository_id_oid_key"}},
		{"log of a path", func(g *code.Git) error {
			f := code.LogFilter{Limit: 20, Path: "docs"}
			if err := g.FromRange(t.Context(), "Commit", "HEAD", &f); err != nil {
				return err
			}
			_, err := g.Log(t.Context(), f)
			return err
		}, []string{"commit_paths_pkey", "commits_repository_id_oid_key"}},
		{"page of refs", func(g *code.Git) error {
			_, _, err := g.Branches(t.Context(), code.RefFilter{Prefix: code.Heads}, db.Page{Limit: 20, Order: "name"})
			return err
		}, []string{"refs_pkey"}},
		{"page of a tree, from rows and packs", func(g *code.Git) error {
			_, err := g.ListTree(t.Context(), code.Listing{Revision: "HEAD", Recursive: true, Limit: 20})
			return err
		}, []string{"refs_pkey", "loose_objects_pkey", "repository_packs_pkey", "packs_pkey"}},
		{"file", func(g *code.Git) error {
			_, err := g.FindFile(t.Context(), "HEAD", "docs/last")
			return err
		}, []string{"loose_objects_pkey", "commit_paths_pkey"}},
	} {
		storage := code.NewStorage(t.TempDir(), git) // nothing is remembered
		code.Attach(st, storage)
		g, err := code.Open(t.Context(), st, p)
		require.NoError(t, err)
		pool.plans = nil
		require.NoError(t, c.ask(g), c.name)
		require.NoError(t, storage.Close())
		all := strings.Join(pool.plans, "\n\n")
		require.NotRegexp(t, `Seq Scan on (refs|commits|commit_paths|loose_objects|packs|repository_packs)\b`, all,
			c.name)
		require.NotRegexp(t, `(Merge|Hash)( Semi)? Join`, all, c.name+": it reads all commits")
		for _, index := range c.indexes {
			require.Contains(t, all, index, c.name+"\n"+all)
		}
	}
}
