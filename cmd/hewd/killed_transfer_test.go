package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

var transferKills = flag.Int("transfer-kills", 2, "how many times TestKilledTransfers kills hewd")

// moves are exports and imports of one project on a hewd that is killed.
type moves struct {
	*target
	process *process
	db      *pgx.Conn
	random  *rand.Rand
	left    int // kills
	killed  int
}

// TestKilledTransfers kills hewd at random moments of exports and imports. The next hewd goes on
// with them: the archive is the same as without a kill, and the new project has everything once.
func TestKilledTransfers(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"HEWD_DATABASE_URL": servertest.URL(t), "HEWD_SECRET_KEY": "a secret key that is long enough",
	}
	p := newProcess(t, env)
	p.start()
	t.Cleanup(func() { p.kill() })
	m := &moves{target: newTarget(t, p, "source", nil), process: p, left: *transferKills,
		random: rand.New(rand.NewPCG(*killSeed, 2))}
	var err error
	m.db, err = pgx.Connect(t.Context(), env["HEWD_DATABASE_URL"])
	require.NoError(t, err)
	t.Cleanup(func() { _ = m.db.Close(context.WithoutCancel(t.Context())) })
	m.fill()

	kept := m.left
	m.left = 0
	begun := time.Now()
	want := m.unpack(m.export(m.id, 0))
	exportTime := time.Since(begun)
	archive := m.download(m.id)
	begun = time.Now()
	first := m.importOnce(archive, "copy-0", 0)
	importTime := time.Since(begun)
	m.left = kept
	require.Equal(t, m.describe(m.id), m.describe(first))
	t.Logf("undisturbed: export %v, import %v", exportTime, importTime)

	for n := 1; m.left > 0; n++ {
		got := m.unpack(m.export(m.id, exportTime))
		out, err := exec.CommandContext(t.Context(), "diff", "-rq", "--exclude=*.bundle", want, got).CombinedOutput()
		require.NoError(t, err, "the archives differ: %s", out)
		require.NoError(t, os.RemoveAll(got))
		copied := m.importOnce(archive, fmt.Sprint("copy-", n), importTime)
		require.Equal(t, m.describe(m.id), m.describe(copied))
	}
	p.kill()
	checkNothingLeft(t, env)
	t.Logf("killed %d times", m.killed)
}

// fill gives the source a repository with a merge request, issues that are stored in many batches,
// uploads and LFS objects.
func (m *moves) fill() {
	m.t.Helper()
	require.Equal(m.t, 200, m.request("PUT", "/application/settings", map[string]any{
		"project_import_limit": 0, "project_export_limit": 0, "project_download_export_limit": 0}, nil))
	m.commitOne(0)
	m.mergeOne(1)
	_, err := m.db.Exec(m.t.Context(), `
		update users set public_email = email, confirmed_at = coalesce(confirmed_at, now())`) // who is who is known
	require.NoError(m.t, err)
	for _, sql := range []string{
		`insert into labels (project_id, name, color) values ($1, 'a', '#ffffff'), ($1, 'b', '#ffffff')`,
		`insert into issues (project_id, iid, title, description, author_id)
		 select $1, i, 'Issue ' || i, repeat('Text. ', 50), 1 from generate_series(1, 1200) i`,
		`insert into issue_labels select i.id, l.id from issues i, labels l
		 where i.project_id = $1 and l.project_id = $1 and (i.id + l.id) % 2 = 0`,
		`insert into notes (project_id, issue_id, discussion_id, body, author_id)
		 select $1, i.id, md5(i.id::text || n), 'Comment ' || n, 1 from issues i, generate_series(1, 3) n
		 where i.project_id = $1`,
		`insert into award_emoji (issue_id, user_id, name) select id, 1, 'tada' from issues where project_id = $1`,
	} {
		_, err := m.db.Exec(m.t.Context(), sql, m.id)
		require.NoError(m.t, err, sql)
	}
	for n := range 20 {
		content := bytes.Repeat(fmt.Append(nil, "file ", n, "\n"), 5000)
		require.Equal(m.t, 201, m.send(fmt.Sprintf("/api/v4/projects/%d/uploads", m.id), servertest.Upload{
			Field: "file", Name: fmt.Sprint(n, ".txt"), Content: content}))
		r, err := http.NewRequestWithContext(m.t.Context(), "PUT", fmt.Sprintf("%s/gitlab-lfs/objects/%x/%d",
			m.remote(), sha256.Sum256(content), len(content)), bytes.NewReader(content))
		require.NoError(m.t, err)
		reply, err := http.DefaultClient.Do(r)
		require.NoError(m.t, err)
		require.NoError(m.t, reply.Body.Close())
		require.Equal(m.t, 200, reply.StatusCode)
	}
}

// send sends a form, and returns the status of the answer.
func (m *moves) send(path string, u servertest.Upload) int {
	m.t.Helper()
	body, kind, err := u.Form()
	require.NoError(m.t, err)
	r, err := http.NewRequestWithContext(m.t.Context(), "POST", m.base()+path, body)
	require.NoError(m.t, err)
	r.Header.Set("Content-Type", kind)
	r.Header.Set("PRIVATE-TOKEN", servertest.RootToken)
	reply, err := http.DefaultClient.Do(r)
	require.NoError(m.t, err)
	require.NoError(m.t, reply.Body.Close())
	return reply.StatusCode
}

// disturb kills hewd once or twice within a time, and starts it as a minute later: an import is
// given up after the third time that it was begun.
func (m *moves) disturb(within time.Duration) {
	m.t.Helper()
	for range min(m.left, 1+m.random.IntN(2)) {
		if within == 0 {
			return
		}
		at := time.NewTimer(time.Duration(m.random.Int64N(int64(within)))) // any moment will do
		<-at.C
		m.process.kill()
		m.left, m.killed = m.left-1, m.killed+1
		for _, sql := range []string{
			`update project_exports set alive_at = alive_at - interval '2 minutes',
			     created_at = created_at - interval '2 minutes' where status <> 'finished'`,
			`update project_imports set alive_at = alive_at - interval '2 minutes',
			     created_at = created_at - interval '2 minutes'`,
			`update river_job set state = 'available', scheduled_at = now()
			 where state in ('running', 'retryable') and kind not in ('import_archive', 'export_project')`,
			`delete from river_leader`,
		} {
			_, err := m.db.Exec(m.t.Context(), sql)
			require.NoError(m.t, err)
		}
		m.process.start()
	}
}

// await waits until a project shows a state in a field of an answer.
func (m *moves) await(path, field, state string) {
	m.t.Helper()
	var answer map[string]any
	require.Eventually(m.t, func() bool {
		m.request("GET", path, nil, &answer)
		return answer[field] == state || answer[field] == "failed" || answer[field] == "none"
	}, 2*time.Minute, 10*time.Millisecond)
	require.Equal(m.t, state, answer[field], "%v", answer)
	require.Empty(m.t, answer["failed_relations"])
}

// export has the project exported, with hewd killed within a time, and returns the archive.
func (m *moves) export(id int64, within time.Duration) []byte {
	m.t.Helper()
	_, err := m.db.Exec(m.t.Context(), `delete from project_exports`)
	require.NoError(m.t, err)
	path := fmt.Sprintf("/projects/%d/export", id)
	require.Equal(m.t, 202, m.request("POST", path, nil, nil))
	m.disturb(within)
	m.await(path, "export_status", "finished")
	return m.download(id)
}

func (m *moves) download(id int64) []byte {
	m.t.Helper()
	r, err := http.NewRequestWithContext(m.t.Context(), "GET",
		fmt.Sprintf("%s/api/v4/projects/%d/export/download", m.base(), id), nil)
	require.NoError(m.t, err)
	r.Header.Set("PRIVATE-TOKEN", servertest.RootToken)
	reply, err := http.DefaultClient.Do(r)
	require.NoError(m.t, err)
	defer reply.Body.Close()
	require.Equal(m.t, 200, reply.StatusCode)
	content, err := io.ReadAll(reply.Body)
	require.NoError(m.t, err)
	return content
}

// unpack writes an archive to a directory.
func (m *moves) unpack(archive []byte) (dir string) {
	m.t.Helper()
	dir = m.t.TempDir()
	tar := exec.CommandContext(m.t.Context(), "tar", "xzf", "-", "-C", dir)
	tar.Stdin = bytes.NewReader(archive)
	out, err := tar.CombinedOutput()
	require.NoError(m.t, err, "%s", out)
	require.FileExists(m.t, filepath.Join(dir, "tree", "project", "issues.ndjson"))
	return dir
}

// importOnce imports an archive, with hewd killed within a time, and returns the project.
func (m *moves) importOnce(archive []byte, path string, within time.Duration) (id int64) {
	m.t.Helper()
	require.Equal(m.t, 201, m.send("/api/v4/projects/import", servertest.Upload{
		Field: "file", Name: "a.tar.gz", Content: archive, Before: [][2]string{{"path", path}}}))
	m.disturb(within)
	var made struct{ ID int64 }
	require.Equal(m.t, 200, m.request("GET", "/projects/root%2F"+path, nil, &made))
	m.await(fmt.Sprintf("/projects/%d/import", made.ID), "import_status", "finished")
	return made.ID
}

// described are what a project has, by query of its id.
var described = []string{
	`select count(*) || md5(string_agg(concat(iid, title, description, state), ',' order by iid)) from issues
	 where project_id = $1`,
	`select count(*) || md5(string_agg(concat(i.iid, n.body), ',' order by i.iid, n.body))
	 from notes n join issues i on i.id = n.issue_id where n.project_id = $1`,
	`select count(*) || md5(string_agg(concat(i.iid, l.name), ',' order by i.iid, l.name))
	 from issue_labels x join issues i on i.id = x.issue_id join labels l on l.id = x.label_id where i.project_id = $1`,
	`select count(*)::text from award_emoji e join issues i on i.id = e.issue_id where i.project_id = $1`,
	`select count(*)::text from labels where project_id = $1`,
	`select string_agg(concat(r.iid, r.title, r.state, encode(r.head_oid, 'hex'), (select count(*)
	     from merge_request_versions v where v.merge_request_id = r.id)), ',' order by r.iid)
	 from merge_requests r where r.project_id = $1`,
	`select count(*)::text from user_events where project_id = $1 and target_type is not null`,
	`select string_agg(concat(u.name, u.secret, encode(b.sha256, 'hex')), ',' order by u.name)
	 from uploads u join blobs b on b.id = u.blob_id where u.project_id = $1`,
	`select count(*) || string_agg(encode(b.sha256, 'hex'), ',' order by b.sha256)
	 from lfs_objects o join blobs b on b.id = o.blob_id where o.project_id = $1`,
	`select string_agg(f.name || encode(f.oid, 'hex'), ',' order by f.name)
	 from repositories r join refs f on f.repository_id = r.id where r.project_id = $1 and r.kind = 'project'`,
}

// describe returns what a project has.
func (m *moves) describe(id int64) string {
	m.t.Helper()
	var b strings.Builder
	for _, sql := range described {
		var text *string
		require.NoError(m.t, m.db.QueryRow(m.t.Context(), sql, id).Scan(&text), sql)
		if text == nil {
			text = new("nothing")
		}
		fmt.Fprintln(&b, *text)
	}
	return b.String()
}
