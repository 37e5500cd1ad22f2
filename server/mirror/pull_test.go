package mirror_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
)

// upstream makes a repository on the other host with a commit, and a working directory of it.
func (sc *scene) upstream(name string) (work, bare gittest.Client) {
	sc.t.Helper()
	bare = sc.bare(name)
	work = gittest.NewClient(sc.t)
	work.Git("init", "-q", "-b", "main", ".")
	work.Git("remote", "add", "origin", bare.Dir)
	work.Commit("README.md", "# Upstream\n")
	work.Git("push", "-q", "origin", "main")
	return work, bare
}

// pulled returns the pull mirror once the jobs are done.
func (sc *scene) pulled() (now state) {
	sc.t.Helper()
	sc.drain()
	reply := sc.do("GET", "/mirror/pull", nil)
	require.Equal(sc.t, 200, reply.Status, string(reply.Body))
	reply.Into(sc.t, &now)
	return now
}

func (sc *scene) change(fields map[string]any) {
	sc.t.Helper()
	reply := sc.do("PUT", "", fields)
	require.Equal(sc.t, 200, reply.Status, string(reply.Body))
}

// projectState returns the state of the import that the project shows, and its error.
func (sc *scene) projectState() []string {
	var p struct {
		Status string `json:"import_status"`
		Error  string `json:"import_error"`
	}
	sc.do("GET", "", nil).Into(sc.t, &p)
	return []string{p.Status, p.Error}
}

// ours returns the refs of the project, as its clients see them.
func (sc *scene) ours() string {
	return sc.work.Git("ls-remote", "--heads", "--tags", "--refs", sc.address(sc.project.Path))
}

func theirs(c gittest.Client) string {
	return c.Git("for-each-ref", "--format=%(objectname)\t%(refname)", "refs/heads", "refs/tags")
}

// TestPull: a project that follows a repository gets its branches and tags, at intervals and on
// request.
func TestPull(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "puller")
	up, bare := sc.upstream("secret/up.git")
	sc.project = sc.create(map[string]any{
		"name": "followed", "mirror": true, "import_url": sc.as(gittest.User+":"+gittest.Password, "/secret/up.git"),
	})
	sc.s.Drain(t)
	require.Equal(t, theirs(bare), sc.ours(), "it is imported")
	sc.sweep(2 * time.Minute) // the first pull comes after the import
	first := sc.pulled()
	require.Equal(t, "finished", first.Status, first.error())

	up.Git("checkout", "-q", "-b", "topic")
	up.Commit("more", "more\n")
	up.Git("tag", "-am", "One", "v1")
	up.Git("push", "-q", "origin", "main", "topic", "v1")
	require.Equal(t, 200, sc.do("POST", "/mirror/pull", nil).Status)
	sc.s.Drain(t)
	require.NotEqual(t, theirs(bare), sc.ours(), "it has pulled a moment ago")
	sc.sweep(6 * time.Minute)
	require.Equal(t, theirs(bare), sc.ours())

	up.Git("checkout", "-q", "main")
	up.Git("merge", "-q", "topic")
	up.Git("push", "-q", "origin", "main")
	sc.sweep(31 * time.Minute)
	require.Equal(t, theirs(bare), sc.ours())
	var pipelines []any
	sc.do("GET", "/pipelines", nil).Into(t, &pipelines)
	require.Empty(t, pipelines)

	// What only the project has stays.
	clone := gittest.NewClient(t)
	clone.Git("clone", "-q", sc.address(sc.project.Path), ".")
	clone.Git("push", "-q", "origin", "HEAD:mine")
	sc.sweep(31 * time.Minute)
	require.Contains(t, sc.ours(), "refs/heads/mine")
	require.Equal(t, "finished", sc.pulled().Status)
}

// TestPullDiverged: commits of the project alone are kept, unless the mirror overwrites them.
func TestPullDiverged(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "diverged")
	up, bare := sc.upstream("up.git")
	sc.change(map[string]any{"mirror": true, "import_url": sc.url + "/up.git"})
	require.Equal(t, "finished", sc.pulled().Status, sc.pulled().error())
	require.Equal(t, theirs(bare), sc.ours())
	clone := gittest.NewClient(t)
	clone.Git("clone", "-q", sc.address(sc.project.Path), ".")
	clone.Commit("ours", "ours\n")
	clone.Git("push", "-q", "origin", "main")
	mine := sc.ours()
	sc.sweep(31 * time.Minute)
	require.Equal(t, "finished", sc.pulled().Status, "the project is ahead")
	require.Equal(t, mine, sc.ours())

	up.Commit("theirs", "theirs\n")
	up.Git("push", "-q", "origin", "main", "main:topic")
	sc.sweep(31 * time.Minute)
	now := sc.pulled()
	require.Equal(t, "failed", now.Status)
	require.Equal(t, "The default branch (main) has diverged from its upstream counterpart and could not be updated "+
		"automatically.", now.error())
	require.Contains(t, sc.ours(), "refs/heads/topic", "other branches follow")
	require.Contains(t, sc.ours(), mine[:40])

	sc.change(map[string]any{"mirror_overwrites_diverged_branches": true})
	sc.sweep(62 * time.Minute)
	now = sc.pulled()
	require.Equal(t, "finished", now.Status, now.error())
	require.Equal(t, theirs(bare), sc.ours())
}

// TestPullSelects: protected branches, or those that match an expression.
func TestPullSelects(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "pullselector")
	up, _ := sc.upstream("up.git")
	up.Git("push", "-q", "origin", "main:release", "main:topic", "main:refs/tags/v1")
	sc.change(map[string]any{"mirror": true, "import_url": sc.url + "/up.git", "mirror_branch_regex": "^(main|re)"})
	require.Equal(t, "finished", sc.pulled().Status)
	require.Contains(t, sc.ours(), "refs/heads/release")
	require.Contains(t, sc.ours(), "refs/tags/v1")
	require.NotContains(t, sc.ours(), "refs/heads/topic")
}

// TestPullPauses: after many failures the mirror waits for somebody to set it again. Only users who
// may push can be followed.
func TestPullPauses(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "pauser")
	_, bare := sc.upstream("up.git")
	sc.change(map[string]any{"mirror": true, "import_url": sc.url + "/none.git"})
	now := sc.pulled()
	require.Equal(t, "failed", now.Status)
	require.Equal(t, "127.0.0.1 has no repository at this address", now.error())
	require.Equal(t, []string{"failed", now.error()}, sc.projectState())
	require.NoError(t, sc.s.Store.Exec(t.Context(), `update pull_mirrors set tries = 13 where id = @id`,
		pgx.NamedArgs{"id": now.ID}))
	sc.sweep(301 * time.Minute)
	require.Equal(t, "14", sc.column("pull_mirrors", "tries", now.ID))
	require.Empty(t, sc.column("pull_mirrors", "due_at", now.ID))
	require.Equal(t, 403, sc.do("POST", "/mirror/pull", nil).Status)
	sc.change(map[string]any{"import_url": sc.url + "/up.git"})
	require.Equal(t, "finished", sc.pulled().Status)
	require.Equal(t, []string{"finished", ""}, sc.projectState())
	require.Equal(t, theirs(bare), sc.ours())

	other := sc.s.User(t, "stranger")
	reply := sc.s.Do(t, sc.s.RootToken, "PUT", fmt.Sprintf("/projects/%d", sc.project.ID),
		map[string]any{"mirror_user_id": other.ID})
	require.Equal(t, 200, reply.Status)
	sc.sweep(31 * time.Minute)
	require.Equal(t, "The mirror user is not allowed to push code to the project; set mirror_user_id again",
		sc.pulled().error())
}

// TestPullResumes: a pull whose process was killed is run again.
func TestPullResumes(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "pullresumer")
	up, bare := sc.upstream("up.git")
	sc.change(map[string]any{"mirror": true, "import_url": sc.url + "/up.git"})
	m := sc.pulled()
	up.Commit("more", "more\n")
	up.Git("push", "-q", "origin", "main")
	require.NoError(t, sc.s.Store.Exec(t.Context(), `
		update pull_mirrors set update_status = 'started', tries = 1, alive_at = now() - interval '2 minutes', due_at = null
		where id = @id`, pgx.NamedArgs{"id": m.ID}))
	sc.sweep(0)
	require.Equal(t, "finished", sc.pulled().Status)
	require.Equal(t, theirs(bare), sc.ours())
}
