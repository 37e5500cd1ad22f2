package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

// asHewd is the variable that makes the test program be hewd.
const asHewd = "HEWD_TEST_PROGRAM"

// process is a hewd that can be killed.
type process struct {
	t   testing.TB
	env []string
	cmd *exec.Cmd
	url string

	cache string // the directory of the copies of all processes
}

// newProcess returns a hewd that serves the database of env, and has not started.
func newProcess(t testing.TB, env map[string]string) *process {
	cache := t.TempDir()
	return &process{t: t, cache: cache, env: []string{
		asHewd + "=1", "PATH=" + os.Getenv("PATH"), "HEWD_LISTEN=127.0.0.1:0", "HEWD_CACHE_DIR=" + cache,
		"HEWD_ROOT_TOKEN=" + servertest.RootToken, "HEWD_DATABASE_URL=" + env["HEWD_DATABASE_URL"],
		"HEWD_SECRET_KEY=" + env["HEWD_SECRET_KEY"], "HEWD_LOG_LEVEL=error",
	}}
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

// base returns the address of the site.
func (p *process) base() string { return p.url }

// site is what clients know of hewd.
type site interface{ base() string }

// target is a project that clients write to while hewd is killed.
type target struct {
	site
	t      testing.TB
	acks   chan struct{} // one for each write that was acknowledged, as far as it has room
	id     int64
	name   string
	dir    string            // of the git client
	number int               // of the last commit
	mu     sync.Mutex        // of what follows
	kept   []string          // the commits that were acknowledged
	merged []int             // the merge requests whose merges were acknowledged
	acked  map[string]string // the last commit on each branch that the server has acknowledged
}

// newTarget creates a project with an empty repository.
func newTarget(t testing.TB, s site, name string, acks chan struct{}) *target {
	g := &target{site: s, t: t, acks: acks, name: name, dir: t.TempDir(), acked: map[string]string{}}
	var made struct{ ID int64 }
	require.Equal(t, 201, g.request("POST", "/projects", map[string]any{"name": name}, &made))
	g.id = made.ID
	_, err := gittest.ClientIn(t, g.dir).Try("init", "-q")
	require.NoError(t, err)
	return g
}

// request returns the status of an answer, 0 if there is none, and decodes it.
func (g *target) request(method, path string, body, answer any) int {
	if body == nil {
		body = struct{}{}
	}
	encoded, err := json.Marshal(body)
	require.NoError(g.t, err)
	r, err := http.NewRequest(method, g.base()+"/api/v4"+path, bytes.NewReader(encoded))
	require.NoError(g.t, err)
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

func (g *target) remote() string {
	return strings.Replace(g.base(), "://", "://root:"+servertest.RootToken+"@", 1) + "/root/" + g.name + ".git"
}

func (g *target) acknowledge(branch, id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.acked[branch] = id
	g.kept = append(g.kept, id)
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

// repeat calls do again and again, with numbers from 0 on, until stop is closed.
func repeat(group *sync.WaitGroup, stop <-chan struct{}, do func(i int)) {
	group.Go(func() {
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
