package code_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/diff"
	"hew/server/git/object"
)

// write commits files to a branch at once.
func (s scene) write(branch string, files map[string]string) code.Commit {
	s.t.Helper()
	n := code.NewCommit{Project: s.project, By: s.by, Branch: branch, Message: "Write files"}
	for path, text := range files {
		n.Actions = append(n.Actions, code.Action{Do: "create", Path: path, Content: &text})
	}
	c, err := code.CreateCommit(s.t.Context(), s.Store, n)
	require.NoError(s.t, err)
	return c
}

// The list of a difference ends at its limits, and says at which one; files over soft limits are
// collapsed, and a large one is left out.
func TestDiffList(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	before := s.commit("main", "", "README", "hello")
	files := map[string]string{"large": strings.Repeat("123456789\n", 30_000)}
	for i := range 150 {
		files[fmt.Sprintf("f%03d", i)] = strings.Repeat("line\n", 10)
	}
	after := s.write("main", files)
	limits, err := code.DiffLimits(t.Context(), s.Store)
	require.NoError(t, err)
	require.Equal(t, diff.ListLimits{
		Files: 1000, Lines: 50_000, PatchBytes: 204_800, Bytes: 1000 * 5120,
		SoftFiles: 100, SoftLines: 5000, SoftPatchBytes: 20_480, SoftBytes: 100 * 5120,
	}, limits)
	list := func(from, to object.ID, limits diff.ListLimits, w diff.Window) diff.List {
		l, err := s.open().DiffList(t.Context(), from, to, limits, w)
		require.NoError(t, err)
		return l
	}
	l := list(before.ID, after.ID, limits, diff.Window{Offset: 98, Limit: 53})
	require.Equal(t, []int{151, 151, 1500}, []int{l.Total, l.Real, l.Lines})
	require.Equal(t, diff.NoOverflow, l.Overflow)
	require.Len(t, l.Files, 53)
	require.Equal(t, []bool{false, false, true}, []bool{
		l.Files[0].Collapsed, l.Files[1].Collapsed, l.Files[2].Collapsed,
	})
	large := l.Files[52]
	require.Equal(t, "large", large.NewPath)
	require.True(t, large.TooLarge)
	require.Empty(t, large.Patch)
	require.Equal(t, 30_000, large.Added)

	for overflow, change := range map[diff.Overflow]func(*diff.ListLimits){
		diff.FilesOverflow: func(l *diff.ListLimits) { l.Files = 40 },
		diff.LinesOverflow: func(l *diff.ListLimits) { l.Lines = 405 },
		diff.BytesOverflow: func(l *diff.ListLimits) {
			l.Bytes = 40 * len(l0(list(before.ID, after.ID, *l,
				diff.Window{Limit: 1})))
		},
	} {
		limits := limits
		change(&limits)
		l := list(before.ID, after.ID, limits, diff.Window{Limit: 1000})
		require.Equal(t, overflow, l.Overflow)
		require.Equal(t, []int{40, 151}, []int{l.Total, l.Real}, overflow)
		require.Len(t, l.Files, 40)
	}
}

func l0(l diff.List) string { return l.Files[0].Patch }

// A patch has the same id wherever in history it is, and another one if it is another patch.
func TestPatchID(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.commit("main", "", "a", "1\n2\n3\n")
	change := s.commit("work", "main", "b", "4\n")
	other := s.commit("main", "", "c", "5\n")
	g := s.open()
	want, err := g.PatchID(t.Context(), first.ID, change.ID)
	require.NoError(t, err)
	require.NotZero(t, want)
	head, err := s.rebase("work", change.ID, other.ID)
	require.NoError(t, err)
	got, err := s.open().PatchID(t.Context(), other.ID, head)
	require.NoError(t, err)
	require.Equal(t, want, got)
	got, err = s.open().PatchID(t.Context(), first.ID, head)
	require.NoError(t, err)
	require.NotEqual(t, want, got)
	got, err = s.open().PatchID(t.Context(), head, head)
	require.NoError(t, err)
	require.Zero(t, got)
	var text strings.Builder
	require.NoError(t, s.open().WriteDiff(t.Context(), first.ID, change.ID, &text))
	require.Contains(t, text.String(), "+++ b/b\n@@ -0,0 +1 @@\n+4\n")
}
