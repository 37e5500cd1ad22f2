package mirror_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/git/gittest"
	"hew/server/servertest"
)

// TestPush: branches and tags follow, at once, and then when the pause is over.
func TestPush(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "pusher")
	gittest.ClientIn(t, sc.dir).Git("init", "-q", "secret")
	to := sc.bare("secret/site.git")
	m := sc.mirror(sc.as(gittest.User+":"+gittest.Password, "/secret/site.git"), nil)
	require.Equal(t, "none", m.Status)
	for i := range 25 { // more than one batch
		sc.work.Git("branch", fmt.Sprintf("topic/%d", i))
		sc.work.Commit(fmt.Sprintf("src/%d.go", i), fmt.Sprintf("package a // %d\n", i))
	}
	sc.work.Git("tag", "-am", "First", "v1.0")
	sc.work.Git("tag", "light", "HEAD~1")
	sc.push("--all")
	first := sc.show(m)
	require.Equal(t, "finished", first.Status, first.error())
	require.NotNil(t, first.Succeeded)
	require.Equal(t, refsOf(sc.work), refsOf(to)+sc.work.Git("for-each-ref", refFormat, "refs/tags"))

	sc.push("--tags")
	require.NotEqual(t, refsOf(sc.work), refsOf(to), "the pause is not over")
	sc.sweep(4 * time.Minute)
	require.NotEqual(t, refsOf(sc.work), refsOf(to), "the pause is not over")
	sc.work.Git("branch", "-D", "topic/3")
	sc.push("--delete", "topic/3")
	sc.sweep(6 * time.Minute)
	require.Equal(t, refsOf(sc.work), refsOf(to))
	to.Git("fsck", "--strict")
	require.Empty(t, sc.column("push_mirrors", "due_at", m.ID))

	// A rewritten branch is overwritten.
	sc.work.Git("reset", "-q", "--hard", "topic/2")
	sc.work.Commit("other", "other\n")
	sc.do("DELETE", "/protected_branches/main", nil)
	sc.push("--force", "main")
	require.Equal(t, "finished", sc.sync(m).Status)
	require.Equal(t, refsOf(sc.work), refsOf(to))
}

// TestPushSelects: protected branches, or those that match an expression, and all tags.
func TestPushSelects(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "selector")
	protected, matching := sc.bare("protected.git"), sc.bare("matching.git")
	p := sc.mirror(sc.url+"/protected.git", map[string]any{"only_protected_branches": true})
	r := sc.mirror(sc.url+"/matching.git", map[string]any{"mirror_branch_regex": "^re"})
	for _, name := range []string{"release", "topic"} {
		sc.work.Git("branch", name)
	}
	sc.work.Git("tag", "v1")
	sc.push("main", "release", "topic", "v1")
	require.Equal(t, "finished", sc.show(p).Status, sc.show(p).error())
	require.Equal(t, "finished", sc.show(r).Status, sc.show(r).error())
	names := func(c gittest.Client) string { return c.Git("for-each-ref", "--format=%(refname:short)") }
	require.Equal(t, "main\nv1\n", names(protected))
	require.Equal(t, "release\nv1\n", names(matching))

	sc.work.Commit("more", "more\n")
	sc.push("main")
	sc.sweep(90 * time.Second)
	require.Equal(t, sc.work.Git("rev-parse", "main"), protected.Git("rev-parse", "main"), "a pause of a minute")
}

// TestPushKeeps: commits of the other side alone are kept, if the mirror says so.
func TestPushKeeps(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "keeper")
	to := sc.bare("site.git")
	m := sc.mirror(sc.url+"/site.git", map[string]any{"keep_divergent_refs": true})
	sc.work.Git("branch", "topic")
	sc.push("main", "topic")
	require.Equal(t, "finished", sc.show(m).Status)

	other := gittest.NewClient(t)
	other.Git("clone", "-q", to.Dir, ".")
	other.Commit("theirs", "theirs\n")
	other.Git("push", "-q", "origin", "main", "main:extra")
	theirs := to.Git("rev-parse", "main")
	sc.work.Commit("ours", "ours\n")
	sc.push("main", "main:topic")
	failed := sc.sync(m)
	require.Equal(t, "failed", failed.Status)
	require.Equal(t, "Some refs have diverged and have not been updated on the remote:\n\nrefs/heads/main", failed.error())
	require.Equal(t, theirs, to.Git("rev-parse", "main"))
	require.Equal(t, sc.work.Git("rev-parse", "main"), to.Git("rev-parse", "topic"))

	hook := filepath.Join(to.Dir, "hooks", "pre-receive")
	require.NoError(t, os.WriteFile(hook, []byte("#!/bin/sh\nexit 1\n"), 0o755))
	sc.push("main:fresh")
	both := sc.sync(m)
	require.Equal(t, "to_retry", both.Status, "the next push may be taken")
	require.Equal(t, "Some refs were refused by the remote:\n\nrefs/heads/fresh: pre-receive hook declined\n\n"+
		"Some refs have diverged and have not been updated on the remote:\n\nrefs/heads/main", both.error())
	require.NoError(t, os.Remove(hook))

	require.Equal(t, 200, sc.do("PUT", fmt.Sprintf("/remote_mirrors/%d", m.ID),
		map[string]any{"keep_divergent_refs": false}).Status)
	done := sc.sync(m)
	require.Equal(t, "finished", done.Status, done.error())
	require.Nil(t, done.Error)
	require.Equal(t, sc.work.Git("rev-parse", "main"), to.Git("rev-parse", "main"))
	require.Equal(t, theirs, to.Git("rev-parse", "extra"), "nobody merged it: it is not ours to delete")
}

// TestPushFails: what is wrong is tried again, then said once, and never with credentials.
func TestPushFails(t *testing.T) {
	t.Parallel()
	sc := newSceneOn(t, withMail(t), "failer")
	sc.mailed = true
	m := sc.mirror(sc.as("ann:wr%20ng-word", "/secret/site.git"), nil)
	sc.push("main")
	const want = "127.0.0.1 does not accept the user name and password of url"
	for i, status := range []string{"to_retry", "to_retry", "failed"} {
		now := sc.show(m)
		require.Equal(t, status, now.Status)
		require.Equal(t, want, now.error())
		if i < 2 {
			require.NoError(t, sc.s.Store.Exec(t.Context(),
				`update push_mirrors set due_at = now() - interval '1 second'`, nil))
			sc.sweep(0)
		}
	}
	mails, err := db.Value[int](t.Context(), sc.s.Store,
		`
		select count(*)::int from river_job where kind = 'send_mail' and args ->> 'message' like '%push mirror%'`, nil)
	require.NoError(t, err)
	require.Equal(t, 1, mails)
	require.Empty(t, sc.column("push_mirrors", "due_at", m.ID))
	for _, secret := range []string{"wr%20ng-word", "wr ng-word"} {
		require.Empty(t, servertest.Found(sc.s.Dump(t), secret))
	}
}

// TestPushRefused: a ref that the other side does not take is named.
func TestPushRefused(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "refused")
	to := sc.bare("site.git")
	to.Git("config", "receive.denyCurrentBranch", "refuse")
	to.Git("config", "core.bare", "false")
	m := sc.mirror(sc.url+"/site.git", nil)
	sc.work.Git("branch", "topic")
	sc.push("main", "topic")
	now := sc.show(m)
	require.Equal(t, "to_retry", now.Status)
	require.Equal(t, "Some refs were refused by the remote:\n\nrefs/heads/main: branch is currently checked out",
		now.error())
	require.Equal(t, sc.work.Git("rev-parse", "topic"), to.Git("rev-parse", "topic"))
}

// TestPushResumes: a push whose process was killed is run again, and given up after some tries.
func TestPushResumes(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "resumer")
	to := sc.bare("site.git")
	m := sc.mirror(sc.url+"/site.git", nil)
	require.Equal(t, "finished", sc.sync(m).Status)
	put := func(tries int, alive string) state { // as a process leaves it that is killed
		t.Helper()
		require.NoError(t, sc.s.Store.Exec(t.Context(), `
			update push_mirrors set update_status = 'started', tries = @tries, alive_at = now() - @alive::interval,
			       due_at = null where id = @id`, pgx.NamedArgs{"id": m.ID, "tries": tries, "alive": alive}))
		sc.sweep(0)
		return sc.show(m)
	}
	sc.push("main")
	sc.s.Drain(t)
	require.Empty(t, refsOf(to), "the pause is not over")
	require.Equal(t, "started", put(1, "1 second").Status, "another process runs it")
	require.Equal(t, 204, sc.do("POST", fmt.Sprintf("/remote_mirrors/%d/sync", m.ID), nil).Status, "it does nothing")
	require.Equal(t, "started", sc.show(m).Status)
	require.Equal(t, "finished", put(1, "2 minutes").Status)
	require.Equal(t, refsOf(sc.work), refsOf(to))
	gone := put(3, "2 minutes")
	require.Equal(t, "failed", gone.Status)
	require.Equal(t, "the server has stopped 3 times during the push", gone.error())
}

// TestPushOff: a mirror that is off, of an archived project, or while mirrors are not available
// does not push.
func TestPushOff(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "off")
	to := sc.bare("site.git")
	m := sc.mirror(sc.url+"/site.git", map[string]any{"enabled": false})
	sc.push("main")
	require.Equal(t, "none", sc.show(m).Status)
	sync := fmt.Sprintf("/remote_mirrors/%d/sync", m.ID)
	require.Equal(t, 400, sc.do("POST", sync, nil).Status)
	sc.do("PUT", fmt.Sprintf("/remote_mirrors/%d", m.ID), map[string]any{"enabled": true})
	sc.set("mirror_available", false)
	sc.work.Commit("more", "more\n")
	sc.push("main")
	sc.s.Drain(t)
	sc.set("mirror_available", true)
	reply := sc.do("POST", "/archive", nil)
	require.Equal(t, 201, reply.Status, string(reply.Body))
	require.Equal(t, 400, sc.do("POST", sync, nil).Status)
	require.Equal(t, "none", sc.show(m).Status)
	require.Empty(t, refsOf(to))
}
