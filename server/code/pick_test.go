package code_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/gittest"
	"hew/server/git/object"
)

// submoduleMoves is a submodule at m that one branch moves to n, where another has a symbolic link.
// git 2.39 aborts when it merges them.
const submoduleMoves = `commit refs/heads/base
mark :1
committer A <a@example.com> 1700000000 +0000
data 4
base
M 160000 0000000000000000000000000000000000000001 m

commit refs/heads/main
mark :2
committer A <a@example.com> 1700000000 +0000
data 4
main
from :1
M 120000 inline m
data 1
a
M 120000 inline n
data 1
b

commit refs/heads/moves
mark :3
committer A <a@example.com> 1700000000 +0000
data 5
moves
from :1
D m
M 160000 0000000000000000000000000000000000000001 n
`

// Where git itself gives up, the answer is that of a conflict.
func TestPickThatGitCannotMerge(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	w := gittest.New(t)
	w.Git(submoduleMoves, "fast-import", "--quiet")
	require.Contains(t, s.push(w, code.Heads+"main", code.Heads+"moves"), "ok refs/heads/moves")
	id := func(name string) object.ID {
		id, err := object.ParseID(w.Lines("rev-parse", name)[0])
		require.NoError(t, err)
		return id
	}
	_, err := code.PickCommit(t.Context(), s.Store, code.Pick{
		Project: s.project, By: s.by, Branch: "main", Commit: id("moves"),
	})
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "we cannot cherry-pick this commit automatically")

	_, err = s.open().MergeCommits(t.Context(), id("main"), id("moves"))
	require.Equal(t, fault.CodeConflict, fault.CodeOf(err), "%v", err)
}
