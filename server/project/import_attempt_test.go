package project_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/project"
	"hew/server/servertest"
	"hew/server/tree"
)

// importScene is a project with an import of a type that no job of the server makes.
type importScene struct {
	t *testing.T
	s *servertest.Server
	p tree.Project
}

func newImportScene(t *testing.T) importScene {
	s := servertest.Fresh(t)
	w := s.World(t)
	p := tree.NewProject("site", "site", w.Group("acme", nil, w.User("owner").ID).ID)
	p, err := project.InsertProject(t.Context(), s.Store, p, 0)
	require.NoError(t, err)
	p, err = project.BeginImport(t.Context(), s.Store, p, "a_host", "the source")
	require.NoError(t, err)
	return importScene{t, s, p}
}

func (sc importScene) stale() int {
	list, err := project.StaleImports(sc.t.Context(), sc.s.Store, "a_host")
	require.NoError(sc.t, err)
	return len(list)
}

// The import of a process that lives is its own; that of one that has died is free at once.
func TestImportOfDeadProcess(t *testing.T) {
	t.Parallel()
	sc := newImportScene(t)
	ctx, other := t.Context(), sc.s.Beside(t)
	first, _, err := project.TakeImport(ctx, other.Store, sc.p.ID)
	require.NoError(t, err)
	require.NotEqual(t, *jobs.Process(sc.s.Store), *first.Process)
	require.Zero(t, sc.stale())
	_, _, err = project.TakeImport(ctx, sc.s.Store, sc.p.ID)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err), "%v", err)

	require.NoError(t, sc.s.Store.Exec(ctx, `
		select pg_terminate_backend(pid, 60000) from pg_locks where locktype = 'advisory' and objsubid = 2
		and objid::bigint = @n and database = (select oid from pg_database where datname = current_database())`,
		pgx.NamedArgs{"n": *first.Process}))
	require.Equal(t, 1, sc.stale())
	second, source, err := project.TakeImport(ctx, sc.s.Store, sc.p.ID)
	require.NoError(t, err)
	require.Equal(t, "the source", source)
	require.Zero(t, sc.stale())
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(project.KeepImport(ctx, other.Store, first)), "it has lost it")
	require.NoError(t, project.KeepImport(ctx, sc.s.Store, second))
}

// kill has an attempt at the import begin in a process that is killed, after it has got further or
// not, and reports whether it began.
func (sc importScene) kill(further bool) (began bool) {
	sc.t.Helper()
	ctx := sc.t.Context()
	err := project.AttemptImport(ctx, sc.s.Store, sc.p.ID, project.Attempt{
		Do: func(ctx context.Context, task project.Import, _ string) error {
			if began = true; further {
				return errors.Join(project.MoveImport(ctx, sc.s.Store, task), fault.NotFound("Import"))
			}
			return fault.NotFound("Import") // which leaves the row as a kill does
		},
		Explain: func(error, string) (string, bool) { return "", false },
	})
	require.NoError(sc.t, err)
	require.NoError(sc.t, sc.s.Store.Exec(ctx, `update project_imports set process = -1 where project_id = @id`,
		pgx.NamedArgs{"id": sc.p.ID}))
	return began
}

// An import goes on after any number of kills between which it gets further, and fails after three
// at the same place.
func TestImportAttempts(t *testing.T) {
	t.Parallel()
	sc := newImportScene(t)
	for range 5 {
		require.True(t, sc.kill(true))
	}
	for range 2 {
		require.True(t, sc.kill(false))
	}
	require.True(t, sc.kill(true))
	for range project.MaxImportAttempts {
		require.True(t, sc.kill(false))
	}
	require.False(t, sc.kill(false))
	p, err := tree.FindProject(t.Context(), sc.s.Store, sc.p.ID)
	require.NoError(t, err)
	require.Equal(t, "failed", p.ImportStatus)
	require.Equal(t, "the server has stopped 3 times at the same place of the import", *p.ImportError)
	left, err := db.Value[int](t.Context(), sc.s.Store, `select count(*)::int from project_imports`, nil)
	require.NoError(t, err)
	require.Zero(t, left)
}
