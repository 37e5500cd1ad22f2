package code_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/project"
	"hew/server/tree"
)

// fork forks the project. It calls during in the transaction that creates the fork, before the
// parent is locked, with the number of the attempt.
func (s scene) fork(path string, branches []string, during func(attempt int)) (scene, error) {
	s.t.Helper()
	space, err := tree.Namespace(s.t.Context(), s.Store, s.project.NamespaceID)
	require.NoError(s.t, err)
	calls := 0
	p, err := code.Fork(s.t.Context(), s.Store, code.NewFork{
		Parent: s.project, By: s.by.User, Branches: branches,
		Project: func(ctx context.Context, st *db.Store) (tree.Project, error) {
			if calls++; during != nil && calls > 1 {
				during(calls - 1)
			}
			p, err := project.NewFork(ctx, st, s.project, space, s.by.User, db.Public)
			p.Name, p.Path = path, path
			return p, err
		},
	})
	s.project = p
	return s, err
}

// A fork shares the objects of a parent that has no others. Of one that has, it gets what its
// branches and tags reach, and nothing else.
func TestForkHasWhatRefsReach(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	withJobs(s)
	first := s.commit("main", "", "first", "1")
	s.commit("work", "main", "second", "2")
	require.NoError(t, code.Collect(t.Context(), s.Store, s.open().ID, 0)) // the empty tree, too
	shared, err := s.fork("shared", nil, nil)
	require.NoError(t, err)
	require.Equal(t, 1, s.count("packs"))
	require.Equal(t, 2, s.count("repository_packs"))
	require.Equal(t, "main", shared.project.Head)
	require.False(t, shared.project.Empty)
	shared.commit("work", "", "third", "3")
	s.requireObject(false, object.Hash(object.KindBlob, []byte("3")))

	hidden := s.commit("secret", "main", "password", "hunter2")
	require.NoError(t, s.Exec(t.Context(), `
		update refs set name = 'refs/merge-requests/1/head' where name = 'refs/heads/secret'`, nil))
	exact, err := s.fork("exact", nil, nil)
	require.NoError(t, err)
	for _, id := range []object.ID{hidden.ID, hidden.Tree, object.Hash(object.KindBlob, []byte("hunter2"))} {
		s.requireObject(true, id)
		exact.requireObject(false, id)
	}
	exact.requireObject(true, object.Hash(object.KindBlob, []byte("2")))
	refs, err := exact.open().Refs(t.Context(), s.Store)
	require.NoError(t, err)
	require.Len(t, refs, 2)

	one, err := s.fork("one", []string{"main"}, nil)
	require.NoError(t, err)
	one.requireObject(false, object.Hash(object.KindBlob, []byte("2")))
	one.requireObject(true, first.ID)
	h, err := one.open().History(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, h.Len())
	_, err = s.fork("none", []string{"nothing"}, nil)
	require.ErrorContains(t, err, "not found: Branch")

	empty := s
	empty.project = s.Project("empty", s.project.NamespaceID, s.by.User.ID)
	fork, err := empty.fork("emptier", nil, nil)
	require.NoError(t, err)
	require.True(t, fork.project.Empty)
}

// A fork is a parent at one moment: a push changes nothing in it, and where jobs exchange the packs
// it is made again.
func TestForkWhileParentChanges(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	withJobs(s)
	first := s.commit("main", "", "first", "1")
	var later code.Commit
	attempts := 0
	fork, err := s.fork("fork", nil, func(attempt int) {
		attempts = attempt
		if attempt == 1 {
			later = s.commit("main", "", "second", "2")
			require.NoError(t, code.Collect(t.Context(), s.Store, s.open().ID, 0))
		}
	})
	require.NoError(t, err)
	require.Equal(t, 2, attempts)
	fork.requireObject(true, later.ID)

	fork, err = s.fork("other", nil, func(int) { later = s.commit("main", "", "third", "3") })
	require.NoError(t, err)
	fork.requireObject(false, later.ID)
	fork.requireObject(true, first.ID)
	h, err := fork.open().History(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, h.Len())

	require.NoError(t, tree.RemoveProject(t.Context(), s.Store, s.project.ID))
	fork.commit("main", "", "fourth", "4")
	fork.requireObject(true, first.ID)
}

// withJobs gives a scene a queue, whose jobs nobody does.
func withJobs(s scene) {
	s.t.Helper()
	_, err := jobs.Open(s.DB().(*pgxpool.Pool), s.Store, code.Jobs(&outbound.Guard{}), nil, slog.New(slog.DiscardHandler))
	require.NoError(s.t, err)
}
