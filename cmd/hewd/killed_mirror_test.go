package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

var mirrorKills = flag.Int("mirror-kills", 3, "how many times TestKilledMirrors kills hewd")

// mirrored is a project with a push mirror, and another one that follows a repository.
type mirrored struct {
	*target
	db       *pgx.Conn
	pushID   int64 // of the push mirror
	follower int64 // the project that follows
	pushed   gittest.Client
	followed gittest.Client // the repository
	upstream gittest.Client // a working directory of it
}

// TestKilledMirrors kills two hewds on one database, one or both at a time, while push mirrors and
// pull mirrors run. No repository is pushed to by two at once, and after the last start all of them
// get where they should be.
func TestKilledMirrors(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(*killSeed, 2))
	env := map[string]string{
		"HEWD_DATABASE_URL": servertest.URL(t), "HEWD_SECRET_KEY": "a secret key that is long enough",
	}
	db, err := pgx.Connect(t.Context(), env["HEWD_DATABASE_URL"])
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close(context.WithoutCancel(t.Context())) })
	f := newFleet(t, env)
	host := newCountingHost(t)
	var all []*mirrored
	for _, name := range []string{"one", "two"} {
		all = append(all, newMirrored(t, f, env["HEWD_DATABASE_URL"], host, name))
	}
	n := 0
	for kill := range *mirrorKills {
		n += 1000
		stop := make(chan struct{})
		var writers sync.WaitGroup
		for _, m := range all {
			repeat(&writers, stop, func(i int) { m.write(n + i) })
			repeat(&writers, stop, func(int) { m.start() })
		}
		for range 3 + random.IntN(10) {
			<-f.acks
		}
		at := time.NewTimer(time.Duration(random.IntN(300_000)) * time.Microsecond) // any moment will do
		<-at.C
		if kill%3 == 1 {
			f.kill(kill % 2)
			f.start(kill % 2)
		} else {
			f.kill(0, 1)
			minutesLater(t, db)
			f.start(0)
			f.start(1)
		}
		close(stop)
		writers.Wait()
	}
	f.kill(0, 1)
	minutesLater(t, db)
	f.start(0)
	f.start(1)
	for _, m := range all {
		m.awaitEqual()
	}
	host.check(t)
}

// minutesLater makes the database look as it does some minutes later: what killed processes ran is
// nobody's, and the queue has no leader.
func minutesLater(t *testing.T, db *pgx.Conn) {
	t.Helper()
	for _, sql := range []string{
		`update push_mirrors set alive_at = alive_at - interval '2 minutes', due_at = least(due_at, now())`,
		`update pull_mirrors set alive_at = alive_at - interval '2 minutes', due_at = now()`,
		`update river_job set state = 'available', scheduled_at = now() where state in ('running', 'retryable')`,
		`delete from river_leader`,
	} {
		_, err := db.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
}

func newMirrored(t *testing.T, f *fleet, url string, host *countingHost, name string) *mirrored {
	t.Helper()
	m := &mirrored{target: newTarget(t, f, name, f.acks)}
	var err error
	m.db, err = pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = m.db.Close(context.WithoutCancel(t.Context())) })
	require.Equal(t, 200, m.request("PUT", "/application/settings",
		map[string]any{"allow_local_requests_from_web_hooks_and_services": true}, nil))
	for _, repository := range []string{name + "-pushed.git", name + "-followed.git"} {
		gittest.ClientIn(t, host.dir).Git("init", "-q", "--bare", "-b", "main", repository)
	}
	m.pushed = gittest.ClientIn(t, filepath.Join(host.dir, name+"-pushed.git"))
	m.followed = gittest.ClientIn(t, filepath.Join(host.dir, name+"-followed.git"))
	m.upstream = gittest.NewClient(t)
	m.upstream.Git("init", "-q", "-b", "main", ".")
	m.commitOne(0)
	m.writeUpstream(0)
	var made struct{ ID int64 }
	require.Equal(t, 201, m.request("POST", fmt.Sprintf("/projects/%d/remote_mirrors", m.id),
		map[string]any{"url": host.url + "/" + name + "-pushed.git", "enabled": true}, &made))
	m.pushID = made.ID
	require.Equal(t, 201, m.request("POST", "/projects", map[string]any{
		"name": name + "-follower", "mirror": true, "import_url": host.url + "/" + name + "-followed.git",
	}, &made))
	m.follower = made.ID
	return m
}

// write makes commits on both sides.
func (m *mirrored) write(n int) {
	m.commitOne(n)
	m.request("POST", fmt.Sprintf("/projects/%d/repository/branches", m.id),
		map[string]any{"branch": fmt.Sprint("b", n), "ref": "main"}, nil)
	m.writeUpstream(n)
}

func (m *mirrored) writeUpstream(n int) {
	m.upstream.Commit(fmt.Sprint("f", n%7), fmt.Sprint(n))
	m.upstream.Git("push", "-q", m.followed.Dir, "HEAD:main", fmt.Sprint("HEAD:refs/heads/b", n))
}

// start makes both mirrors run again, however lately they have run.
func (m *mirrored) start() {
	m.request("POST", fmt.Sprintf("/projects/%d/remote_mirrors/%d/sync", m.id, m.pushID), nil, nil)
	_, err := m.db.Exec(m.t.Context(), `
		update pull_mirrors set last_update_started_at = null where project_id = $1 and alive_at is null`, m.follower)
	require.NoError(m.t, err)
	m.request("POST", fmt.Sprintf("/projects/%d/mirror/pull", m.follower), nil, nil)
}

// awaitEqual waits until both mirrors have what they should.
func (m *mirrored) awaitEqual() {
	m.t.Helper()
	ours := func(name string) string {
		return m.upstream.Git("ls-remote", "--heads", "--refs", strings.TrimSuffix(m.remote(), ".git")+name+".git")
	}
	theirs := func(c gittest.Client) string {
		return c.Git("for-each-ref", "--format=%(objectname)\t%(refname)", "refs/heads")
	}
	require.EventuallyWithT(m.t, func(c *assert.CollectT) {
		var state struct {
			Status string `json:"update_status"`
			Error  string `json:"last_error"`
		}
		m.request("GET", fmt.Sprintf("/projects/%d/remote_mirrors/%d", m.id, m.pushID), nil, &state)
		if state.Status == "failed" { // it was killed too often in succession
			m.start()
		}
		assert.Equal(c, ours(""), theirs(m.pushed), "push mirror: %+v", state)
		m.request("GET", fmt.Sprintf("/projects/%d/mirror/pull", m.follower), nil, &state)
		assert.Equal(c, theirs(m.followed), ours("-follower"), "pull mirror: %+v", state)
	}, 90*time.Second, 200*time.Millisecond)
	m.pushed.Git("fsck", "--strict")
}

// countingHost is a git host that notes pushes to a repository that run at once.
type countingHost struct {
	url, dir string

	mu      sync.Mutex
	running map[string][]context.Context // pushes of whom the client may have gone
	pushes  int
	twice   []string // repositories that were pushed to by two at once
}

func newCountingHost(t *testing.T) *countingHost {
	h := &countingHost{dir: t.TempDir(), running: map[string][]context.Context{}}
	git, err := url.Parse(gittest.Serve(t, h.dir))
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(git)
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) {} // the client was killed
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/git-receive-pack") {
			h.note(r)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	h.url = server.URL
	return h
}

// note notes a push. Its context ends with the answer, and when the client has gone.
func (h *countingHost) note(r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pushes++
	for _, other := range h.running[r.URL.Path] {
		if other.Err() == nil {
			h.twice = append(h.twice, r.URL.Path)
		}
	}
	h.running[r.URL.Path] = append(h.running[r.URL.Path], r.Context())
}

func (h *countingHost) check(t *testing.T) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	require.Empty(t, h.twice)
	require.NotZero(t, h.pushes)
	t.Logf("killed %d times; %d pushes to mirrors", *mirrorKills, h.pushes)
}
