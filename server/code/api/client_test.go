package api_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

// host is a project on a server, with a user who owns it.
type host struct {
	t       testing.TB
	s       *servertest.Server
	user    servertest.Persona
	project servertest.Made
}

func newHost(t testing.TB, username string) host {
	h := host{t: t, s: servertest.Start(t)}
	h.user = h.s.User(t, username)
	h.s.Do(t, h.user.Token, "POST", "/projects", map[string]any{"name": "site", "visibility": "private"}).Into(
		t, &h.project,
	)
	return h
}

// address returns the address of the project for git, with a token in it.
func (h host) address(token string) string { return address(h.s, h.project.Path, token) }

// address returns the address of a project for git, with a token in it.
func address(s *servertest.Server, path, token string) string {
	_, at, _ := strings.Cut(s.Server.URL(), "://")
	return fmt.Sprintf("http://any:%s@%s/%s.git", token, at, path)
}

// begin returns a working directory with a commit on main that is pushed.
func (h host) begin() gittest.Client {
	c := gittest.NewClient(h.t)
	c.Git("init", "-q", "-b", "main", ".")
	c.Git("remote", "add", "origin", h.address(h.user.Token))
	c.Commit("README.md", "# Site\n")
	c.Git("push", "-q", "origin", "main")
	return c
}

// clone clones the project.
func (h host) clone(args ...string) gittest.Client {
	c := gittest.ClientIn(h.t, filepath.Join(h.t.TempDir(), "clone"))
	gittest.ClientIn(h.t, ".").Git(append(append([]string{"clone", "-q"}, args...), h.address(h.user.Token), c.Dir)...)
	return c
}

func (h host) api(method, path string, body any) servertest.Reply {
	h.t.Helper()
	return h.s.Do(h.t, h.user.Token, method, fmt.Sprintf("/projects/%d/repository/%s", h.project.ID, path), body)
}

func TestPushAndClone(t *testing.T) {
	t.Parallel()
	h := newHost(t, "pushandclone")
	w := h.begin()
	for i := range 5 {
		w.Commit("src/a.go", fmt.Sprintf("package a\n// %d\n", i))
	}
	w.Git("tag", "-am", "First", "v1.0")
	w.Git("push", "-q", "--tags", "origin", "main")

	other := h.clone()
	require.Equal(t, w.Git("log", "--format=%H", "--all"), other.Git("log", "--format=%H", "--all"))
	require.Equal(t, "v1.0\n", other.Git("tag"))
	other.Git("fsck", "--strict")

	reply := h.api("POST", "commits", map[string]any{
		"branch": "main", "commit_message": "By the API", "actions": []any{
			map[string]any{"action": "create", "file_path": "doc/x.md", "content": "x"},
			map[string]any{"action": "delete", "file_path": "src/a.go"},
		},
	})
	require.Equal(t, 201, reply.Status, string(reply.Body))
	other.Git("pull", "-q")
	require.FileExists(t, filepath.Join(other.Dir, "doc/x.md"))
	require.NoFileExists(t, filepath.Join(other.Dir, "src/a.go"))
	other.Git("fsck", "--strict")

	other.Commit("README.md", "# Changed\n")
	other.Git("push", "-q")
	require.Contains(t, w.Refused("push", "origin", "main"), "fetch first", "somebody else has pushed")
	w.Git("pull", "-q", "--rebase", "origin", "main")
	require.Equal(t, other.Git("rev-parse", "HEAD"), w.Git("rev-parse", "HEAD"))
}

func TestPushOfManyKinds(t *testing.T) {
	t.Parallel()
	h := newHost(t, "pushkinds")
	w := h.begin()
	w.Git("checkout", "-qb", "topic")
	w.Commit("a", "1")
	w.Git("push", "-q", "-o", "ci.skip", "origin", "topic")
	w.Git("commit", "-q", "--amend", "-m", "Rewritten")
	require.Contains(t, w.Refused("push", "origin", "topic"), "non-fast-forward")
	w.Git("push", "-q", "--force", "origin", "topic")

	w.Git("branch", "other")
	require.Contains(t, w.Refused("push", "--atomic", "origin", "other", "topic:bad..name"), "bad..name")
	require.NotContains(t, w.Git("ls-remote", "origin"), "refs/heads/other")
	require.Contains(t, w.Refused("push", "origin", "topic:topic/below"), "refs/heads/topic' exists")
	w.Git("push", "-q", "--atomic", "origin", "other", "topic:third")
	w.Git("push", "-q", "origin", "--delete", "other", "third")
	require.NotContains(t, w.Git("ls-remote", "origin"), "refs/heads/other")
	require.Contains(t, w.Refused("push", "origin", "--delete", "main"),
		"remote: GitLab: The default branch of a project cannot be deleted.")
	require.Contains(t, w.Refused("push", "origin", "topic:refs/merge-requests/1/head"), "branches and tags")
	require.Contains(t, w.Refused("push", "origin", "main:refs/heads/"+strings.Repeat("a", 40)),
		"40-character hexadecimal branch name")

	blob := strings.TrimSpace(w.Git("rev-parse", "HEAD:a"))
	require.Contains(t, w.Refused("push", "origin", blob+":refs/heads/blob"), "it is not a commit")
	w.Git("push", "-q", "origin", blob+":refs/tags/blob")
	require.Contains(t, w.Git("ls-remote", "origin"), "refs/tags/blob")
}

func TestFetchOfManyKinds(t *testing.T) {
	t.Parallel()
	h := newHost(t, "fetchkinds")
	w := h.begin()
	for i := range 30 {
		w.Commit("src/a", strings.Repeat(fmt.Sprint(i, "\n"), 100))
	}
	w.Git("tag", "middle", "HEAD~10")
	w.Git("push", "-q", "--tags", "origin", "main")
	count := func(c gittest.Client) string { return strings.TrimSpace(c.Git("rev-list", "--count", "HEAD")) }

	shallow := h.clone("--depth=3", "--no-tags")
	require.Equal(t, "3", count(shallow))
	shallow.Git("fetch", "-q", "--deepen=5")
	require.Equal(t, "8", count(shallow))
	shallow.Git("fetch", "-q", "--shallow-exclude=middle")
	require.Equal(t, "10", count(shallow))
	shallow.Commit("b", "from a shallow clone")
	shallow.Git("push", "-q", "origin", "main")
	shallow.Git("fetch", "-q", "--unshallow")
	require.Equal(t, "32", count(shallow))

	partial := h.clone("--filter=blob:none")
	require.Equal(t, "32", count(partial))
	partial.Git("log", "-p", "--format=%H")
	require.Equal(t, "32", count(h.clone("-c", "protocol.version=0")))
	require.Equal(t, "32", count(h.clone("-c", "protocol.version=1")))
	require.Equal(t, "2", count(h.clone("-c", "protocol.version=0", "--depth=2")))
	mirror := h.clone("--mirror")
	mirror.Git("fsck", "--strict")
	require.Contains(t, mirror.Git("for-each-ref"), "refs/tags/middle")
}

func TestWhoMayFetchAndPush(t *testing.T) {
	t.Parallel()
	h := newHost(t, "mayfetch")
	w := h.begin()
	as := func(token string) string {
		if token == "" {
			return strings.Replace(h.address("x"), "any:x@", "", 1)
		}
		return h.address(token)
	}
	require.Contains(t, w.Refused("ls-remote", as("")), "could not read Username")
	require.Contains(t, w.Refused("ls-remote", as("glpat-unknown")), "Authentication failed")
	stranger := h.s.User(t, "maystranger")
	require.Contains(t, w.Refused("ls-remote", as(stranger.Token)), "not found")
	reader := h.s.Token(t, h.user.ID, "read_repository")
	w.Git("ls-remote", as(reader))
	require.Contains(t, w.Refused("push", as(reader), "main:x"), "needs the scope api or write_repository")
	writer := h.s.Token(t, h.user.ID, "write_repository")
	w.Git("push", "-q", as(writer), "main:x")
	guest, reporter := h.s.User(t, "mayguest"), h.s.User(t, "mayreporter")
	for user, level := range map[int64]int{guest.ID: 10, reporter.ID: 20} {
		h.s.Do(t, h.user.Token, "POST", fmt.Sprintf("/projects/%d/members", h.project.ID),
			map[string]any{"user_id": user, "access_level": level})
	}
	require.Contains(t, w.Refused("ls-remote", as(guest.Token)), "not allowed to download code from this project")
	w.Git("ls-remote", as(reporter.Token))
	require.Contains(t, w.Refused("push", as(reporter.Token), "main:y"), "not allowed to push code to this project")

	project := fmt.Sprintf("/projects/%d", h.project.ID)
	h.s.Do(t, h.user.Token, "PUT", project, map[string]any{"visibility": "public"})
	w.Git("ls-remote", as(""))
	w.Git("ls-remote", as(stranger.Token))
	require.Contains(t, w.Refused("push", as(""), "main:y"), "could not read Username")
	h.s.Do(t, h.user.Token, "POST", project+"/archive", nil)
	require.Contains(t, w.Refused("push", as(writer), "main:z"), "the project is archived")
	w.Git("ls-remote", as(""))
	h.s.Do(t, h.user.Token, "POST", project+"/unarchive", nil)
	h.s.Do(t, h.user.Token, "PUT", project, map[string]any{"path": "moved"})
	w.Git("push", "-q", as(writer), "main:after-the-move")
}

// Three clients push three branches, and three push one: nothing is lost, and of the latter one
// wins.
func TestPushesAtOnce(t *testing.T) {
	t.Parallel()
	h := newHost(t, "pushesatonce")
	h.begin()
	var clones []gittest.Client
	for i := range 3 {
		c := h.clone()
		c.Commit(fmt.Sprint("file", i), "x")
		clones = append(clones, c)
	}
	push := func(refspec func(int) string) (won int) {
		var all sync.WaitGroup
		var mu sync.Mutex
		for i, c := range clones {
			all.Go(func() {
				if _, err := c.Try("push", "-q", "origin", refspec(i)); err == nil {
					mu.Lock()
					won++
					mu.Unlock()
				}
			})
		}
		all.Wait()
		return won
	}
	require.Equal(t, 3, push(func(i int) string { return fmt.Sprint("HEAD:own", i) }))
	require.Equal(t, 1, push(func(int) string { return "HEAD:main" }))
	h.clone("--mirror").Git("fsck", "--strict")
}

// The first branch becomes the default branch, and is protected as the group says.
func TestFirstPush(t *testing.T) {
	t.Parallel()
	h := newHost(t, "firstpush")
	developer := h.s.User(t, "firstdeveloper")
	project := fmt.Sprintf("/projects/%d", h.project.ID)
	h.s.Do(t, h.user.Token, "POST", project+"/members", map[string]any{"user_id": developer.ID, "access_level": 30})
	w := gittest.NewClient(t)
	w.Git("init", "-q", "-b", "trunk", ".")
	w.Commit("README.md", "# Site\n")
	require.Contains(t, w.Refused("push", h.address(developer.Token), "trunk"), "does not yet exist")
	w.Git("push", "-q", h.address(h.user.Token), "trunk", "trunk:a")
	require.Contains(t, string(h.s.Do(t, h.user.Token, "GET", project, nil).Body), `"default_branch":"trunk"`)
	require.Contains(
		t, string(h.s.Do(t, h.user.Token, "GET", project+"/protected_branches", nil).Body), `"name":"trunk"`,
	)
	w.Commit("a", "1")
	require.Contains(t, w.Refused("push", h.address(developer.Token), "trunk", "trunk:b"),
		"remote: GitLab: You are not allowed to push code to protected branches on this project.")
	w.Git("push", "-q", h.address(developer.Token), "trunk:b")
}

// The address of a project's page is one for git clients, too.
func TestCloneByPage(t *testing.T) {
	t.Parallel()
	h := newHost(t, "clonebypage")
	h.begin()
	w := gittest.NewClient(t)
	page := strings.TrimSuffix(h.address(h.user.Token), ".git")
	w.Git("clone", "-q", page, ".")
	w.Commit("b", "2")
	w.Git("push", "-q", page, "HEAD:refs/heads/by-page")
	require.Contains(t, w.Refused("fetch", page+"-not-there"), "Project not found, or the token may not see it.")
}
