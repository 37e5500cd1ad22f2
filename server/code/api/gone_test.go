package api_test

import (
	"encoding/base64"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/git/gittest"
	"hew/server/servertest"
)

// hostWithCache returns a project on a server whose copies are in a directory of the test.
func hostWithCache(t testing.TB) (host, string) {
	cache := t.TempDir()
	h := host{t: t, s: servertest.FreshWith(t, server.Config{CacheDir: cache})}
	h.user = h.s.User(t, "alice")
	h.s.Do(t, h.user.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &h.project)
	return h, cache
}

// The whole directory of copies vanishes, while clients fetch and push and before a repack.
func TestCacheVanishes(t *testing.T) {
	t.Parallel()
	h, cache := hostWithCache(t)
	var actions []any
	for i := range 600 { // enough rows for a repack
		actions = append(actions, map[string]any{
			"action": "create", "file_path": fmt.Sprint("d", i%9, "/", i), "content": fmt.Sprint(i),
		})
	}
	commit := func(branch string, actions ...any) {
		reply := h.api("POST", "commits", map[string]any{
			"branch": branch, "start_branch": "main", "commit_message": "x", "actions": actions,
		})
		require.Equal(t, 201, reply.Status, string(reply.Body))
	}
	w := h.begin()
	commit("many", actions...)
	h.clone()
	vanish := func() {
		dirs, err := filepath.Glob(filepath.Join(cache, "*"))
		require.NoError(t, err)
		for _, dir := range dirs {
			_ = os.RemoveAll(dir) // the server writes into it meanwhile
		}
	}
	vanish()
	housekeeping := fmt.Sprintf("/projects/%d/housekeeping", h.project.ID)
	require.Equal(t, 201, h.s.Do(t, h.user.Token, "POST", housekeeping, nil).Status)
	h.s.Drain(t)
	h.clone("--mirror").Git("fsck", "--strict")

	var clients sync.WaitGroup
	var done atomic.Int32
	var all []gittest.Client
	for i := range 2 {
		c := h.clone()
		all = append(all, c)
		clients.Go(func() {
			defer done.Add(1)
			for n := range 5 {
				name := fmt.Sprint("client", i)
				c.Commit(name, fmt.Sprint(n))
				_, _ = c.Try("push", "-q", "origin", "HEAD:"+name) // may be cut off
				_, _ = c.Try("fetch", "-q")
			}
		})
	}
	for done.Load() == 0 {
		vanish()
		_ = h.api("GET", "files/README.md/blame?ref=main", nil)
	}
	clients.Wait()
	for i, c := range all {
		c.Git("push", "-q", "origin", fmt.Sprint("HEAD:last", i))
	}
	w.Git("fetch", "-q", "origin")
	h.clone("--mirror").Git("fsck", "--strict")
}

// Clients push to one branch by two servers on one database: one of them wins, and all are served
// what that one pushed.
func TestTwoServersOneBranch(t *testing.T) {
	t.Parallel()
	h := newHost(t, "oneclientwins")
	h.begin()
	second := h
	second.s = h.s.Beside(t)
	for round := range 4 {
		var clients sync.WaitGroup
		var won atomic.Int32
		var all []gittest.Client
		begin := make(chan struct{})
		var tip atomic.Value
		for i := range 4 {
			at := h
			if i%2 == 1 {
				at = second
			}
			c := at.clone()
			c.Commit("file", fmt.Sprint(round, i))
			all = append(all, c)
		}
		for _, c := range all {
			id := strings.TrimSpace(c.Git("rev-parse", "HEAD"))
			clients.Go(func() {
				<-begin
				if _, err := c.Try("push", "-q", "origin", "HEAD:main"); err == nil {
					won.Add(1)
					tip.Store(id)
				}
			})
		}
		close(begin)
		clients.Wait()
		require.EqualValues(t, 1, won.Load())
		for _, at := range []host{h, second} {
			require.Equal(t, tip.Load(), strings.TrimSpace(at.clone().Git("rev-parse", "HEAD")))
		}
	}
}

// A connection that ends after any number of bytes of a push leaves neither a ref nor a file.
func TestConnectionCut(t *testing.T) {
	t.Parallel()
	h, cache := hostWithCache(t)
	w := h.begin()
	w.Write("big", strings.Repeat("some text that is long enough\n", 10))
	w.Commit("other", "x")
	id := strings.TrimSpace(w.Git("rev-parse", "HEAD"))

	packed := w.Git("pack-objects", "-q", "--revs", "--all", "packed")
	data, err := os.ReadFile(filepath.Join(w.Dir, "packed-"+strings.TrimSpace(packed)+".pack"))
	require.NoError(t, err)
	body := line(strings.Repeat("0", 40)+" "+id+" refs/heads/cut\x00report-status side-band-64k") + "0000" + string(data)
	u, err := url.Parse(h.address(h.user.Token))
	require.NoError(t, err)
	password, _ := u.User.Password()
	head := fmt.Sprintf("POST %s/git-receive-pack HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\n"+
		"Content-Type: application/x-git-receive-pack-request\r\nContent-Length: %d\r\n\r\n", u.Path, u.Host,
		"Basic "+base64.StdEncoding.EncodeToString([]byte("any:"+password)), len(body))
	for _, n := range []int{0, 3, 50, len(body) - len(data), len(body) - len(data) + 11, len(body) / 2, len(body) - 1} {
		connection, err := net.Dial("tcp", u.Host)
		require.NoError(t, err)
		_, err = connection.Write([]byte(head + body[:n]))
		require.NoError(t, err)
		require.NoError(t, connection.Close())
	}
	require.Eventually(t, func() bool {
		left, err := filepath.Glob(filepath.Join(cache, "repositories-*", "*", "incoming-*"))
		return err == nil && len(left) == 0
	}, 30*time.Second, 10*time.Millisecond)
	require.NotContains(t, w.Git("ls-remote", "origin"), "refs/heads/cut")
	w.Git("push", "-q", "origin", "HEAD:cut")
	h.clone("--mirror").Git("fsck", "--strict")
}
