package code_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
)

// Landings and pushes onto one branch at once follow each other: each is in the branch in the end.
func TestLandAtOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "a", "1")
	const sources = 6
	tips := make([]code.Commit, sources)
	for i := range tips {
		tips[i] = s.commit(fmt.Sprint("work-", i), "main", fmt.Sprint("file-", i), "x")
	}
	var wait sync.WaitGroup
	errs := make(chan error, 2*sources)
	for i, tip := range tips {
		wait.Go(func() {
			_, err := code.Land(t.Context(), s.Store, s.landing(tip.ID, code.MergeCommit))
			errs <- err
		})
		wait.Go(func() {
			text := "y"
			_, err := code.CreateCommit(t.Context(), s.Store, code.NewCommit{
				Project: s.project, By: s.by, Branch: "main", Message: "Push",
				Actions: []code.Action{{Do: "create", Path: fmt.Sprint("pushed-", i), Content: &text}},
			})
			errs <- err
		})
	}
	wait.Wait()
	for range 2 * sources {
		require.NoError(t, <-errs)
	}
	g := s.open()
	for i, tip := range tips {
		merged, err := g.Merged(t.Context())
		require.NoError(t, err)
		require.True(t, merged(tip.ID))
		for _, name := range []string{"file-", "pushed-"} {
			_, err = g.FindFile(t.Context(), "main", fmt.Sprint(name, i))
			require.NoError(t, err)
		}
	}
	n, err := g.Count(t.Context(), s.tip("main"), true)
	require.NoError(t, err)
	require.Equal(t, 1+2*sources, n)
}

// A landing that is rolled back leaves no object, commit or ref. Conflicts and sources that have
// moved are errors.
func TestLandRolledBack(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "a", "1")
	tip := s.commit("work", "main", "b", "2")
	s.commit("main", "", "c", "3")
	tables := func() (n []int) {
		for _, table := range []string{"loose_objects", "commits", "commit_paths", "refs"} {
			n = append(n, s.count(table))
		}
		return n
	}
	before := tables()
	failed := errors.New("failed later")
	l := s.landing(tip.ID, code.MergeCommit)
	l.Squash = true
	var lost code.Landed
	err := s.Tx(t.Context(), func(st *db.Store) (err error) {
		lost, err = code.Land(t.Context(), st, l)
		return errors.Join(err, failed)
	})
	require.ErrorIs(t, err, failed)
	require.NotZero(t, lost.Merge)
	require.Equal(t, before, tables())
	s.requireObject(false, lost.Merge)

	l.From = &code.BranchOf{Project: s.project, Branch: "work"}
	s.commit("work", "", "d", "4")
	_, err = code.Land(t.Context(), s.Store, l)
	require.ErrorIs(t, err, code.ErrSourceMoved)
	conflict := s.commit("work", "", "c", "not 3")
	_, err = code.Land(t.Context(), s.Store, s.landing(conflict.ID, code.MergeCommit))
	var u code.Unmergeable
	require.ErrorAs(t, err, &u)
	require.Equal(t, []string{"c"}, u.Paths)
}
