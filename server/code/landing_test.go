package code_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/object"
)

// landing is the landing of a branch of the project into main.
func (s scene) landing(source object.ID, method code.MergeMethod) code.Landing {
	return code.Landing{
		Project: s.project, By: s.by, Branch: "main", Source: source, Method: method, Message: "Merge it",
		SquashMessage: "All of it", SquashAuthor: s.by.User,
	}
}

func TestLand(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "a", "1")
	s.commit("work", "main", "b", "2")
	tip := s.commit("work", "", "c", "3")
	done, err := code.Land(t.Context(), s.Store, s.landing(tip.ID, code.FastForward))
	require.NoError(t, err)
	require.Equal(t, tip.ID, done.Head)
	require.Zero(t, done.Merge)
	_, err = code.Land(t.Context(), s.Store, s.landing(tip.ID, code.MergeCommit))
	require.ErrorIs(t, err, code.ErrNothingToMerge)

	s.commit("other", "main", "d", "4")
	other := s.commit("other", "", "e", "5")
	s.commit("main", "", "f", "6")
	_, err = code.Land(t.Context(), s.Store, s.landing(other.ID, code.FastForward))
	require.ErrorIs(t, err, code.ErrNeedRebase)
	l := s.landing(other.ID, code.MergeCommit)
	l.Squash, l.From = true, &code.BranchOf{Project: s.project, Branch: "other"}
	done, err = code.Land(t.Context(), s.Store, l)
	require.NoError(t, err)
	c, err := s.open().FindCommit(t.Context(), "Commit", done.Merge)
	require.NoError(t, err)
	require.Equal(t, code.Parents{done.Before, done.Squash}, c.Parents)
}
