package mirror_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// TestPullRefused: refs that the project cannot have are named, and all others follow.
func TestPullRefused(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "pullrefused")
	up, _ := sc.upstream("up.git")
	const hex = "1111111111111111111111111111111111111111"
	up.Git("push", "-q", "origin", "main:refs/heads/dir", "main:refs/heads/"+hex)
	up.Commit("more", "more\n")
	up.Git("push", "-q", "origin", "main", "main:topic")
	sc.push("main:dir/ours")
	sc.change(map[string]any{
		"mirror": true, "import_url": sc.url + "/up.git", "mirror_overwrites_diverged_branches": true,
	})
	now := sc.pulled()
	require.Equal(t, "failed", now.Status)
	require.Equal(t, "Some refs could not be updated:\n\n"+
		"refs/heads/"+hex+": You cannot create a branch with a 40-character hexadecimal branch name.\n"+
		"refs/heads/dir: 'refs/heads/dir/ours' exists; cannot create 'refs/heads/dir'", now.error())
	main := up.Git("rev-parse", "main")[:40]
	require.Contains(t, sc.ours(), main+"\trefs/heads/main")
	require.Contains(t, sc.ours(), main+"\trefs/heads/topic")
	require.NotContains(t, sc.ours(), hex)
}

// TestPullElsewhere: a new address ends the run that reads the old one.
func TestPullElsewhere(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "elsewhere")
	sc.upstream("old.git")
	_, bare := sc.upstream("up.git")
	sc.change(map[string]any{"mirror": true, "import_url": sc.url + "/old.git"})
	m := sc.pulled()
	require.NoError(t, sc.s.Store.Exec(t.Context(), `
		update pull_mirrors set update_status = 'started', alive_at = now(), runs = runs + 1, due_at = null
		where id = @id`,
		pgx.NamedArgs{"id": m.ID}))
	sc.change(map[string]any{"import_url": sc.url + "/up.git", "mirror_overwrites_diverged_branches": true})
	now := sc.pulled()
	require.Equal(t, "finished", now.Status, now.error())
	require.Equal(t, theirs(bare), sc.ours())
}
