package code_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/object"
)

// rebase rebases a branch, which points to head, onto a commit.
func (s scene) rebase(branch string, head, onto object.ID) (object.ID, error) {
	return code.RebaseBranch(s.t.Context(), s.Store, code.Rebase{
		Project: s.project, By: s.by, Branch: branch, Head: head, Onto: onto,
	})
}

// titles returns the messages of the commits that head has and base lacks, newest first.
func (s scene) titles(base, head object.ID) (titles []string) {
	s.t.Helper()
	commits, err := s.open().Log(s.t.Context(), code.LogFilter{
		From: []object.ID{head}, Not: []object.ID{base}, Limit: 100, Topo: true,
	})
	require.NoError(s.t, err)
	for _, c := range commits {
		require.Len(s.t, c.Parents, 1)
		titles = append(titles, c.Title())
	}
	return titles
}

func TestRebase(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "a", "1")
	one := s.commit("one", "main", "b", "2")
	s.commit("three", "main", "c", "3")
	s.commit("three", "", "d", "4")
	three := s.commit("three", "", "e", "5")
	main := s.commit("main", "", "d", "4") // the second of three

	head, err := s.rebase("one", one.ID, main.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"Write b"}, s.titles(main.ID, head))
	again, err := s.rebase("one", head, main.ID)
	require.NoError(t, err)
	require.Equal(t, head, again)
	_, err = s.rebase("one", one.ID, main.ID)
	require.ErrorIs(t, err, code.ErrSourceMoved)

	done, err := code.Land(t.Context(), s.Store, s.landing(head, code.MergeCommit))
	require.NoError(t, err)
	head, err = s.rebase("three", three.ID, done.Head)
	require.NoError(t, err)
	require.Equal(t, []string{"Write e", "Write c"}, s.titles(done.Head, head))

	conflicting := s.commit("conflicting", "three", "f", "6")
	other := s.commit("main", "", "f", "7")
	_, err = s.rebase("conflicting", conflicting.ID, other.ID)
	var u code.Unmergeable
	require.ErrorAs(t, err, &u)
	require.Equal(t, []string{"f"}, u.Paths)
	require.Equal(t, fault.CodeConflict, fault.CodeOf(err))
	require.ErrorContains(t, err, "the changes conflict in f")
}
