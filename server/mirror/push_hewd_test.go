package mirror_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
)

// TestPushToHewd: a mirror can be a project of a hewd, which gets large files too.
func TestPushToHewd(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "tohewd")
	content := strings.Repeat("0123456789abcdef", 1<<17) // 2 MiB
	oid := fmt.Sprintf("%x", sha256.Sum256([]byte(content)))
	require.NoError(t, code.StoreLFSObject(t.Context(), sc.s.Store, sc.project.ID, oid, int64(len(content)),
		strings.NewReader(content)))
	sc.work.Commit("large.bin", fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n",
		oid, len(content)))
	copied := sc.create(map[string]any{"name": "copy"})
	m := sc.mirror(sc.address(copied.Path), nil)
	sc.push("main")
	now := sc.show(m)
	require.Equal(t, "finished", now.Status, now.error())
	require.Equal(t, sc.work.Git("rev-parse", "main"),
		strings.Fields(sc.work.Git("ls-remote", sc.address(copied.Path), "refs/heads/main"))[0]+"\n")
	there, err := code.LFSObjects(t.Context(), sc.s.Store, copied.ID, []string{oid})
	require.NoError(t, err)
	require.Len(t, there, 1)

	// What the other project refuses is said as its client sees it.
	sc.work.Git("reset", "-q", "--hard", "HEAD~1")
	sc.work.Commit("other", "other\n")
	sc.do("DELETE", "/protected_branches/main", nil)
	sc.push("--force", "main")
	now = sc.sync(m)
	require.Equal(t, "to_retry", now.Status)
	require.Equal(t, "Some refs were refused by the remote:\n\nrefs/heads/main: pre-receive hook declined", now.error())
}

// TestPushWithin: no address in the local network is reached, however it is given.
func TestPushWithin(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "within")
	sc.push("main")
	var reached atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(inside.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(inside.URL, "http://"), ":")
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, inside.URL+r.URL.Path+"?"+r.URL.RawQuery, http.StatusFound)
	}))
	t.Cleanup(away.Close)

	stored := sc.mirror(inside.URL+"/a.git", nil) // while it was allowed
	sc.set("allow_local_requests_from_web_hooks_and_services", false)
	sc.set("outbound_local_requests_whitelist", []string{strings.TrimPrefix(away.URL, "http://")})
	for _, url := range []string{
		inside.URL + "/a.git", "http://localhost:" + port + "/a.git", "http://[::1]:" + port + "/a.git",
		"http://127.1:" + port + "/a.git", "http://2130706433:" + port + "/a.git", "http://0x7f000001/a.git",
		"http://[::ffff:127.0.0.1]:" + port + "/a.git", "http://0.0.0.0:" + port + "/a.git", "http://169.254.169.254/a.git",
		"http://10.0.0.1/a.git", "ssh://git@127.0.0.1:" + port + "/a.git", "git://127.0.0.1:" + port + "/a.git",
		"file:///etc", "/etc", "ext::sh -c id", "git@127.0.0.1:a.git", "http://x@127.0.0.1:" + port + "/a.git",
		"https://host.example.com/a.git\nhost: 127.0.0.1", "ssh://-oProxyCommand=id/a.git", "ftp://127.0.0.1/a.git",
	} {
		reply := sc.do("POST", "/remote_mirrors", map[string]any{"url": url, "enabled": true})
		require.Equal(t, 400, reply.Status, "%s: %s", url, reply.Body)
	}
	now := sc.sync(stored)
	require.Equal(t, "failed", now.Status)
	require.Equal(t, "The remote mirror URL is invalid.", now.error())
	now = sc.sync(sc.mirror(away.URL+"/a.git", nil))
	require.Equal(t, "127.0.0.1 cannot be reached: the URL is blocked: it has to be http or https, "+
		"and must not lead into the local network", now.error())
	require.Zero(t, reached.Load())
}
