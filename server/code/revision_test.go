package code_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/object"
)

// Revisions are resolved as git does.
func TestResolve(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	_, err := s.open().Resolve(t.Context(), "Commit", "HEAD")
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err), "an empty repository has no HEAD")

	first := s.commit("main", "", "a", "1")
	second := s.commit("main", "", "b", "2")
	third := s.commit("main", "", "c", "3")
	topic := s.commit("feature/x", "main", "d", "4")
	tag := func(name, revision, message string) {
		t.Helper()
		n := code.NewTag{Name: name, Revision: revision, Message: message}
		_, err := code.CreateTag(t.Context(), s.Store, s.project, s.by, n)
		require.NoError(t, err)
	}
	tag("v1", "main~2", "")
	tag("v2", "main^", "Annotated")
	tag("feature/x", "v2", "Tags come before branches")

	g := s.open()
	for revision, want := range map[string]object.ID{
		"HEAD": third.ID, "@": third.ID, "main": third.ID, "heads/main": third.ID, "refs/heads/main": third.ID,
		"v1": first.ID, "tags/v1": first.ID, "v2": second.ID, "v2^{commit}": second.ID, "v2^{}": second.ID,
		"feature/x": second.ID, "refs/heads/feature/x": topic.ID, "heads/feature/x": topic.ID,
		"main~1": second.ID, "main~": second.ID, "main^": second.ID, "main^1": second.ID, "main~2": first.ID,
		"main^^": first.ID, "main~1^": first.ID, "main^0": third.ID, "main~0": third.ID, "main^^0~0": second.ID,
		"refs/heads/feature/x~3": first.ID, "HEAD^{}~1": second.ID,
		first.ID.String(): first.ID, first.ID.Short(7): first.ID, first.ID.Short(12): first.ID,
		third.ID.Short(8) + "~2": first.ID,
	} {
		got, err := g.Resolve(t.Context(), "Commit", revision)
		require.NoError(t, err, revision)
		require.Equal(t, want.String(), got.String(), revision)
	}
	for _, revision := range []string{
		"", "nothing", "Main", "refs/heads", "main~3", "main^2", "main^{tree}", "main^{", "main^x", "main~99999999999999",
		first.ID.Short(6), "0123456", "0123456789012345678901234567890123456789", first.Tree.String(), "~1", "^",
		"main~-1", "refs/heads/v1",
	} {
		_, err := g.Resolve(t.Context(), "Commit", revision)
		require.Equal(t, fault.CodeNotFound, fault.CodeOf(err), "%q: %v", revision, err)
	}
}

// A branch whose name looks like the beginning of an id is the branch.
func TestResolvePrefersNames(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.commit("main", "", "a", "1")
	second := s.commit("main", "", "b", "2")
	name := first.ID.Short(8)
	_, err := code.CreateBranch(t.Context(), s.Store, s.project, s.by, name, "main")
	require.NoError(t, err)
	got, err := s.open().Resolve(t.Context(), "Commit", name)
	require.NoError(t, err)
	require.Equal(t, second.ID, got)
	got, err = s.open().Resolve(t.Context(), "Commit", first.ID.String())
	require.NoError(t, err)
	require.Equal(t, first.ID, got, "a whole id is the commit")
}
