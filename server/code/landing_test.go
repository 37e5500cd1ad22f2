package code_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/object"
)

// landing is the landing of a commit of the project into main.
func (s scene) landing(source object.ID, method code.MergeMethod) code.Landing {
	return code.Landing{
		Project: s.project, By: s.by, Branch: "main", Source: source, Method: method, Message: "Merge it",
		SquashMessage: "All of it", SquashAuthor: s.by.User,
	}
}

func (s scene) land(l code.Landing) code.Landed {
	s.t.Helper()
	done, err := code.Land(s.t.Context(), s.Store, l)
	require.NoError(s.t, err)
	require.Equal(s.t, s.tip("main"), done.Head)
	return done
}

// tip returns where a branch is.
func (s scene) tip(branch string) object.ID {
	s.t.Helper()
	ref, err := s.open().FindRef(s.t.Context(), s.Store, "Branch", code.Heads+branch)
	require.NoError(s.t, err)
	return ref.ID
}

func (s scene) find(id object.ID) code.Commit {
	s.t.Helper()
	c, err := s.open().FindCommit(s.t.Context(), "Commit", id)
	require.NoError(s.t, err)
	return c
}

// Each method makes its commits, or says that the source has to be rebased.
func TestLand(t *testing.T) {
	t.Parallel()
	squashed := func(l code.Landing) code.Landing { l.Squash = true; return l }
	for _, c := range []struct {
		method           code.MergeMethod
		diverged, squash bool
		merges, squashes bool
		err              error
	}{
		{method: code.MergeCommit, merges: true},
		{method: code.MergeCommit, diverged: true, merges: true},
		{method: code.MergeCommit, diverged: true, squash: true, merges: true, squashes: true},
		{method: code.RebaseMerge, merges: true},
		{method: code.RebaseMerge, squash: true, merges: true, squashes: true},
		{method: code.RebaseMerge, diverged: true, err: code.ErrNeedRebase},
		{method: code.FastForward},
		{method: code.FastForward, squash: true, squashes: true},
		{method: code.FastForward, diverged: true, err: code.ErrNeedRebase},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			before := s.commit("main", "", "a", "1")
			s.commit("work", "main", "b", "2")
			tip := s.commit("work", "", "c", "3")
			if c.diverged {
				before = s.commit("main", "", "d", "4")
			}
			l := s.landing(tip.ID, c.method)
			if c.squash {
				l = squashed(l)
			}
			if c.err != nil {
				_, err := code.Land(t.Context(), s.Store, l)
				require.ErrorIs(t, err, c.err)
				return
			}
			done := s.land(l)
			require.Equal(t, before.ID, done.Before)
			require.Equal(t, c.squashes, !done.Squash.IsZero())
			require.Equal(t, c.merges, !done.Merge.IsZero())
			second := tip.ID
			if c.squashes {
				second = done.Squash
				require.Equal(t, code.Parents{before.ID}, s.find(second).Parents)
				require.Equal(t, "All of it", s.find(second).Message)
			}
			if c.merges {
				require.Equal(t, code.Parents{before.ID, second}, s.find(done.Merge).Parents)
			} else {
				require.Equal(t, second, done.Head)
			}
			for _, path := range []string{"a", "b", "c"} {
				_, err := s.open().FindFile(t.Context(), "main", path)
				require.NoError(t, err, path)
			}
			_, err := code.Land(t.Context(), s.Store, s.landing(tip.ID, c.method))
			if !c.squash {
				require.ErrorIs(t, err, code.ErrNothingToMerge)
			}
		})
	}
}

// One commit stays as it is when it is squashed, unless it gets another message.
func TestSquashOfOneCommit(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "a", "1")
	tip := s.commit("work", "main", "b", "2")
	l := s.landing(tip.ID, code.FastForward)
	l.Squash, l.SquashMessage = true, tip.Message
	done := s.land(l)
	require.Equal(t, tip.ID, done.Head)
	require.Equal(t, tip.ID, done.Squash)

	tip = s.commit("work", "", "c", "3")
	l.Source, l.SquashMessage = tip.ID, "Another"
	done = s.land(l)
	require.NotEqual(t, tip.ID, done.Head)
	require.Equal(t, "Another", s.find(done.Head).Message)
}

// The squash of a branch that was merged criss-cross with its target has what a merge would have.
func TestSquashOfCrissCross(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "a", "1")
	work := s.commit("work", "main", "b", "2")
	main := s.commit("main", "", "c", "3")
	into := s.landing(main.ID, code.MergeCommit)
	into.Branch = "work" // a merge each way, of the same two commits
	crossed, err := code.Land(t.Context(), s.Store, into)
	require.NoError(t, err)
	s.land(s.landing(work.ID, code.MergeCommit))
	tip := s.commit("work", "", "d", "4")
	before := s.commit("main", "", "e", "5")
	bases, err := s.open().MergeBases(t.Context(), before.ID, tip.ID)
	require.NoError(t, err)
	require.ElementsMatch(t, []object.ID{work.ID, main.ID}, bases)
	require.NotEqual(t, crossed.Head, tip.ID)

	want, err := s.open().TestMerge(t.Context(), before.ID, tip.ID)
	require.NoError(t, err)
	l := s.landing(tip.ID, code.MergeCommit)
	l.Squash = true
	done := s.land(l)
	require.Equal(t, want.Tree, s.find(done.Squash).Tree)
	require.Equal(t, want.Tree, s.find(done.Merge).Tree)
	require.Equal(t, code.Parents{before.ID}, s.find(done.Squash).Parents)
}
