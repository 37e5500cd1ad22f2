package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/git/gittest"
	"hew/server/git/object"
	"hew/server/jobs"
	"hew/server/servertest"
	"hew/server/setting"
)

// importFields are those of a project about its import.
type importFields struct {
	ID            int64   `json:"id"`
	ImportURL     *string `json:"import_url"`
	ImportType    *string `json:"import_type"`
	ImportStatus  string  `json:"import_status"`
	ImportError   *string `json:"import_error"`
	EmptyRepo     bool    `json:"empty_repo"`
	DefaultBranch string  `json:"default_branch"`
	Path          string  `json:"path_with_namespace"`
}

func (f importFields) error() string {
	if f.ImportError == nil {
		return ""
	}
	return *f.ImportError
}

// importScene is a hewd that may reach the hosts of the test, and a host that serves the
// repositories of a directory with git's own program. Those in secret ask for a password.
type importScene struct {
	t    *testing.T
	s    *servertest.Server
	user servertest.Persona
	dir  string
	url  string
}

func newImportScene(t *testing.T, username string) importScene {
	sc := importScene{t: t, s: servertest.Fresh(t), dir: t.TempDir()}
	sc.user = sc.s.User(t, username)
	sc.url = gittest.Serve(t, sc.dir)
	sc.set("allow_local_requests_from_web_hooks_and_services", true)
	return sc
}

func (sc importScene) set(key string, value any) {
	sc.t.Helper()
	require.NoError(sc.t, setting.Set(sc.t.Context(), sc.s.Store, key, value))
}

// serve puts a working directory with a commit, and its bare copy, at a name.
func (sc importScene) serve(name string) (work gittest.Client, bare string) {
	sc.t.Helper()
	work = gittest.NewClient(sc.t)
	work.Git("init", "-q", "-b", "trunk", ".")
	work.Commit("README.md", "# Site\n")
	bare = filepath.Join(sc.dir, name)
	work.Git("clone", "-q", "--bare", ".", bare)
	work.Git("remote", "add", "origin", bare)
	return work, bare
}

// create creates a project with a repository to be imported.
func (sc importScene) create(name, url string) importFields {
	sc.t.Helper()
	var p importFields
	reply := sc.s.Do(sc.t, sc.user.Token, "POST", "/projects", map[string]any{"name": name, "import_url": url})
	require.Equal(sc.t, 201, reply.Status, string(reply.Body))
	reply.Into(sc.t, &p)
	require.Equal(sc.t, "scheduled", p.ImportStatus)
	require.Equal(sc.t, "git", *p.ImportType)
	return p
}

// await returns a project after its import.
func (sc importScene) await(id int64) (p importFields) {
	sc.t.Helper()
	require.NoError(sc.t, sc.s.Server.Jobs.Drain(sc.t.Context()))
	sc.s.Do(sc.t, sc.user.Token, "GET", fmt.Sprintf("/projects/%d", id), nil).Into(sc.t, &p)
	return p
}

// bring imports a repository and returns the project.
func (sc importScene) bring(name, url string) importFields {
	sc.t.Helper()
	return sc.await(sc.create(name, url).ID)
}

func (sc importScene) clone(path string) gittest.Client {
	c := gittest.ClientIn(sc.t, filepath.Join(sc.t.TempDir(), "clone"))
	gittest.ClientIn(sc.t, ".").Git("clone", "-q", "--mirror", address(sc.s, path, sc.user.Token), c.Dir)
	return c
}

func TestImport(t *testing.T) {
	t.Parallel()
	sc := newImportScene(t, "importer")
	work, bare := sc.serve("secret/site.git")
	for i := range 150 { // more than what becomes rows of objects
		work.Commit(fmt.Sprintf("src/%d.go", i), fmt.Sprintf("package a // %d\n", i))
	}
	work.Git("checkout", "-q", "-b", "feature/x", "HEAD~3")
	work.Commit("x", "x\n")
	work.Git("checkout", "-q", "trunk")
	work.Git("merge", "-q", "--no-ff", "-m", "Merge", "feature/x")
	work.Git("tag", "-am", "First", "v1.0")
	work.Git("tag", "light", "HEAD~1")
	work.Git("push", "-q", "origin", "--all")
	work.Git("push", "-q", "origin", "--tags")
	work.Git("push", "-q", "origin", "HEAD:refs/merge-requests/1/head") // of the other host alone

	p := sc.create("site", strings.Replace(sc.url, "://", "://ann:open-sesame@", 1)+"/secret/site.git/")
	shown := strings.Replace(sc.url, "://", "://*****:*****@", 1) + "/secret/site.git/"
	require.Equal(t, shown, *p.ImportURL)
	p = sc.await(p.ID)
	require.Equal(t, "finished", p.ImportStatus, p.error())
	require.Equal(t, shown, *p.ImportURL)
	require.Equal(t, "trunk", p.DefaultBranch)
	require.False(t, p.EmptyRepo)

	got := sc.clone(p.Path)
	want := gittest.ClientIn(t, bare)
	const refs = "--format=%(objectname) %(refname)"
	require.Equal(t, want.Git("for-each-ref", refs, "refs/heads", "refs/tags"), got.Git("for-each-ref", refs))
	got.Git("fsck", "--strict")
	reply := sc.s.Do(t, sc.user.Token, "GET", fmt.Sprintf("/projects/%d/protected_branches/trunk", p.ID), nil)
	require.Equal(t, 200, reply.Status, "the default branch is protected")
	n, err := db.Value[int](t.Context(), sc.s.Store, `select count(*)::int from project_imports`, nil)
	require.NoError(t, err)
	require.Zero(t, n, "the credentials are not kept")

	// It is a repository like any other.
	c := sc.clone(p.Path)
	c.Git("worktree", "add", "-q", "tree", "trunk")
	w := gittest.ClientIn(t, filepath.Join(c.Dir, "tree"))
	w.Commit("more", "more\n")
	w.Git("push", "-q", address(sc.s, p.Path, sc.user.Token), "HEAD:trunk")
}

func TestImportEmpty(t *testing.T) {
	t.Parallel()
	sc := newImportScene(t, "importerofnothing")
	gittest.ClientIn(t, sc.dir).Git("init", "-q", "--bare", "none.git")
	p := sc.bring("none", sc.url+"/none.git")
	require.Equal(t, "finished", p.ImportStatus, p.error())
	require.True(t, p.EmptyRepo)
}

// TestImportFails: what is wrong with the other repository is said, without credentials.
func TestImportFails(t *testing.T) {
	t.Parallel()
	sc := newImportScene(t, "importerinvain")
	sc.serve("secret/site.git")
	_, shallow := sc.serve("whole.git")
	gittest.ClientIn(t, sc.dir).Git("clone", "-q", "--bare", "--depth=1", "file://"+shallow, "shallow.git")
	closed := httptest.NewServer(nil)
	closed.Close()
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<html>Welcome</html>")
	}))
	t.Cleanup(pages.Close)
	as := func(user string) string { return strings.Replace(sc.url, "://", "://"+user+"@", 1) }
	for i, tt := range []struct{ url, want string }{
		{as("ann:wrong-word") + "/secret/site.git", "127.0.0.1 does not accept the user name and password of import_url"},
		{as("wrong-token") + "/secret/site.git", "127.0.0.1 does not accept the user name and password of import_url"},
		{sc.url + "/secret/site.git", "127.0.0.1 asks for a user name and a password; put them into import_url"},
		{sc.url + "/nothing.git", "127.0.0.1 has no repository at this address"},
		{pages.URL + "/a", "127.0.0.1 does not answer as a git repository; " +
			"import_url must be the address that git clone takes"},
		{closed.URL + "/a", "127.0.0.1 cannot be reached: connect: connection refused"},
		{sc.url + "/shallow.git", "the repository is shallow: it does not have its whole history"},
	} {
		p := sc.bring(fmt.Sprint("p", i), tt.url)
		require.Equal(t, "failed", p.ImportStatus, tt.url)
		require.Equal(t, tt.want, p.error())
		require.True(t, p.EmptyRepo)
	}
}

// TestImportHostile: objects are checked as those of a push are.
func TestImportHostile(t *testing.T) {
	t.Parallel()
	sc := newImportScene(t, "importerofevil")
	from := gittest.New(t)
	blob := from.Write(object.KindBlob, "text")
	tree := strings.TrimSpace(from.Git(fmt.Sprintf("100644 blob %s\t.git\n", blob), "mktree"))
	from.Git("", "update-ref", "refs/heads/evil", strings.TrimSpace(from.Git("", "commit-tree", "-m", "Evil", tree)))
	gittest.ClientIn(t, sc.dir).Git("clone", "-q", "--bare", from.Dir, "evil.git")
	p := sc.bring("evil", sc.url+"/evil.git")
	require.Equal(t, "failed", p.ImportStatus)
	require.Contains(t, p.error(), "the repository cannot be stored: object "+tree)
	require.True(t, p.EmptyRepo)
}

func TestImportTooLarge(t *testing.T) {
	t.Parallel()
	sc := newImportScene(t, "importeroftoomuch")
	work, _ := sc.serve("large.git")
	noise := make([]byte, 0, 40_000)
	for i := range 10_000 {
		noise = fmt.Appendf(noise, "%x", i*i*7919)
	}
	work.Commit("noise", string(noise))
	work.Git("push", "-q", "origin", "trunk")
	sc.set("repository_size_limit", 1000)
	p := sc.bring("large", sc.url+"/large.git")
	require.Equal(t, "failed", p.ImportStatus)
	require.Equal(t, "the repository cannot be stored: "+
		"the repository is larger than 1000 bytes, the limit of the setting repository_size_limit", p.error())
	require.True(t, p.EmptyRepo)
}

// TestImportWithin: addresses in the local network are refused, also behind a redirect.
func TestImportWithin(t *testing.T) {
	t.Parallel()
	sc := newImportScene(t, "importerwithin")
	sc.serve("site.git")
	sc.set("allow_local_requests_from_web_hooks_and_services", false)
	refused := func(url, want string) {
		t.Helper()
		reply := sc.s.Do(t, sc.user.Token, "POST", "/projects", map[string]any{"name": "within", "import_url": url})
		require.Equal(t, 400, reply.Status, string(reply.Body))
		require.Contains(t, string(reply.Body), want)
	}
	refused(sc.url+"/site.git", "is blocked: Requests to the local network are not allowed")
	refused("ssh://git@git.example.com/a.git", "is blocked: Only allowed schemes are http, https")
	refused("file:///etc", "is blocked: Only allowed schemes are http, https")
	refused("https://git.example.com/a.git?key=1", "is blocked: URI is invalid, it has a query or a fragment")

	// Nothing but another port is allowed, from which the way leads back.
	var reached atomic.Int32
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached.Add(1)
		name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if name == "round" {
			http.Redirect(w, r, "/round/again/info/refs", http.StatusFound)
			return
		}
		http.Redirect(w, r, sc.url+strings.TrimPrefix(r.URL.Path, "/to")+"?"+r.URL.RawQuery, http.StatusMovedPermanently)
	}))
	t.Cleanup(away.Close)
	sc.set("outbound_local_requests_whitelist", []string{strings.TrimPrefix(away.URL, "http://")})
	p := sc.bring("away", away.URL+"/to/site.git")
	require.Equal(t, "failed", p.ImportStatus)
	require.Contains(t, p.error(), "127.0.0.1 cannot be reached: the URL is blocked")
	require.EqualValues(t, 1, reached.Load())
	p = sc.bring("round", away.URL+"/round")
	require.Equal(t, "127.0.0.1 redirects more than 5 times", p.error())

	sc.set("allow_local_requests_from_web_hooks_and_services", true)
	p = sc.bring("back", away.URL+"/to/site.git")
	require.Equal(t, "finished", p.ImportStatus, p.error())

	sc.set("import_sources", []string{"github"})
	reply := sc.s.Do(t, sc.user.Token, "POST", "/projects", map[string]any{"name": "w", "import_url": sc.url + "/site.git"})
	require.Equal(t, 403, reply.Status)
}

// resume is the job that looks for imports whose process has gone.
type resume struct{}

func (resume) Kind() string { return "resume_imports" }

// TestImportResumes: an import whose process was killed is taken again, and given up after some
// attempts.
func TestImportResumes(t *testing.T) {
	t.Parallel()
	sc := newImportScene(t, "importeragain")
	sc.serve("site.git")
	for _, tt := range []struct {
		attempts int
		want     string
	}{{1, ""}, {3, "the server has stopped 3 times at the same place of the import"}} {
		p := sc.bring(fmt.Sprint("site", tt.attempts), sc.url+"/none.git")
		require.Equal(t, "failed", p.ImportStatus)
		put := func(alive time.Duration) { // as a process leaves it that is killed
			t.Helper()
			require.NoError(t, sc.s.Store.Exec(t.Context(), `
				insert into project_imports (project_id, sealed_url, attempts, alive_at)
				values (@id, @url, @attempts, now() - @alive::interval)
				on conflict (project_id) do update set alive_at = excluded.alive_at`, pgx.NamedArgs{
				"id": p.ID, "attempts": tt.attempts, "alive": alive,
				"url": sc.s.Store.Seal.Seal("project_imports.sealed_url", p.ID, []byte(sc.url+"/site.git")),
			}))
			require.NoError(t, jobs.Enqueue(t.Context(), sc.s.Store, resume{}))
			p = sc.await(p.ID)
		}
		put(time.Second)
		require.Equal(t, "failed", p.ImportStatus, "another process works on it")
		put(2 * time.Minute)
		require.Equal(t, tt.want, p.error())
		require.Equal(t, tt.want != "", p.EmptyRepo)
	}
}
