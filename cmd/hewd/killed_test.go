package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/blob"
	"hew/server/git/gittest"
	"hew/server/servertest"
)

var (
	kills    = flag.Int("kills", 2, "how many times TestKilledHewd kills hewd")
	killSeed = flag.Uint64("kill-seed", 1, "what decides when")
)

// asHewd is the variable that makes the test program be hewd.
const asHewd = "HEWD_TEST_PROGRAM"

// process is a hewd that can be killed.
type process struct {
	t   testing.TB
	env []string
	cmd *exec.Cmd
	url string

	acks chan struct{} // one for each write that was acknowledged, as far as it has room
}

func (p *process) start() {
	p.t.Helper()
	p.cmd = exec.Command(os.Args[0], "serve")
	p.cmd.Env = p.env
	var said bytes.Buffer
	p.cmd.Stderr = &said
	out, err := p.cmd.StdoutPipe()
	require.NoError(p.t, err)
	require.NoError(p.t, p.cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(p.t, err, "%s", &said)
	_, address, ok := strings.Cut(strings.TrimSpace(line), "hewd ready on ")
	require.True(p.t, ok, line)
	p.url = strings.TrimSuffix(address, "/api/v4")
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// request returns the status of an answer, 0 if there is none, and decodes it.
func (p *process) request(method, path string, body, answer any) int {
	encoded, err := json.Marshal(body)
	require.NoError(p.t, err)
	r, err := http.NewRequest(method, p.url+"/api/v4"+path, bytes.NewReader(encoded))
	require.NoError(p.t, err)
	r.Header.Set("PRIVATE-TOKEN", servertest.RootToken)
	r.Header.Set("Content-Type", "application/json")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	reply, err := client.Do(r)
	if err != nil {
		return 0
	}
	defer reply.Body.Close()
	if answer != nil && json.NewDecoder(reply.Body).Decode(answer) != nil {
		return 0
	}
	return reply.StatusCode
}

// target is a project that clients write to while hewd is killed.
type target struct {
	*process
	id     int64
	name   string
	dir    string            // of the git client
	number int               // of the last commit
	mu     sync.Mutex        // of what follows
	kept   int               // how many commits were acknowledged
	merged []int             // the merge requests whose merges were acknowledged
	acked  map[string]string // the last commit on each branch that the server has acknowledged
}

func (g *target) remote() string {
	return strings.Replace(g.url, "://", "://root:"+servertest.RootToken+"@", 1) + "/root/" + g.name + ".git"
}

func (g *target) acknowledge(branch, id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.acked[branch] = id
	g.kept++
	select {
	case g.acks <- struct{}{}:
	default:
	}
}

// pushOne commits files and pushes them: few, which become rows, or many, which become a pack.
func (g *target) pushOne(files int) {
	g.number++
	for i := range files {
		name := filepath.Join(g.dir, fmt.Sprint("f", i))
		require.NoError(g.t, os.WriteFile(name, fmt.Append(nil, g.name, g.number, i), 0o600))
	}
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-qm", fmt.Sprint(g.number)}} {
		out, err := gittest.ClientIn(g.t, g.dir).Try(args...)
		require.NoError(g.t, err, out)
	}
	id, err := gittest.ClientIn(g.t, g.dir).Try("rev-parse", "HEAD")
	require.NoError(g.t, err)
	if _, err := gittest.ClientIn(g.t, g.dir).Try("push", "-q", g.remote(), "HEAD:refs/heads/pushed"); err == nil {
		g.acknowledge("pushed", strings.TrimSpace(id))
	}
}

// commitOne makes a commit by the API.
func (g *target) commitOne(n int) {
	var made struct{ ID string }
	if g.request("POST", fmt.Sprintf("/projects/%d/repository/commits", g.id), map[string]any{
		"branch": "main", "commit_message": fmt.Sprint(n), "actions": []any{map[string]any{
			"action": "create", "file_path": fmt.Sprintf("api/%d/%d", n%13, n), "content": fmt.Sprint(g.name, n),
		}},
	}, &made) == http.StatusCreated {
		g.acknowledge("main", made.ID)
	}
}

// TestKilledHewd kills hewd while git clients push, the API makes commits and merges, and
// repositories are repacked. The next hewd has everything that was acknowledged, and nothing that
// is incomplete.
func TestKilledHewd(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(*killSeed, 0))
	env := map[string]string{
		"HEWD_DATABASE_URL": servertest.URL(t), "HEWD_SECRET_KEY": "a secret key that is long enough",
	}
	p := &process{t: t, acks: make(chan struct{}, 1), env: []string{
		asHewd + "=1", "PATH=" + os.Getenv("PATH"), "HEWD_LISTEN=127.0.0.1:0", "HEWD_CACHE_DIR=" + t.TempDir(),
		"HEWD_ROOT_TOKEN=" + servertest.RootToken, "HEWD_DATABASE_URL=" + env["HEWD_DATABASE_URL"],
		"HEWD_SECRET_KEY=" + env["HEWD_SECRET_KEY"], "HEWD_LOG_LEVEL=error",
	}}
	p.start()
	t.Cleanup(func() { p.kill() })
	var targets []*target
	for _, name := range []string{"one", "two", "three"} {
		g := &target{process: p, name: name, dir: t.TempDir(), acked: map[string]string{}}
		var made struct{ ID int64 }
		require.Equal(t, 201, p.request("POST", "/projects", map[string]any{"name": name}, &made))
		g.id = made.ID
		_, err := gittest.ClientIn(g.t, g.dir).Try("init", "-q")
		require.NoError(t, err)
		g.commitOne(0)
		targets = append(targets, g)
	}
	n := 0
	for range *kills {
		n += 1000
		stop := make(chan struct{})
		var clients sync.WaitGroup
		repeat := func(do func(i int)) {
			clients.Go(func() {
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					default:
						do(i)
					}
				}
			})
		}
		for k, g := range targets {
			repeat(func(i int) { g.pushOne([]int{3, 130}[(i+k)%2]) })
			repeat(func(i int) { g.commitOne(n + i) })
			repeat(func(i int) { g.mergeOne(n + i) })
			repeat(func(int) { p.request("POST", fmt.Sprintf("/projects/%d/housekeeping", g.id), nil, nil) })
		}
		for range 1 + random.IntN(20) {
			<-p.acks
		}
		at := time.NewTimer(time.Duration(random.IntN(50_000)) * time.Microsecond) // any moment will do
		<-at.C
		p.kill()
		close(stop)
		clients.Wait()
		p.start()
		for _, g := range targets {
			g.checkKept()
		}
	}
	p.kill()
	checkNothingLeft(t, env)
	kept := 0
	for _, g := range targets {
		kept += g.kept
	}
	t.Logf("killed %d times; %d acknowledged commits are there", *kills, kept)
}

// checkKept compares the repository with what was acknowledged, and the index with the objects.
func (g *target) checkKept() {
	g.t.Helper()
	dir := filepath.Join(g.t.TempDir(), "c")
	out, err := gittest.ClientIn(g.t, ".").Try("clone", "-q", "--mirror", g.remote(), dir)
	require.NoError(g.t, err, out)
	out, err = gittest.ClientIn(g.t, dir).Try("fsck", "--strict", "--no-progress")
	require.NoError(g.t, err, out)
	require.Empty(g.t, out)
	for branch, id := range g.acked {
		out, err := gittest.ClientIn(g.t, dir).Try("merge-base", "--is-ancestor", id, "refs/heads/"+branch)
		require.NoError(g.t, err, "%s lost %s, which was acknowledged: %s", branch, id, out)
	}
	for branch := range g.acked {
		want, err := gittest.ClientIn(g.t, dir).Try("rev-list", "refs/heads/"+branch)
		require.NoError(g.t, err, want)
		var got strings.Builder
		for page := 1; ; page++ {
			var list []struct{ ID string }
			require.Equal(g.t, 200, g.request("GET", fmt.Sprintf(
				"/projects/%d/repository/commits?ref_name=%s&per_page=100&page=%d", g.id, branch, page), nil, &list))
			for _, c := range list {
				fmt.Fprintln(&got, c.ID)
			}
			if len(list) < 100 {
				break
			}
		}
		require.Equal(g.t, want, got.String(), branch)
	}
	g.checkMerged(dir)
	require.NoError(g.t, os.RemoveAll(dir))
}

// checkNothingLeft sweeps as it is done a day later, and finds no content that is missing or that
// nobody uses. Housekeeping that was killed has left packs that no repository links.
func checkNothingLeft(t *testing.T, env map[string]string) {
	h, done, err := server.OpenBlobs(t.Context(), server.Config{
		DatabaseURL: env["HEWD_DATABASE_URL"], SecretKey: env["HEWD_SECRET_KEY"],
	})
	require.NoError(t, err)
	defer func() { require.NoError(t, done()) }()
	for _, later := range []string{
		`update blobs set used_at = used_at - interval '2 days'`,
		`update blob_uploads set touched_at = touched_at - interval '2 days'`,
		// as upkeep does
		`delete from packs p where not exists (select from repository_packs l where l.pack_id = p.id)`,
	} {
		require.NoError(t, h.Exec(t.Context(), later, nil))
	}
	rest, err := blob.Sweep(t.Context(), h, 0, time.Now().Add(time.Minute))
	require.NoError(t, err)
	require.Nil(t, rest)
	for _, left := range []string{
		`select count(*) from blob_uploads`,
		`select count(*) from blobs b where not exists (select from packs p where b.id in (p.pack, p.index))`,
	} {
		rows, _ := h.DB().Query(t.Context(), left) // its error is that of the rows
		n, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[int])
		require.NoError(t, err)
		require.Zero(t, n, left)
	}
	out, err := run(env, "blob", "check", "-verify")
	require.NoError(t, err, out)
	require.Contains(t, out, "0 missing, 0 damaged, 0 orphaned")
}
