package api_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/db"
	"hew/server/git/gittest"
	"hew/server/jobs"
	"hew/server/mail"
	"hew/server/servertest"
	"hew/server/setting"
	"hew/server/transfer"
	"hew/server/transfer/archive"
)

// exportScene is a project with a repository, and its owner.
type exportScene struct {
	t       *testing.T
	s       *servertest.Server
	owner   servertest.Persona
	id      int64
	project string // path of its routes
}

func newExportScene(t *testing.T) exportScene { return exportSceneOn(t, servertest.Fresh(t)) }

func exportSceneOn(t *testing.T, s *servertest.Server) exportScene {
	sc := exportScene{t: t, s: s}
	sc.owner = sc.s.User(t, "owner")
	var p servertest.Made
	sc.do("POST", "/projects", map[string]any{
		"name": "Web", "path": "web", "description": "The site", "initialize_with_readme": true,
	}).Into(t, &p)
	sc.id, sc.project = p.ID, fmt.Sprintf("/projects/%d", p.ID)
	for _, limit := range []string{"project_export_limit", "project_download_export_limit"} {
		sc.set(limit, 0)
	}
	return sc
}

func (sc exportScene) set(key string, value any) {
	sc.t.Helper()
	require.NoError(sc.t, setting.Set(sc.t.Context(), sc.s.Store, key, value))
}

func (sc exportScene) do(method, path string, body any) servertest.Reply {
	sc.t.Helper()
	return sc.s.Do(sc.t, sc.owner.Token, method, path, body)
}

func (sc exportScene) request(body any) {
	sc.t.Helper()
	r := sc.do("POST", sc.project+"/export", body)
	require.Equal(sc.t, 202, r.Status, "%s", r.Body)
}

func (sc exportScene) status() string {
	sc.t.Helper()
	var v struct {
		Status string `json:"export_status"`
	}
	sc.do("GET", sc.project+"/export", nil).Into(sc.t, &v)
	return v.Status
}

// download returns the archive that a request made, as a file.
func (sc exportScene) download() (r servertest.Reply, a *archive.Archive, dir string) {
	sc.t.Helper()
	r = sc.do("GET", sc.project+"/export/download", nil)
	require.Equal(sc.t, 200, r.Status, "%s", r.Body)
	dir = sc.t.TempDir()
	require.NoError(sc.t, archive.Unpack(sc.t.Context(), bytes.NewReader(r.Body), dir, archive.Limits{}))
	a, err := archive.Open(dir)
	require.NoError(sc.t, err)
	return r, a, dir
}

func (sc exportScene) rows() int {
	sc.t.Helper()
	n, err := db.Value[int](sc.t.Context(), sc.s.Store, `select count(*)::int from project_exports`, nil)
	require.NoError(sc.t, err)
	return n
}

func (sc exportScene) exec(sql string, args pgx.NamedArgs) {
	sc.t.Helper()
	require.NoError(sc.t, sc.s.Store.Exec(sc.t.Context(), sql, args))
}

var fileName = regexp.MustCompile(`^attachment; filename=\d{4}-\d\d-\d\d_\d\d-\d\d-\d{3}_owner_web_export\.tar\.gz$`)

// TestExport makes an archive that tar lists, git clones, and package archive reads.
func TestExport(t *testing.T) {
	t.Parallel()
	sc := newExportScene(t)
	create := func(path string, body map[string]any) {
		t.Helper()
		require.Equal(t, 201, sc.do("POST", sc.project+path, body).Status)
	}
	for _, title := range []string{"One", "Two"} {
		create("/issues", map[string]any{"title": title, "labels": "bug"})
	}
	create("/issues/1/notes", map[string]any{"body": "Größe <b> @owner"})
	create("/wikis", map[string]any{"title": "home", "content": "Hello"})
	create("/snippets", map[string]any{"title": "How", "visibility": "private", "files": []any{
		map[string]any{"file_path": "how.md", "content": "So."}, map[string]any{"file_path": "why.md", "content": "?"}}})
	commit := map[string]any{"branch": "topic", "start_branch": "main", "commit_message": "c", "actions": []any{
		map[string]any{"action": "create", "file_path": "a", "content": "a\n"}}}
	create("/repository/commits", commit)
	create("/merge_requests", map[string]any{"source_branch": "topic", "target_branch": "main", "title": "Add a"})
	require.Equal(t, "none", sc.status())
	sc.request(map[string]any{"description": "Another one"})
	sc.s.Drain(t)
	require.Equal(t, "finished", sc.status())

	r, a, dir := sc.download()
	require.Regexp(t, fileName, r.Header.Get("Content-Disposition"))
	require.Equal(t, "application/gzip", r.Header.Get("Content-Type"))
	list := exec.Command("tar", "tzf", "-")
	list.Stdin = bytes.NewReader(r.Body)
	out, err := list.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, name := range []string{"VERSION", "tree/project.json", "tree/project/issues.ndjson", "project.bundle"} {
		require.Contains(t, string(out), "./"+name+"\n")
	}
	p, err := a.Project()
	require.NoError(t, err)
	require.Equal(t, "Another one", *p.Description)

	var titles []string
	for line, err := range a.Lines("issues") {
		require.NoError(t, err)
		i, err := archive.Decode[archive.Issue](line)
		require.NoError(t, err)
		titles = append(titles, i.Title)
		require.Equal(t, "bug", i.LabelLinks[0].Label.Title)
		require.Equal(t, sc.owner.ID, *i.AuthorID)
		if i.IID == 1 {
			require.Equal(t, "Größe <b> @owner", i.Notes[len(i.Notes)-1].Note)
			require.Equal(t, "Owner", i.Notes[0].Author.Name)
		}
	}
	require.ElementsMatch(t, []string{"One", "Two"}, titles)
	for line, err := range a.Lines("merge_requests") {
		require.NoError(t, err)
		m, err := archive.Decode[archive.MergeRequest](line)
		require.NoError(t, err)
		require.Equal(t, "topic", m.SourceBranch)
		require.Equal(t, m.TargetProjectID, m.SourceProjectID)
		d := m.MergeRequestDiff
		require.Len(t, d.Commits, 1)
		require.Equal(t, *d.HeadCommitSHA, d.Commits[0].SHA)
		require.Equal(t, "c", d.Commits[0].Message)
		require.Len(t, d.Files, 1)
		require.Equal(t, []string{"a", "0", "100644"}, []string{d.Files[0].NewPath, d.Files[0].AMode, d.Files[0].BMode})
		require.Equal(t, "@@ -0,0 +1 @@\n+a\n", *d.Files[0].UTF8Diff)
		require.Equal(t, archive.Word("created"), m.Events[0].Action)
	}

	for line, err := range a.Lines("snippets") {
		require.NoError(t, err)
		d, err := archive.Decode[archive.Snippet](line)
		require.NoError(t, err)
		require.Equal(t, []string{"How", "how.md", "So."}, []string{d.Title, d.FileName, d.Content})
		bundle, ok := a.Bundle(archive.SnippetBundle(d.BundleHex()))
		require.True(t, ok)
		gittest.ClientIn(t, dir).Git("clone", "-q", bundle, "snippet")
		require.FileExists(t, filepath.Join(dir, "snippet", "why.md"))
	}

	clone := gittest.ClientIn(t, filepath.Join(t.TempDir(), "clone"))
	gittest.ClientIn(t, dir).Git("clone", "-q", "--mirror", filepath.Join(dir, archive.ProjectBundle), clone.Dir)
	clone.Git("fsck", "--strict")
	refs := clone.Git("for-each-ref", "--format=%(refname)")
	for _, ref := range []string{"refs/heads/main", "refs/heads/topic", "refs/merge-requests/1/head"} {
		require.Contains(t, refs, ref+"\n")
	}
	require.Contains(t, clone.Git("bundle", "list-heads", filepath.Join(dir, archive.ProjectBundle)), " HEAD\n")
	gittest.ClientIn(t, dir).Git("clone", "-q", filepath.Join(dir, archive.WikiBundle), "wiki")
	require.FileExists(t, filepath.Join(dir, "wiki", "home.md"))
}

// TestExportEmpty exports a project that has neither a repository nor anything else.
func TestExportEmpty(t *testing.T) {
	t.Parallel()
	sc := newExportScene(t)
	var p servertest.Made
	sc.do("POST", "/projects", map[string]any{"name": "None"}).Into(t, &p)
	sc.project = fmt.Sprintf("/projects/%d", p.ID)
	sc.request(nil)
	sc.s.Drain(t)
	_, a, _ := sc.download()
	_, ok := a.Bundle(archive.ProjectBundle)
	require.False(t, ok)
}

// TestExportStates goes through the states of exports, which each user has for themselves.
func TestExportStates(t *testing.T) {
	t.Parallel()
	sc := newExportScene(t)
	put := func(status string, alive *time.Duration) {
		sc.exec(`insert into project_exports (project_id, user_id, status, attempts, alive_at)
			values (@project, @user, @status, 1, now() - @alive::interval)`,
			pgx.NamedArgs{"project": sc.id, "user": sc.owner.ID, "status": status, "alive": alive})
	}
	put("queued", nil)
	require.Equal(t, "queued", sc.status())
	require.Contains(t, string(sc.do("GET", sc.project+"/export/download", nil).Body), "is not available yet")
	put("started", new(time.Second))
	require.Equal(t, "started", sc.status())
	sc.exec(`delete from project_exports`, nil)

	sc.request(nil)
	sc.s.Drain(t)
	require.Equal(t, "finished", sc.status())
	require.Equal(t, "none", func() string { // of another maintainer
		other := sc
		other.owner = servertest.Persona{Token: sc.s.RootToken}
		return other.status()
	}())
	put("queued", nil)
	require.Equal(t, "regeneration_in_progress", sc.status())
	require.Equal(t, 200, sc.do("GET", sc.project+"/export/download", nil).Status, "the earlier archive")
	sc.exec(`delete from project_exports where status = 'queued'`, nil)

	for range 2 {
		sc.request(nil)
	}
	sc.s.Drain(t)
	require.Equal(t, 1, sc.rows(), "a later archive replaces the earlier one")

	sc.exec(`update project_exports set finished_at = now() - interval '24 hours 1 second'`, nil)
	require.Equal(t, "none", sc.status())
	r := sc.do("GET", sc.project+"/export/download", nil)
	require.Equal(t, 404, r.Status)
	require.JSONEq(t, `{"message":"404 Not found or has expired"}`, string(r.Body))
	require.NoError(t, jobs.Enqueue(t.Context(), sc.s.Store, expire{}))
	sc.s.Drain(t)
	require.Zero(t, sc.rows())
}

// expire and resume are the jobs that look for archives that are old, and for exports whose process
// has gone.
type (
	expire struct{}
	resume struct{}
)

func (expire) Kind() string { return "expire_exports" }
func (resume) Kind() string { return "resume_exports" }

// TestExportResumes: an export whose process was killed is taken again, and given up after some
// attempts. One that another process works on is left alone.
func TestExportResumes(t *testing.T) {
	t.Parallel()
	sc := newExportScene(t)
	for _, tt := range []struct {
		attempts int
		alive    time.Duration
		want     string
	}{
		{1, 2 * time.Minute, "finished"}, {3, 2 * time.Minute, "none"}, {1, time.Second, "started"},
	} {
		sc.exec(`delete from project_exports`, nil)
		sc.exec(`insert into project_exports (project_id, user_id, status, attempts, alive_at)
			values (@project, @user, 'started', @attempts, now() - @alive::interval)`,
			pgx.NamedArgs{"project": sc.id, "user": sc.owner.ID, "attempts": tt.attempts, "alive": tt.alive})
		require.NoError(t, jobs.Enqueue(t.Context(), sc.s.Store, resume{}))
		sc.s.Drain(t)
		require.Equal(t, tt.want, sc.status(), "%+v", tt)
	}
}

// TestExportGoesOn: an archive that a killed process has stored is not made again.
func TestExportGoesOn(t *testing.T) {
	t.Parallel()
	sc := newExportScene(t)
	require.NoError(t, transfer.AddArchive(t.Context(), sc.s.Store, sc.id, sc.owner.ID, "a_export.tar.gz",
		strings.NewReader("of the killed process")))
	sc.exec(`update project_exports set status = 'started', finished_at = null, attempts = 1,
		alive_at = now() - interval '2 minutes'`, nil)
	require.NoError(t, jobs.Enqueue(t.Context(), sc.s.Store, resume{}))
	sc.s.Drain(t)
	require.Equal(t, "of the killed process", string(sc.do("GET", sc.project+"/export/download", nil).Body))
}

// TestExportMail: the user who asked for an export gets one mail when it has ended.
// An administrator gets none if the settings say so.
func TestExportMail(t *testing.T) {
	t.Parallel()
	sc := exportSceneOn(t, servertest.FreshWith(t, server.Config{}))
	to, err := mail.Open("smtp://127.0.0.1:1?from=hewd@example.com&tls=none") // where nobody listens
	require.NoError(t, err)
	mail.Attach(sc.s.Store, to)
	letters := func() []string {
		list, err := db.Values[string](t.Context(), sc.s.Store, `
			select (args ->> 'address') || ': ' || (args #>> '{message,text}') from river_job
			where kind = 'send_mail' order by id`, nil)
		require.NoError(t, err)
		return list
	}
	ended := func() {
		t.Helper()
		require.Eventually(t, func() bool {
			n, err := db.Value[int](t.Context(), sc.s.Store,
				`select count(*)::int from project_exports where status <> 'finished'`, nil)
			return err == nil && n == 0
		}, time.Minute, 20*time.Millisecond)
	}
	sc.request(nil)
	ended()
	require.Len(t, letters(), 1)
	require.Regexp(t, `^owner@example\.com: The export of owner/web is ready\. `+
		`Download .*_owner_web_export\.tar\.gz within 24 hours\.$`, letters()[0])

	sc.exec(`insert into project_exports (project_id, user_id, status, attempts, alive_at)
		values (@project, @user, 'started', 3, now() - interval '2 minutes')`,
		pgx.NamedArgs{"project": sc.id, "user": sc.owner.ID})
	require.NoError(t, jobs.Enqueue(t.Context(), sc.s.Store, resume{}))
	ended()
	require.Equal(t, "owner@example.com: The export of owner/web failed: "+
		"the server has stopped 3 times during the export.", letters()[1])

	sc.set("silent_admin_exports_enabled", true)
	sc.owner.Token = sc.s.RootToken
	sc.request(nil)
	ended()
	require.Len(t, letters(), 2)
}

// TestExportsTakeTurns: no more than four exports run at once, and the others follow.
func TestExportsTakeTurns(t *testing.T) {
	t.Parallel()
	sc := newExportScene(t)
	sc.exec(`insert into project_exports (project_id, user_id, status, attempts, alive_at)
		select @project, @user, 'started', 1, now() from generate_series(1, 4)`,
		pgx.NamedArgs{"project": sc.id, "user": sc.owner.ID})
	sc.request(nil)
	sc.s.Drain(t)
	queued := func() (n int) {
		n, err := db.Value[int](t.Context(), sc.s.Store,
			`select count(*)::int from project_exports where status = 'queued'`, nil)
		require.NoError(t, err)
		return n
	}
	require.Equal(t, 1, queued())
	sc.exec(`delete from project_exports where status = 'started'`, nil)
	sc.exec(`update project_exports set created_at = now() - interval '2 minutes'`, nil)
	require.NoError(t, jobs.Enqueue(t.Context(), sc.s.Store, resume{}))
	sc.s.Drain(t)
	require.Equal(t, "finished", sc.status())
}

// TestExportLosesRights: who may no longer export when the job runs gets no archive.
func TestExportLosesRights(t *testing.T) {
	t.Parallel()
	sc := newExportScene(t)
	other := sc.s.User(t, "other")
	sc.exec(`insert into project_exports (project_id, user_id, attempts) values (@project, @user, 0)`,
		pgx.NamedArgs{"project": sc.id, "user": other.ID})
	sc.exec(`update project_exports set created_at = now() - interval '2 minutes'`, nil)
	require.NoError(t, jobs.Enqueue(t.Context(), sc.s.Store, resume{}))
	sc.s.Drain(t)
	require.Zero(t, sc.rows())
}

// TestExportTooLarge: a project that is too large is refused, and so is an archive.
func TestExportTooLarge(t *testing.T) {
	t.Parallel()
	sc := newExportScene(t)
	sc.set("max_export_size", 1)
	sc.exec(`update projects set repository_size = 2 << 20`, nil)
	r := sc.do("POST", sc.project+"/export", nil)
	require.Equal(t, 400, r.Status)
	require.Contains(t, string(r.Body), "The project size exceeds the export limit.")
	sc.exec(`update projects set repository_size = 0`, nil)
	sc.exec(`insert into issues (project_id, iid, title, description)
		select @project, n, 'x', (select string_agg(md5(n::text || m), '') from generate_series(1, 20000) m)
		from generate_series(1, 4) n`, pgx.NamedArgs{"project": sc.id})
	sc.request(nil)
	sc.s.Drain(t)
	require.Equal(t, "none", sc.status())
	require.Zero(t, sc.rows())
}

// target is another host that takes archives.
type target struct {
	*httptest.Server
	mu       sync.Mutex
	answers  []int // one a request; then 200
	requests []*http.Request
	bodies   [][]byte
}

func newTarget(t *testing.T, answers ...int) *target {
	h := &target{answers: answers}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

func (h *target) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests, h.bodies = append(h.requests, r), append(h.bodies, body)
	status := 200
	if len(h.answers) > 0 {
		status, h.answers = h.answers[0], h.answers[1:]
	}
	if status == 302 {
		w.Header().Set("Location", h.URL+"/elsewhere")
	}
	w.WriteHeader(status)
}

// TestExportUpload sends the archive to another host, and keeps none.
func TestExportUpload(t *testing.T) {
	t.Parallel()
	sc := newExportScene(t)
	sc.set("allow_local_requests_from_web_hooks_and_services", true)
	for _, tt := range []struct {
		method  string
		answers []int
		want    int // requests
	}{{"PUT", nil, 1}, {"POST", nil, 1}, {"PUT", []int{403}, 1}, {"PUT", []int{302}, 1}} {
		to := newTarget(t, tt.answers...)
		sc.request(map[string]any{"upload": map[string]any{
			"url": to.URL + "/a?X-Signature=the-signature", "http_method": tt.method,
		}})
		sc.s.Drain(t)
		require.Len(t, to.requests, tt.want)
		r := to.requests[0]
		require.Equal(t, tt.method, r.Method)
		require.Equal(t, "/a?X-Signature=the-signature", r.URL.RequestURI())
		require.Equal(t, "application/gzip", r.Header.Get("Content-Type"))
		require.EqualValues(t, len(to.bodies[0]), r.ContentLength)
		require.NoError(t, archive.Unpack(t.Context(), bytes.NewReader(to.bodies[0]), t.TempDir(), archive.Limits{}))
		require.Equal(t, "none", sc.status())
		require.Zero(t, sc.rows())
	}
}

// TestExportUploadWithin: addresses in the local network are refused when the export is asked for,
// and when it is sent, because settings and names change.
func TestExportUploadWithin(t *testing.T) {
	t.Parallel()
	sc := exportSceneOn(t, servertest.FreshWith(t, server.Config{}))
	to := newTarget(t)
	body := map[string]any{"upload": map[string]any{"url": to.URL + "/a"}}
	r := sc.do("POST", sc.project+"/export", body)
	require.Equal(t, 400, r.Status)
	require.Contains(t, string(r.Body), "is blocked: Requests to the local network are not allowed")
	sc.set("allow_local_requests_from_web_hooks_and_services", true)
	require.NoError(t, sc.s.Jobs.Stop(t.Context())) // before the job can begin
	sc.request(body)
	dump := sc.s.Dump(t)
	require.NotContains(t, dump, strings.TrimPrefix(to.URL, "http://"), "the address is sealed")
	sc.set("allow_local_requests_from_web_hooks_and_services", false)
	other := sc.s.Beside(t)
	other.Drain(t)
	require.Empty(t, to.requests)
	require.Zero(t, sc.rows())
}
