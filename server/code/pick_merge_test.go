package code_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/object"
)

// A merge, and a squash, can be taken back and applied once more: what counts is the difference to
// the first parent.
func TestPickOfLanding(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*code.Landing){
		"merge":             func(*code.Landing) {},
		"squash":            func(l *code.Landing) { l.Squash = true },
		"squash, ff method": func(l *code.Landing) { l.Squash, l.Method = true, code.FastForward },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			base := s.commit("main", "", "a", "1")
			s.commit("release", "main", "r", "1")
			s.commit("work", "main", "b", "2")
			tip := s.commit("work", "", "c", "3")
			l := s.landing(tip.ID, code.MergeCommit)
			change(&l)
			done := s.land(l)
			after := s.commit("main", "", "d", "4")

			pick := func(branch string, commit object.ID, revert bool) code.Commit {
				t.Helper()
				c, err := code.PickCommit(t.Context(), s.Store, code.Pick{
					Project: s.project, By: s.by, Branch: branch, Commit: commit, Revert: revert,
				})
				require.NoError(t, err)
				require.Len(t, c.Parents, 1)
				return c
			}
			has := func(c code.Commit, path string) bool {
				_, err := s.open().FindFile(t.Context(), c.ID.String(), path)
				return err == nil
			}
			picked := pick("release", done.Head, false)
			require.True(t, has(picked, "b") && has(picked, "c") && has(picked, "r"))
			require.False(t, has(picked, "d"))
			reverted := pick("main", done.Head, true)
			require.False(t, has(reverted, "b") || has(reverted, "c"))
			require.True(t, has(reverted, "a") && has(reverted, "d"))
			again := pick("main", reverted.ID, true)
			require.Equal(t, after.Tree, again.Tree)
			require.NotEqual(t, base.Tree, again.Tree)
			_, err := code.PickCommit(t.Context(), s.Store, code.Pick{
				Project: s.project, By: s.by, Branch: "release", Commit: done.Head,
			})
			require.ErrorContains(t, err, "cherry-pick")
		})
	}
}
